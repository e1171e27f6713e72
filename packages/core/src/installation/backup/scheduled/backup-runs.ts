import { hostname } from 'node:os';
import type { Statements } from '../../../foundations/database/connect.ts';
import { backupRunsKeptDays } from '../../../foundations/operating-limits.ts';

/** What runs of one kind have come to. */
export interface BackupRun {
  file: string;
  /** The machine that it was made on. */
  host: string;
  started_at: string;
  /** Null when it has succeeded. */
  failure: string | null;
  bytes: number | null;
}

/** Of backups by the clock, and of their trials: the last run, and the last that succeeded. */
export interface BackupStatus {
  backup: { last: BackupRun | null; good: BackupRun | null };
  trial: { last: BackupRun | null; good: BackupRun | null };
}

type Kind = keyof BackupStatus;

/** The last in their order, which is not always that of a clock. */
export async function backupStatus(sql: Statements): Promise<BackupStatus> {
  const rows = await sql<(BackupRun & { kind: Kind; is_last: boolean })[]>`
    with ended as (select * from backup_runs where ended_at is not null)
    select kind, file, host, started_at, failure, bytes,
           id in (select max(id) from ended group by kind) as is_last
    from ended
    where id in (select max(id) from ended group by kind)
       or id in (select max(id) from ended where failure is null group by kind)`;
  const of = (kind: Kind, wanted: (run: (typeof rows)[number]) => boolean): BackupRun | null => {
    const found = rows.find((run) => run.kind === kind && wanted(run));
    if (!found) return null;
    const { file, host, started_at, failure, bytes } = found;
    return { file, host, started_at, failure, bytes };
  };
  const standing = (kind: Kind) => ({
    last: of(kind, ({ is_last }) => is_last),
    good: of(kind, ({ failure }) => failure === null),
  });
  return { backup: standing('backup'), trial: standing('trial') };
}

/** Answers the id by which its end is noted. */
export async function noteRun(sql: Statements, kind: Kind, file: string, now: Date): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into backup_runs (kind, file, host, started_at)
    values (${kind}, ${file}, ${hostname()}, ${now.toISOString()}) returning id`;
  if (!row) throw new Error('An insert gave no row');
  return row.id;
}

export async function noteEnd(
  sql: Statements,
  id: number,
  now: Date,
  {
    failure = null,
    bytes = null,
    rows = null,
  }: { failure?: string | null; bytes?: number | null; rows?: number | null },
): Promise<void> {
  await sql`
    update backup_runs set ended_at = ${now.toISOString()}, failure = ${failure}, bytes = ${bytes}, rows = ${rows}
    where id = ${id}`;
}

/** A run that was ended on purpose says nothing of backups. */
export const forgetRun = async (sql: Statements, id: number): Promise<void> =>
  void (await sql`delete from backup_runs where id = ${id}`);

/** While nobody runs: notes of what has no end that it has failed, and forgets what was long ago. */
export async function settleRuns(sql: Statements, now: Date): Promise<void> {
  const failure = 'Its process ended before it did';
  await sql`
    update backup_runs set ended_at = ${now.toISOString()}, failure = ${failure} where ended_at is null`;
  await sql`
    delete from backup_runs
    where started_at < ${now.toISOString()}::timestamptz - make_interval(days => ${backupRunsKeptDays})
      and (kind = 'trial' or failure is not null or removed_at is not null)
      and id not in (select max(id) from backup_runs where failure is null group by kind)`;
}

/** The names of all files that were begun, and of those of them that became whole, the newest name first. */
export async function knownFiles(sql: Statements): Promise<{ begun: Set<string>; whole: string[] }> {
  const rows = await sql<{ file: string; whole: boolean }[]>`
    select file, bool_or(ended_at is not null and failure is null) as whole
    from backup_runs where kind = 'backup' group by file order by file desc`;
  return {
    begun: new Set(rows.map(({ file }) => file)),
    whole: rows.filter(({ whole }) => whole).map(({ file }) => file),
  };
}

export const noteRemoved = async (sql: Statements, file: string, now: Date): Promise<void> =>
  void (await sql`update backup_runs set removed_at = ${now.toISOString()} where kind = 'backup' and file = ${file}`);
