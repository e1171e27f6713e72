import type { FieldProblem } from '@dealkeep/contract';
import type { Looking } from '../../change/verb/sight.ts';
import type { ReferenceData } from '../../identity/reference-data/reference-data.ts';
import { findCompanies, findNamed, type KnownNames } from './find-named.ts';
import { type FileStyle, type ReadCell, readCell } from './read-cell.ts';
import type { FileRow } from './read-file.ts';
import { type ImportKind, type ImportTarget, targetsOf } from './targets.ts';

/** How the rows of an import become bodies. */
export interface RowReading {
  readonly kind: ImportKind;
  readonly headings: readonly string[];
  /** For each column the path of its target; empty for one that is not read. */
  readonly mapping: readonly string[];
  readonly decimal_mark: ',' | '.';
  /** Cells that a row lacks at its end are empty; else the row is refused. */
  readonly fills_short_rows: boolean;
}

/** A row as a body of the contract, which is not checked yet. */
export interface ReadRow {
  readonly row: FileRow;
  readonly body: Readonly<Record<string, unknown>>;
  /** By the paths of targets; an empty path is that of the whole row. */
  readonly problems: readonly FieldProblem[];
}

interface Place extends Looking {
  readonly referenceData: ReferenceData;
}

/**
 * Reads rows: numbers, dates, choices, and names instead of ids. Several are read at once, so that few statements
 * do.
 */
export async function readRows(
  place: Place,
  reading: RowReading,
  rows: readonly FileRow[],
): Promise<readonly ReadRow[]> {
  const { referenceData } = place;
  const targets = targetsOf(reading.kind, referenceData);
  const columns = reading.mapping.map((path) => targets.find((each) => each.path === path));
  const named = columns.flatMap((target, index) =>
    target?.field.reference === 'company' ? rows.map(({ cells }) => (cells[index] ?? '').trim()) : [],
  );
  const companies = await findCompanies(
    place,
    named.filter((each) => each !== ''),
  );
  const style: FileStyle = { decimalMark: reading.decimal_mark, currency: referenceData.currency };
  return rows.map((row) => readRow({ reading, columns, style, known: { referenceData, companies } }, row));
}

interface Reader {
  readonly reading: RowReading;
  readonly columns: readonly (ImportTarget | undefined)[];
  readonly style: FileStyle;
  readonly known: KnownNames;
}

function readRow({ reading, columns, style, known }: Reader, row: FileRow): ReadRow {
  const broken = brokenRow(reading, row);
  if (broken) return { row, body: {}, problems: [{ path: '', ...broken }] };
  const body: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  // Of the pipeline it depends which stage a name means.
  const filled = columns
    .map((target, index) => ({ target, cell: (row.cells[index] ?? '').trim() }))
    .toSorted((a, b) => Number(a.target?.path === 'stage_id') - Number(b.target?.path === 'stage_id'));
  for (const { target, cell } of filled) {
    // What is empty says nothing.
    if (!target || cell === '') continue;
    const pipeline = body['pipeline_id'];
    const read = readValue(target, cell, style, known, typeof pipeline === 'string' ? pipeline : undefined);
    if ('value' in read) put(body, target, read.value);
    else problems.push({ path: target.path, ...read.problem });
  }
  return { row, body, problems };
}

function brokenRow(
  { headings, fills_short_rows }: RowReading,
  { cells }: FileRow,
): Omit<FieldProblem, 'path'> | undefined {
  const [count, expected] = [cells.length, headings.length];
  const isLong = cells.slice(expected).some((cell) => cell.trim() !== '');
  if (isLong || (count < expected && !fills_short_rows)) {
    return { key: 'import.wrong_columns', values: { count, expected } };
  }
  const isHeading = headings.every((heading, index) => (cells[index] ?? '').trim() === heading);
  return isHeading ? { key: 'import.headings_again' } : undefined;
}

function readValue(
  target: ImportTarget,
  cell: string,
  style: FileStyle,
  known: KnownNames,
  pipeline: string | undefined,
): ReadCell {
  const { field } = target;
  const one = (part: string): ReadCell =>
    field.reference && field.reference !== 'product-category'
      ? findNamed(field.reference, part, known, pipeline)
      : readCell(target, part, style);
  if (!field.isArray) return one(cell);
  const read = [...new Set(cell.split(/[,;]/).map((part) => part.trim()))]
    .filter((part) => part !== '')
    .map(one);
  const wrong = read.find((each) => 'problem' in each);
  return wrong ?? { value: read.map((each) => ('value' in each ? each.value : undefined)) };
}

function put(body: Record<string, unknown>, target: ImportTarget, value: unknown): void {
  const outer = target.customField ? 'custom_fields' : target.inside?.name;
  if (outer === undefined) {
    body[target.path] = value;
    return;
  }
  const name = target.path.slice(outer.length + 1);
  body[outer] = { ...Object(body[outer]), [name]: value };
}

/** The column of a problem, by its path in a body: `tags[2]` stands in the column of `tags`. */
export function columnOf(mapping: readonly string[], path: string): number | undefined {
  if (path === '') return undefined;
  const exact = mapping.indexOf(path);
  if (exact !== -1) return exact;
  const outer = mapping.findIndex(
    (each) => each !== '' && (path.startsWith(`${each}[`) || path.startsWith(`${each}.`)),
  );
  return outer === -1 ? undefined : outer;
}
