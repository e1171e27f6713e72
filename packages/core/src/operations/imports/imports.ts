import { randomUUIDv7 } from 'node:crypto';
import {
  everyOperation,
  type FieldProblem,
  limits,
  type OperationDeclaration,
  type Text,
} from '@dealkeep/contract';
import type { Session } from '../../accounts/sessions/sessions.ts';
import { insertEntries, rowOf } from '../../change/audit/audit-log.ts';
import type { Services } from '../../change/services.ts';
import type { Statements, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { invalidFields, notFound, Problem } from '../../foundations/problem.ts';
import { permissionsFor, reachOn, requireReach } from '../../identity/credentials/reach.ts';
import type { ReferenceData } from '../../identity/reference-data/reference-data.ts';
import { requireStorage } from '../../identity/tenancy/measure-storage.ts';
import { addImportJob, type ImportPlace } from './import-jobs.ts';
import { proposeMapping } from './propose-mapping.ts';
import { type FileRow, openFile } from './read-file.ts';
import type { RowReading } from './read-rows.ts';
import { type ImportKind, importKinds, isRequired, matchFieldsOf, targetsOf } from './targets.ts';

/** `uploaded`: nobody has said what its columns are. `checking`, `running`, `undoing`: a worker has it. */
export type ImportStatus =
  | 'uploaded'
  | 'checking'
  | 'checked'
  | 'running'
  | 'finished'
  | 'undoing'
  | 'undone';

/** Why an import ended before its last row. */
export interface Stopped {
  readonly key: string;
  readonly values: Readonly<Record<string, string | number | Text>>;
}

/** An import as people see it. Moments are RFC 3339 in UTC. */
export interface Import extends RowReading {
  readonly id: string;
  readonly kind: ImportKind;
  readonly user_id: string;
  readonly file_name: string;
  readonly encoding: string;
  readonly delimiter: string;
  readonly row_count: number;
  readonly match_by: string | null;
  readonly status: ImportStatus;
  readonly stopped: Stopped | null;
  readonly created_at: string;
  readonly finished_at: string | null;
  /** Of the audit log, once it was started. */
  readonly audit_entry_id: string | null;
}

/** Who imports, and where. */
export type Importing = Pick<Session, 'user' | 'organization' | 'assistants' | 'from'>;

const columns = [
  'id',
  'kind',
  'user_id',
  'file_name',
  'encoding',
  'delimiter',
  'decimal_mark',
  'headings',
  'row_count',
  'mapping',
  'match_by',
  'fills_short_rows',
  'status',
  'stopped',
  'created_at',
  'finished_at',
  'audit_entry_id',
] as const;

/** Raises ROLE_PERMISSION_MISSING and ROLE_SCOPE_LIMITED where the role makes no such records. */
export function requireImporting({ user }: Pick<Importing, 'user'>, kind: ImportKind): void {
  const declaration = everyOperation[importKinds[kind].create];
  requireReach({ user }, declaration.resource, permissionsFor(declaration));
}

/**
 * The fields by which a user may look for records to update: none where they may not see and change each of them.
 */
export function permittedMatches({ user }: Pick<Importing, 'user'>, kind: ImportKind): readonly string[] {
  const { upsert } = importKinds[kind];
  if (!upsert) return [];
  const declaration: OperationDeclaration = everyOperation[upsert];
  const list = Object.values<OperationDeclaration>(everyOperation).find(
    (each) => each.resource === declaration.resource && each.kind === 'list' && each.shape === 'list',
  );
  const needed = [...permissionsFor(declaration), ...(list ? permissionsFor(list) : [])];
  const reach = reachOn({ user }, declaration.resource, needed);
  return reach === 'all' ? matchFieldsOf(kind) : [];
}

/**
 * Takes a file in: its rows are stored, all or none, and what its columns hold is proposed. Raises VALIDATION_ERROR
 * for what is no such file, naming the line; CONFLICT where there are too many imports; LIMIT_EXCEEDED where the
 * storage is used up.
 */
export async function createImport(
  core: Services,
  { user, organization }: Importing,
  { kind, fileName, bytes }: { kind: ImportKind; fileName: string; bytes: Uint8Array },
): Promise<string> {
  requireImporting({ user }, kind);
  // What is uploaded takes storage before any of it is imported.
  requireStorage(organization, 'making');
  const file = await openFile(bytes);
  const referenceData = await core.referenceDataCache.current(core.sql, organization.id);
  const mapping = proposeMapping(file.headings, targetsOf(kind, referenceData));
  const id = randomUUIDv7();
  await inTransaction(core.slowSql, async (tx) => {
    await requireRoom(tx, organization.id);
    await tx`
      insert into imports (organization_id, id, kind, user_id, file_name, encoding, delimiter, decimal_mark, headings,
                           row_count, mapping, status, created_at)
      values (${organization.id}, ${id}, ${kind}, ${user.id}, ${fileName}, ${file.encoding}, ${file.delimiter},
              ${file.decimalMark}, ${file.headings}, 0, ${mapping.map((path) => path ?? '')}, 'uploaded',
              ${core.clock.now().toISOString()})`;
    let count = 0;
    for await (const rows of file.rows) {
      await insertRows(tx, { organization: organization.id, id }, rows);
      count += rows.length;
    }
    await tx`
      update imports set row_count = ${count} where organization_id = ${organization.id} and id = ${id}`;
  });
  return id;
}

async function requireRoom(tx: Transaction, organization: string): Promise<void> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from imports
    where organization_id = ${organization} and status not in ('finished', 'undone')`;
  const max = limits.importsPerOrganization;
  if (row && row.count >= max) throw new Problem('import.too_many', { max });
}

const insertRows = (
  tx: Transaction,
  { organization, id }: ImportPlace,
  rows: readonly FileRow[],
): PromiseLike<unknown> => tx`
  insert into import_rows (organization_id, import_id, number, line, cells)
  select ${organization}, ${id}, (each ->> 'number')::integer, (each ->> 'line')::integer,
         array(select cell from jsonb_array_elements_text(each -> 'cells') with ordinality as c (cell, at) order by at)
  from jsonb_array_elements(${tx.json(rows.map(({ number, line, cells }) => ({ number, line, cells: [...cells] })))}) as each`;

/** Imports of the last days that a user may see, newest first: their own; owners see all. */
export const listImports = (
  { sql }: Pick<Services, 'sql'>,
  { user, organization }: Importing,
  kind: ImportKind,
): Promise<Import[]> => sql<Import[]>`
  select ${sql(columns)} from imports
  where organization_id = ${organization.id} and kind = ${kind}
    and (user_id = ${user.id} or ${user.permissions === 'owner'})
  order by created_at desc, id desc`;

/** Raises NOT_FOUND, and what `requireImporting` does. */
export async function getImport(
  { sql }: { readonly sql: Statements },
  { user, organization }: Importing,
  id: string,
): Promise<Import> {
  const found = await findImport(sql, { organization: organization.id, id });
  if (!found || (found.user_id !== user.id && user.permissions !== 'owner')) throw notFound();
  requireImporting({ user }, found.kind);
  return found;
}

/** Whoever asks. */
export async function findImport(
  sql: Statements,
  { organization, id }: ImportPlace,
): Promise<Import | undefined> {
  const [found] = await sql<Import[]>`
    select ${sql(columns)} from imports where organization_id = ${organization} and id = ${id}`;
  return found;
}

/** How an import is read: what its user chose. */
export interface ImportChoice {
  /** For each column the path of its target; empty for one that is not read. */
  readonly mapping: readonly string[];
  readonly decimal_mark: ',' | '.';
  readonly match_by: string | null;
  readonly fills_short_rows: boolean;
}

/** Says how its columns are read, and has every row checked. Raises VALIDATION_ERROR by column, and CONFLICT. */
export async function chooseMapping(
  core: Services,
  importing: Importing,
  id: string,
  choice: ImportChoice,
): Promise<void> {
  const { organization } = importing;
  const referenceData = await core.referenceDataCache.current(core.sql, organization.id);
  await changeImport(core, importing, { id, from: ['uploaded', 'checked'] }, async (tx, found) => {
    const allowed = permittedMatches(importing, found.kind);
    const match_by = allowed.find((each) => each === choice.match_by) ?? null;
    const mapping = found.headings.map((_, index) => choice.mapping[index] ?? '');
    const problems = mappingProblems(found.kind, referenceData, mapping, match_by);
    if (problems.length > 0) throw invalidFields(problems);
    await tx`
      update imports set status = 'checking', mapping = ${mapping}, match_by = ${match_by},
        decimal_mark = ${choice.decimal_mark}, fills_short_rows = ${choice.fills_short_rows}, stopped = null
      where organization_id = ${organization.id} and id = ${id}`;
    await tx`
      update import_rows set state = 'waiting', problems = null
      where organization_id = ${organization.id} and import_id = ${id} and state <> 'waiting'`;
    await addImportJob(tx, { organization: organization.id, id });
  });
}

/** What is wrong with a mapping: at its columns, `column-2`, or with the whole, at `mapping` and `match_by`. */
function mappingProblems(
  kind: ImportKind,
  referenceData: ReferenceData,
  mapping: readonly string[],
  matchBy: string | null,
): FieldProblem[] {
  const targets = targetsOf(kind, referenceData);
  const problems: FieldProblem[] = [];
  for (const [index, path] of mapping.entries()) {
    if (path === '') continue;
    const column = `column-${index}`;
    if (!targets.some((each) => each.path === path)) {
      problems.push({ path: column, key: 'field.invalid_choice', values: { choices: '' } });
    } else if (mapping.indexOf(path) < index) problems.push({ path: column, key: 'import.field_twice' });
  }
  for (const target of targets) {
    const lacks = !mapping.includes(target.path);
    if (lacks && target.path === matchBy) {
      problems.push({ path: 'match_by', key: 'import.match_missing', values: { field: target.label } });
    } else if (lacks && matchBy === null && isRequired(target)) {
      problems.push({ path: 'mapping', key: 'import.field_missing', values: { field: target.label } });
    }
  }
  return problems;
}

/** Imports the rows in which nothing is wrong. Raises CONFLICT where there are none, or it is in another state. */
export const startImport = (core: Services, importing: Importing, id: string): Promise<void> =>
  changeImport(core, importing, { id, from: ['checked'] }, async (tx, found) => {
    const place = { organization: importing.organization.id, id };
    const { ready = 0 } = await countRows(tx, place);
    if (ready === 0) throw new Problem('import.nothing_to_do');
    const entry = await noteImport(core, tx, importing, found, 'imports.run');
    await tx`
      update imports set audit_entry_id = ${entry} where organization_id = ${place.organization} and id = ${id}`;
    await setStatus(tx, place, 'running');
    await addImportJob(tx, place);
  });

/**
 * Tells the audit log of an import: not the name of its file, in which anything may stand. Answers the entry; it is
 * given the counts when the import ends.
 */
async function noteImport(
  core: Services,
  tx: Transaction,
  { user, organization, from }: Importing,
  { kind, row_count: rows }: Import,
  operation: 'imports.run' | 'imports.stop' | 'imports.undo',
): Promise<string> {
  const by = { kind: 'user', user, via: 'console', from } as const;
  const entry = { operation, resource: kind, detail: { counts: { rows } }, by };
  const row = rowOf(entry, core.clock.now().toISOString());
  await tx`${insertEntries(tx, organization.id, [row])}`;
  return row.id;
}

/** Ends it where it is; what was imported stays, and can be undone. */
export const stopImport = (core: Services, importing: Importing, id: string): Promise<void> =>
  changeImport(core, importing, { id, from: ['running'] }, async (tx, found) => {
    await noteImport(core, tx, importing, found, 'imports.stop');
    const stopped: Stopped = { key: 'import.stopped', values: { name: importing.user.name } };
    await finishImport(tx, { organization: importing.organization.id, id }, core.clock.now(), stopped);
  });

/** Removes what was uploaded, before anything of it was imported. */
export const discardImport = (core: Services, importing: Importing, id: string): Promise<void> =>
  changeImport(core, importing, { id, from: ['uploaded', 'checking', 'checked'] }, async (tx) => {
    await tx`delete from imports where organization_id = ${importing.organization.id} and id = ${id}`;
  });

/** Until when an import can be undone; undefined where it cannot be. */
export const undoUntil = ({
  status,
  finished_at,
}: Pick<Import, 'status' | 'finished_at'>): Date | undefined =>
  status === 'finished' && finished_at !== null
    ? new Date(Date.parse(finished_at) + limits.importUndoHours * 3_600_000)
    : undefined;

/**
 * Has the records that it made removed, where nobody has changed them since. Raises CONFLICT when its day is over.
 */
export const undoImport = (core: Services, importing: Importing, id: string): Promise<void> =>
  changeImport(core, importing, { id, from: ['finished'] }, async (tx, found) => {
    const place = { organization: importing.organization.id, id };
    const until = undoUntil(found);
    if (!until || until < core.clock.now()) {
      throw new Problem('import.undo_over', { hours: limits.importUndoHours });
    }
    await noteImport(core, tx, importing, found, 'imports.undo');
    await setStatus(tx, place, 'undoing');
    await addImportJob(tx, place);
  });

/** Raises NOT_FOUND, and CONFLICT where it is in none of these states. */
async function changeImport(
  core: Services,
  importing: Importing,
  { id, from }: { id: string; from: readonly ImportStatus[] },
  work: (tx: Transaction, found: Import) => Promise<void>,
): Promise<void> {
  await inTransaction(core.sql, async (tx) => {
    await tx`
      select 1 from imports where organization_id = ${importing.organization.id} and id = ${id} for update`;
    const found = await getImport({ sql: tx }, importing, id);
    if (!from.includes(found.status)) throw new Problem('import.changed');
    await work(tx, found);
  });
}

export const setStatus = (
  tx: Transaction,
  { organization, id }: ImportPlace,
  status: ImportStatus,
): PromiseLike<unknown> =>
  tx`update imports set status = ${status} where organization_id = ${organization} and id = ${id}`;

/** Its last row is done, or it ends before that. */
export async function finishImport(
  tx: Transaction,
  { organization, id }: ImportPlace,
  now: Date,
  stopped: Stopped | null = null,
): Promise<void> {
  const [ended] = await tx<Pick<Import, 'audit_entry_id'>[]>`
    update imports set status = 'finished', finished_at = ${now.toISOString()},
      stopped = ${stopped && JSON.stringify(stopped)}::text::jsonb
    where organization_id = ${organization} and id = ${id} and status = 'running' returning audit_entry_id`;
  if (ended) await noteCounts(tx, { organization, id }, ended);
}

/** Tells the entry of an import that has ended what became of its rows. */
async function noteCounts(
  tx: Transaction,
  { organization, id }: ImportPlace,
  { audit_entry_id: entry }: Pick<Import, 'audit_entry_id'>,
): Promise<void> {
  if (entry !== null) await tx`select note_import_counts(${organization}, ${id}, ${entry})`;
}

/** How many rows have fewer cells than there are headings. */
export async function countShortRows(
  { slowSql: sql }: Pick<Services, 'slowSql'>,
  { organization }: Importing,
  { id, headings }: Pick<Import, 'id' | 'headings'>,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from import_rows
    where organization_id = ${organization.id} and import_id = ${id} and cardinality(cells) < ${headings.length}`;
  return row?.count ?? 0;
}

export type RowState =
  | 'waiting'
  | 'ready'
  | 'faulty'
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'refused'
  | 'removed'
  | 'kept';

/** How many rows are in each state; a state that no row is in is absent. */
export async function countRows(
  sql: Statements,
  { organization, id }: ImportPlace,
): Promise<Partial<Record<RowState, number>>> {
  const rows = await sql<{ state: RowState; count: number }[]>`
    select state, count(*)::integer as count from import_rows
    where organization_id = ${organization} and import_id = ${id} group by state`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Ends what a worker was to do and may not: an import where it is, a check before anybody can say yes. */
export async function stopWork(
  tx: Transaction,
  { organization, id }: ImportPlace,
  now: Date,
  stopped: Stopped,
): Promise<void> {
  const [ended] = await tx<Pick<Import, 'audit_entry_id'>[]>`
    update imports
    set status = case when status = 'checking' then 'uploaded' else 'finished' end,
      finished_at = case when status = 'running' then ${now.toISOString()}::timestamptz else finished_at end,
      stopped = ${JSON.stringify(stopped)}::text::jsonb
    where organization_id = ${organization} and id = ${id} and status in ('checking', 'running')
    returning audit_entry_id`;
  if (ended) await noteCounts(tx, { organization, id }, ended);
}
