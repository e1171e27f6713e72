import { comparisonForm } from '@dealkeep/contract';
import { byteOrderMark, type CsvCell, csvText } from '@dealkeep/core/installation';
import {
  hasUnchangedRole,
  type Import,
  type ImportedRow,
  type RowState,
  readImportedRows,
} from '@dealkeep/core/operations';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { fieldWords } from '../problem-words.ts';
import { csvStyles, streamOf } from '../values/csv-stream.ts';
import { headingOf, recordKindOf } from './import-words.ts';
import { placeOf } from './problem-table.ts';
import { importSay } from './texts.ts';

const rowsOfPage = 500;

/** Which rows a report is asked for. */
const chosen: Readonly<Record<string, readonly RowState[]>> = {
  problems: ['faulty', 'refused'],
  kept: ['kept'],
};

/**
 * What became of each row, as CSV: its line, the result, what is wrong, the record, and the row itself, so that rows
 * with errors can be mended and imported. Sent while it is read, some rows at a time.
 */
export function reportFile(c: ConsoleContext, found: Import): Response {
  const only = c.req.query('only');
  const states = only !== undefined && Object.hasOwn(chosen, only) ? chosen[only] : undefined;
  return new Response(streamOf(c, textOfRows(c, found, states)), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="import-${recordKindOf(found).path.slice(1)}-${found.created_at.slice(0, 10)}.csv"`,
      'Cache-Control': 'no-store',
    },
  });
}

async function* textOfRows(
  c: ConsoleContext,
  found: Import,
  states: readonly RowState[] | undefined,
): AsyncGenerator<string, void> {
  const text = importSay(c.get('language'));
  const style = csvStyles[c.get('language')];
  const own = [text('line'), text('resultColumn'), text('problems'), text('recordColumn')];
  const headings = [...found.headings.keys()].map((index) => headingOf(c, found, index));
  // The report can be imported itself, where no heading may stand twice.
  const taken = new Set(headings.map(comparisonForm));
  const added = own.map((each) => (taken.has(comparisonForm(each)) ? `${each} (CSV)` : each));
  yield byteOrderMark + csvText([[...headings, ...added]], style);
  for (let after = 0; ; ) {
    // Somebody may take long to receive it, and be deactivated meanwhile.
    if (!(await hasUnchangedRole(c.get('core'), sessionOf(c)))) {
      throw new Error('The role of whoever takes a report has changed meanwhile');
    }
    const rows = await readImportedRows(c.get('core'), sessionOf(c), found, {
      after,
      limit: rowsOfPage,
      ...(states ? { states } : {}),
    });
    if (rows.length > 0)
      yield csvText(
        rows.map((row) => cellsOf(c, found, row)),
        style,
      );
    const last = rows.at(-1);
    if (!last || rows.length < rowsOfPage) return;
    after = last.number;
  }
}

function cellsOf(c: ConsoleContext, found: Import, row: ImportedRow): CsvCell[] {
  const [language, text] = [c.get('language'), importSay(c.get('language'))];
  const problems = (row.problems ?? []).map(
    (each) => `${placeOf(c, found, each.path)}: ${fieldWords(language, each)}`,
  );
  const isThere = row.record_id !== null && row.state !== 'removed';
  const address = isThere ? `${c.get('core').origin}${recordKindOf(found).path}/${row.record_id}` : null;
  const cells = found.headings.map((_, index) => row.cells[index] ?? null);
  return [...cells, row.line, text(row.state), problems.join(' '), address];
}
