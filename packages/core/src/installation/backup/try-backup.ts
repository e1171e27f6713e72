import type { Readable } from 'node:stream';
import postgres from 'postgres';
import { connect, type Database, type Transaction } from '../../foundations/database/connect.ts';
import { appliedNames } from '../../foundations/database/migrate.ts';
import { copyIn } from '../../foundations/database/postgres-js/copy.ts';
import { type CopiedTable, columnsOf, copiedTables, quoted } from '../../foundations/database/tables.ts';
import { backupTrialBytes, backupTrialMs, noLimits } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { damagedBackup, unusable } from './backup-file.ts';
import { causeOf } from './causes.ts';
import { openBackup, type ReadSection } from './read-backup.ts';
import { type RestorePlace, requireFitting } from './requirements.ts';
import { readMails } from './waiting-mails.ts';

export interface TrialOptions extends Omit<RestorePlace, 'changeEnvironment'> {
  /** Ends it before it is over. */
  signal?: AbortSignal;
  /** Rows that take more, as text, are not tried here. */
  mostBytes?: number;
}

export interface TriedBackup {
  tables: number;
  rows: number;
}

/**
 * Restores a backup into tables that only this connection sees and that end with it (PostgreSQL's temporary ones),
 * and counts what came. They are as the running ones, with every check, unique and foreign key; but not with plain
 * indexes, which take the most time and cannot fail. Needs no right but that of temporary tables, writes nothing to
 * the log that others replicate, holds no lock and no snapshot while rows come, and whatever ends it leaves nothing.
 * Raises OperatorError for a backup that could not be restored here, with this environment and its keys.
 *
 * @param url of any role that reads the tables, at PostgreSQL's own address
 */
export async function tryBackup(
  url: string,
  source: Readable,
  { signal, mostBytes = backupTrialBytes, ...place }: TrialOptions,
): Promise<TriedBackup> {
  const backup = await openBackup(source);
  await requireFitting(backup.header, { ...place, changeEnvironment: false });
  const limits = { ...noLimits, statementMs: backupTrialMs };
  const sql = connect(url, { connections: 1, name: 'dealkeep backup trial', limits });
  const late = AbortSignal.timeout(backupTrialMs);
  const ended = signal ? AbortSignal.any([signal, late]) : late;
  const end = (): void => void sql.end({ timeout: 0 }).catch(() => {});
  ended.addEventListener('abort', end);
  try {
    ended.throwIfAborted();
    const { tables, constraints } = await makeThrowawayTables(sql, backup.header.migrations);
    const most = { left: mostBytes };
    const sections = backup.sections();
    let step = await sections.next();
    for (; !step.done; step = await sections.next()) await fill(sql, tables, step.value, most);
    for (const name of tables.keys()) await sql.unsafe(`analyze pg_temp.${quoted(name)}`);
    for (const constraint of constraints) await sql.unsafe(constraint);
    const sums = step.value.sections.filter(({ name }) => tables.has(name));
    for (const { name, rows } of sums) await requireCount(sql, name, rows);
    return { tables: sums.length, rows: sums.reduce((sum, { rows }) => sum + rows, 0) };
  } catch (error) {
    signal?.throwIfAborted();
    if (late.aborted)
      throw new OperatorError(`The trial took longer than ${backupTrialMs / 3_600_000} hours`);
    throw trialCauseOf(error);
  } finally {
    ended.removeEventListener('abort', end);
    await sql.end({ timeout: 5 });
  }
}

function trialCauseOf(error: unknown): unknown {
  if (error instanceof postgres.PostgresError && error.code === insufficientPrivilege) {
    return new OperatorError(
      `The trial needs temporary tables, which the database refuses (${error.message}): grant temporary on database … to the role of DATABASE_URL`,
    );
  }
  return causeOf(error, 'nothing of the trial is left, and the backup was not tried to its end');
}

const insufficientPrivilege = '42501';

interface ThrowawayTables {
  tables: ReadonlyMap<string, CopiedTable>;
  /** What is made once the rows are there: unique ones first, because foreign keys lead to them. */
  constraints: readonly string[];
}

async function makeThrowawayTables(sql: Database, migrations: readonly string[]): Promise<ThrowawayTables> {
  return sql.begin(async (tx) => {
    const applied = await appliedNames(tx);
    if (applied.join() !== [...migrations].join()) {
      throw new OperatorError('The database was migrated since this backup: the next one is tried');
    }
    const all = await copiedTables(tx);
    // Before a table of the same name stands before the running one.
    const constraints = await readConstraints(
      tx,
      all.map(({ name }) => name),
    );
    for (const { name } of all) {
      const own = quoted(name);
      await tx.unsafe(
        `create temporary table ${own} (like public.${own} including constraints including generated)`,
      );
    }
    return { tables: new Map(all.map((table) => [table.name, table])), constraints };
  });
}

async function readConstraints(tx: Transaction, names: string[]): Promise<string[]> {
  const rows = await tx<{ make: string }[]>`
    select 1 as turn, c.relname,
           format('alter table pg_temp.%I add constraint %I %s', c.relname, conname, pg_get_constraintdef(con.oid)) as make
    from pg_constraint con join pg_class c on c.oid = conrelid
    where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'x') and relname = any (${names}::text[])
    union all
    select 2, c.relname, replace(pg_get_indexdef(indexrelid), ' ON public.', ' ON pg_temp.')
    from pg_index join pg_class c on c.oid = indrelid
    where relnamespace = 'public'::regnamespace and indisunique and relname = any (${names}::text[])
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    union all
    select 3, c.relname,
           format('alter table pg_temp.%I add constraint %I %s', c.relname, conname, pg_get_constraintdef(con.oid))
    from pg_constraint con join pg_class c on c.oid = conrelid
    where connamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0 and relname = any (${names}::text[])
    order by 1, 2, 3`;
  return rows.map(({ make }) => make);
}

async function fill(
  sql: Database,
  tables: ReadonlyMap<string, CopiedTable>,
  { section, data }: ReadSection,
  most: { left: number },
): Promise<void> {
  if (section.kind === 'mails') {
    for await (const _ of readMails(data)) {
      // Read as a restore reads it.
    }
    return;
  }
  const table = tables.get(section.name);
  if (table === undefined) throw unusable(`has a table that is not known here (${section.name})`);
  const columns = section.columns.map(quoted).join(', ');
  if (columns !== columnsOf(table)) throw unusable(`has other columns in ${table.name} than this version`);
  await copyIn(
    sql.unsafe(`copy pg_temp.${quoted(table.name)} (${columns}) from stdin`),
    measured(data, most),
  );
}

async function* measured(data: AsyncIterable<Buffer>, most: { left: number }): AsyncGenerator<Buffer> {
  for await (const chunk of data) {
    most.left -= chunk.length;
    if (most.left < 0) {
      throw new OperatorError(
        'The backup is too large to be tried beside what runs: restore it on another server from time to time, and set BACKUP_TRIAL=never',
      );
    }
    yield chunk;
  }
}

async function requireCount(sql: Database, name: string, rows: number): Promise<void> {
  const [row] = await sql.unsafe<{ count: number }[]>(
    `select count(*) as count from pg_temp.${quoted(name)}`,
  );
  if (row?.count !== rows) throw damagedBackup(`${name} came with ${row?.count} rows of ${rows}`);
}
