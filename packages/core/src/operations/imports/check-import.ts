import { comparisonForm, type FieldProblem } from '@dealkeep/contract';
import type { Services } from '../../change/services.ts';
import { readingFor } from '../../change/verb/verb.ts';
import type { Statements } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { problemsOfBody } from '../execute.ts';
import type { ImportPlace } from './import-jobs.ts';
import type { Importer } from './importer.ts';
import { type Import, setStatus } from './imports.ts';
import { cellProblem } from './read-cell.ts';
import type { FileRow } from './read-file.ts';
import { type ReadRow, readRows } from './read-rows.ts';
import { type ImportKind, importKinds } from './targets.ts';

const rowsCheckedAtOnce = 200;

/** Checks the next rows, and says so when they were the last ones. Answers whether any are left. */
export async function checkRows(
  core: Services,
  place: ImportPlace,
  found: Import,
  importer: Importer,
): Promise<boolean> {
  const { organization, id } = place;
  const rows = await core.sql<FileRow[]>`
    select number, line, cells from import_rows
    where organization_id = ${organization} and import_id = ${id} and state = 'waiting'
    order by number limit ${rowsCheckedAtOnce}`;
  const checked = rows.length > 0 ? await problemsOfRows(core, place, found, importer, rows) : [];
  return inTransaction(core.sql, async (tx) => {
    const [now] = await tx<{ status: string }[]>`
      select status from imports where organization_id = ${organization} and id = ${id} for update`;
    // Somebody discarded it, or another worker was faster.
    if (now?.status !== 'checking') return false;
    await tx`
      update import_rows r
      set state = case when each.problems is null then 'ready' else 'faulty' end,
        problems = each.problems::jsonb
      from unnest(${checked.map(({ number }) => number)}::integer[],
                  ${checked.map(({ problems }) => (problems.length > 0 ? JSON.stringify(problems) : null))}::text[])
           as each (number, problems)
      where r.organization_id = ${organization} and r.import_id = ${id} and r.number = each.number
        and r.state = 'waiting'`;
    if (rows.length === rowsCheckedAtOnce) return true;
    await setStatus(tx, place, 'checked');
    return false;
  });
}

interface CheckedRow {
  readonly number: number;
  readonly problems: readonly FieldProblem[];
}

async function problemsOfRows(
  core: Services,
  { organization, id }: ImportPlace,
  found: Import,
  { actor }: Importer,
  rows: readonly FileRow[],
): Promise<readonly CheckedRow[]> {
  const referenceData = await core.referenceDataCache.current(core.sql, organization);
  const context = { ...readingFor(core, actor), referenceData: async () => referenceData };
  const read = await readRows({ sql: core.sql, organization, referenceData, actor }, found, rows);
  const matches = await countMatches(core.sql, organization, found, read);
  const earlier = await earlierLines(core.sql, { organization, id }, found, read);
  const checked: CheckedRow[] = [];
  for (const row of read) {
    const { body, problems } = row;
    const count = matches?.(row);
    const several = count !== undefined && count > 1;
    const operation = count === 1 ? importKinds[found.kind].upsert : importKinds[found.kind].create;
    const judged = count === 1 ? { ...body, match_by: found.match_by } : body;
    const isBroken = problems.some(({ path }) => path === '');
    const ofContract =
      isBroken || !operation ? [] : await problemsOfBody(context, operation, { path: {}, body: judged });
    const all = [
      ...problems,
      ...ofContract.filter((each) => !isNewCategory(each)),
      ...(several ? [severalOf(found, row, count)] : []),
      ...(matches && !isBroken && textOf(row, found.match_by) === undefined ? [missingMatch(found)] : []),
      ...earlier(row),
    ];
    checked.push({ number: row.row.number, problems: onePerPath(all) });
  }
  return checked;
}

/** A category is what its products share: a new one is made by naming it. */
const isNewCategory = ({ path, key }: FieldProblem): boolean =>
  path === 'category_uuid' && key === 'field.not_found';

/** What a cell was found to be goes before what the contract says of its absence. */
const onePerPath = (problems: readonly FieldProblem[]): readonly FieldProblem[] =>
  [...Map.groupBy(problems, ({ path }) => path).values()].flatMap(([first]) => first ?? []);

function textOf({ body }: Pick<ReadRow, 'body'>, field: string | null): string | undefined {
  const value = field === null ? undefined : body[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const missingMatch = ({ match_by }: Import): FieldProblem => ({
  path: match_by ?? '',
  key: 'field.required',
});

const severalOf = ({ match_by }: Import, row: ReadRow, count: number): FieldProblem => ({
  path: match_by ?? '',
  ...cellProblem('import.several_match', textOf(row, match_by) ?? '', { count }).problem,
});

/** By which columns records are the same whatever the case of their letters. */
const caseless: readonly string[] = ['email', 'name'];

/**
 * How many records each row matches, as the operation that updates would find them; undefined where none are looked
 * for.
 */
async function countMatches(
  sql: Statements,
  organization: string,
  { kind, match_by }: Import,
  rows: readonly ReadRow[],
): Promise<((row: ReadRow) => number | undefined) | undefined> {
  if (match_by === null) return undefined;
  const isCaseless = caseless.includes(match_by);
  const plain = (value: string): string => (isCaseless ? comparisonForm(value) : value);
  const values = [...new Set(rows.flatMap((row) => textOf(row, match_by) ?? []).map(plain))];
  const column = isCaseless ? sql`comparison_form(${sql(match_by)})` : sql`${sql(match_by)}`;
  const within = kind === 'contact' ? sql`company_id` : sql`null::uuid`;
  const found = await sql<{ value: string; company: string | null; count: number }[]>`
    select ${column} as value, ${within} as company, count(*)::integer as count
    from ${sql(importKinds[kind].table)}
    where organization_id = ${organization} and ${column} = any(${values}::text[]) group by 1, 2`;
  return (row) => {
    const value = textOf(row, match_by);
    if (value === undefined) return undefined;
    const company = kind === 'contact' ? row.body['company_id'] : undefined;
    return found
      .filter((each) => each.value === plain(value) && (company === undefined || each.company === company))
      .reduce((sum, { count }) => sum + count, 0);
  };
}

/** What no two records may share, so that a file cannot have it twice. */
const uniqueFields: Readonly<Partial<Record<ImportKind, string>>> = { product: 'sku' };

/** Says of a row that an earlier one has the same, where no two may. */
async function earlierLines(
  sql: Statements,
  { organization, id }: ImportPlace,
  { kind, mapping }: Import,
  rows: readonly ReadRow[],
): Promise<(row: ReadRow) => FieldProblem[]> {
  const field = uniqueFields[kind];
  const column = field === undefined ? -1 : mapping.indexOf(field);
  if (field === undefined || column === -1) return () => [];
  const values = rows.flatMap((row) => textOf(row, field) ?? []);
  const found = await sql<{ value: string; line: number }[]>`
    select trim(cells[${column + 1}::integer]) as value, min(line) as line from import_rows
    where organization_id = ${organization} and import_id = ${id}
      and trim(cells[${column + 1}::integer]) = any(${values}::text[])
    group by 1`;
  const lines = new Map(found.map(({ value, line }) => [value, line]));
  return (row) => {
    const value = textOf(row, field);
    const line = value === undefined ? undefined : lines.get(value);
    if (value === undefined || line === undefined || line >= row.row.line) return [];
    return [{ path: field, ...cellProblem('import.twice_in_file', value, { line }).problem }];
  };
}
