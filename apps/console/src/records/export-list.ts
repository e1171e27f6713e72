import { limits, type RecordColumn, recordColumns, resources } from '@dealkeep/contract';
import { noteExport } from '@dealkeep/core/change';
import { clockTime, Problem } from '@dealkeep/core/foundations';
import { byteOrderMark, type CsvCell, csvText } from '@dealkeep/core/installation';
import { hasUnchangedRole } from '@dealkeep/core/operations';
import { requirePermitted } from '../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { csvStyles, streamOf } from '../values/csv-stream.ts';
import { choiceLabel, isNumberField } from '../values/field-words.ts';
import { isDecimal } from '../values/numbers.ts';
import type { QueryPairs, ShownPage, ShownRecord } from '../values/shown-record.ts';
import { addressLine } from '../values/shown-value.ts';
import { askedOf } from './asked-list.ts';
import type { RecordKind } from './record-kind.ts';
import { recordSay } from './texts.ts';

/** Last part of the address of a list as CSV. */
export const exportName = 'export.csv';

/**
 * The records of a list with its filters and its order as CSV for a spreadsheet, sent while they are read: page by
 * page, on the connections for slow work, and none before the last one has left. Rule leaving 1.
 */
export async function exportList(c: ConsoleContext, kind: RecordKind): Promise<Response> {
  requirePermitted(c, kind.resource, kind);
  const { pairs, problems } = await askedOf(c, kind);
  // The page of the list says beside its filters what is wrong with them.
  const toPage = () => c.redirect(`${kind.path}${new URL(c.req.url).search}`, 303);
  if (problems.size > 0) return toPage();
  const first = await readPage(c, kind, pairs).catch((error) => {
    if (error instanceof Problem && error.code === 'INVALID_PARAMETER') return undefined;
    throw error;
  });
  if (!first) return toPage();
  const columns = await columnsOf(c, kind);
  await noteExport(c.get('core'), sessionOf(c), kind.resource);
  return csvResponse(c, kind, textOfPages(c, kind, { columns, pairs, first }));
}

/**
 * These records of a list in the same way, each as its page shows it; one that is not there any more is left out.
 */
export async function exportRecords(
  c: ConsoleContext,
  kind: RecordKind,
  ids: readonly string[],
): Promise<Response> {
  const columns = await columnsOf(c, kind);
  await noteExport(c.get('core'), sessionOf(c), kind.resource);
  return csvResponse(c, kind, textOfRecords(c, kind, { columns, ids }));
}

const recordsReadAtOnce = 50;

async function* textOfRecords(
  c: ConsoleContext,
  kind: RecordKind,
  { columns, ids }: Pick<Exported, 'columns'> & { readonly ids: readonly string[] },
): AsyncGenerator<string, void> {
  const style = csvStyles[c.get('language')];
  yield byteOrderMark + csvText([columns.map(({ heading }) => heading)], style);
  for (let from = 0; from < ids.length; from += recordsReadAtOnce) {
    const rows: CsvCell[][] = [];
    for (const id of ids.slice(from, from + recordsReadAtOnce)) {
      const record = await kind.get(c, id).catch((error) => {
        if (error instanceof Problem && error.code === 'NOT_FOUND') return undefined;
        throw error;
      });
      if (record) rows.push(columns.map(({ cell }) => cell(record)));
    }
    yield csvText(rows, style);
  }
}

function csvResponse(c: ConsoleContext, kind: RecordKind, texts: AsyncGenerator<string, void>): Response {
  const day = c.get('core').clock.now().toISOString().slice(0, 10);
  return new Response(streamOf(c, texts), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${kind.path.slice(1)}-${day}.csv"`,
      'Cache-Control': 'no-store',
    },
  });
}

/** What a list is exported by: its name in the language and what stands in it. */
interface ExportColumn {
  readonly heading: string;
  cell(record: ShownRecord): CsvCell;
}

async function columnsOf(c: ConsoleContext, kind: RecordKind): Promise<readonly ExportColumn[]> {
  const own = (await kind.ownFields?.(c))?.find(({ name }) => name === 'custom_fields');
  const columns = recordColumns(resources[kind.resource].schema, { custom_fields: own?.fields ?? [] });
  const language = c.get('language');
  const text = recordSay(language);
  const headings = columns.map(({ label }) => label[language].replace('UUID', 'ID'));
  return columns.map((column, index) => {
    const heading = headings[index] ?? '';
    // What people call the same: when an invoice was paid, and whether it was.
    const before = headings.slice(0, index).filter((each) => each === heading).length;
    const other = column.field.type === 'boolean' ? `${text('yes')}/${text('no')}` : String(before + 1);
    return { heading: before > 0 ? `${heading} (${other})` : heading, cell: cellIn(c, column) };
  });
}

const cellIn =
  (c: ConsoleContext, column: RecordColumn) =>
  (record: ShownRecord): CsvCell => {
    const { field } = column;
    const value = column.valueOf(record);
    if (typeof value === 'boolean') return recordSay(c.get('language'))(value ? 'yes' : 'no');
    if (typeof value !== 'string') return value;
    if (field.description?.choices?.[value]) return choiceLabel(c, field, value);
    if (isNumberField(field) && isDecimal(value)) return Number(value);
    if (field.format === 'date-time') return momentCell(c, value);
    return value.startsWith('{') ? addressLine(value) : value;
  };

/** A moment as spreadsheets of every language read it, in the organization's time zone. */
const momentCell = (c: ConsoleContext, value: string): string =>
  clockTime(value, sessionOf(c).organization.timeZone);

function readPage(c: ConsoleContext, kind: RecordKind, pairs: QueryPairs): Promise<ShownPage> {
  const core = c.get('core');
  return kind.list(c, [...pairs, ['limit', String(limits.pageSizeMaximum)]], { ...core, sql: core.slowSql });
}

interface Exported {
  readonly columns: readonly ExportColumn[];
  readonly pairs: QueryPairs;
  readonly first: ShownPage;
}

async function* textOfPages(
  c: ConsoleContext,
  kind: RecordKind,
  { columns, pairs, first }: Exported,
): AsyncGenerator<string, void> {
  const style = csvStyles[c.get('language')];
  const text = (page: ShownPage): string =>
    csvText(
      page.data.map((record) => columns.map(({ cell }) => cell(record))),
      style,
    );
  yield byteOrderMark + csvText([columns.map(({ heading }) => heading)], style) + text(first);
  for (let next = first.next_cursor; next !== null; ) {
    // Somebody may take long to receive it, and be deactivated meanwhile.
    if (!(await hasUnchangedRole(c.get('core'), sessionOf(c)))) {
      throw new Error('The role of whoever exports has changed meanwhile');
    }
    const page = await readPage(c, kind, [...pairs, ['cursor', next]]);
    yield text(page);
    next = page.next_cursor;
  }
}
