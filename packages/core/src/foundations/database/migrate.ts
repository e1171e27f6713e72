import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { migrationPatience, noLimits } from '../operating-limits.ts';
import { OperatorError } from '../operator.ts';
import { connect, type Database, type Statements } from './connect.ts';
import { distribute, isDistributed } from './distribute.ts';
import { endAutovacuums } from './end-autovacuums.ts';
import { isLockNotAvailable } from './failures.ts';
import { jobPool } from './job-pool.ts';
import { statementsOf } from './statements-of.ts';
import { lackOfTexts } from './text-support.ts';

const folder = new URL('../../../migrations/', import.meta.url);
/** What the migrations up to a certain one make of an empty database, in one place. */
const baseline = new URL('../../../baseline.sql', import.meta.url);
/** Any number; the same in every process that migrates. */
export const migrationLock = 4_711_001;

export interface MigrationStatus {
  applied: string[];
  pending: string[];
  /** Migrations of a newer version that this one lives with: it may run beside that, and again after it. */
  newer: string[];
  /** Migrations of a newer version that this one does not live with, or of another line of versions. */
  unknown: string[];
}

/**
 * What a migration says that takes something away: programs live with it that know a certain earlier one, because
 * they do without what it takes, and why. Every program lives with one that only adds, which says nothing.
 */
export function livedWith(text: string): { since: string; reason: string } | undefined {
  const [, since, reason] = /^-- Programs that know (\d{4}) live with it: (\S.{20,})$/m.exec(text) ?? [];
  return since === undefined || reason === undefined ? undefined : { since, reason };
}

export async function migrationNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

export async function appliedNames(sql: Statements): Promise<string[]> {
  const [table] = await sql`select to_regclass('public.migrations') is not null as present`;
  if (!table?.['present']) return [];
  const rows = await sql<{ name: string }[]>`select name from migrations order by name`;
  return rows.map((row) => row.name);
}

/** Which migrations the database has, which it still needs, and which this version does not know. */
export async function migrationStatus(sql: Database): Promise<MigrationStatus> {
  const [names, applied] = await Promise.all([migrationNames(), appliedNames(sql)]);
  const pending = names.filter((name) => !applied.includes(name));
  const others = applied.filter((name) => !names.includes(name));
  const last = names.at(-1) ?? '';
  const mayLive = pending.length === 0 && others.length > 0;
  const demanding = mayLive ? await namesThatDemandMoreThan(sql, last) : others;
  const livesWith = (name: string): boolean => mayLive && name > last && !demanding.includes(name);
  return {
    applied,
    pending,
    newer: others.filter(livesWith),
    unknown: others.filter((name) => !livesWith(name)),
  };
}

/** Those with which only programs live that know a later one. */
async function namesThatDemandMoreThan(sql: Database, last: string): Promise<string[]> {
  // A database that no version has migrated that writes this down lacks the column.
  const rows = await sql<{ name: string }[]>`
    select name from migrations where (to_jsonb(migrations) ->> 'lived_with_since') collate "C" > ${last}`;
  return rows.map(({ name }) => name);
}

/**
 * Migrations run in their order and only once, so a database that skipped one, or has one that this version neither
 * knows nor lives with, is none that this version can run on or bring up to date. Raises OperatorError.
 */
export function requireKnownMigrations({ applied, pending, unknown }: MigrationStatus): void {
  const [next] = pending;
  const [newer] = unknown;
  const later = next && applied.findLast((name) => name > next);
  if (newer === undefined && later === undefined) return;
  const reason = newer
    ? `it has ${newer}, which this version does not know`
    : `it has ${later}, but not the earlier ${next}`;
  throw new OperatorError(
    `The database was migrated by another version: ${reason}. Start that version, or restore a backup from before it.`,
  );
}

/** How long a migration may hold up others, and how long it goes on trying. */
export interface MigrationPatience {
  /**
   * A statement that waits for a lock keeps everybody waiting who comes after it, so it waits no longer than this;
   * then the migration begins anew.
   */
  lockMs: number;
  /** For all tries of one migration. */
  totalMs: number;
}

/**
 * Brings a database up to date. Two at once are safe: the second waits and then finds nothing to do. Raises
 * OperatorError, having changed nothing, for a database that another line of versions migrated or that cannot hold
 * our texts; and when another transaction keeps a lock for longer than the patience.
 *
 * @param upTo the last migration to run, for a backup of an older version; all of them when absent
 */
export async function migrate(
  url: string,
  patience: MigrationPatience = migrationPatience,
  upTo?: string,
): Promise<MigrationStatus> {
  const sql = connect(url, { connections: 1, name: 'dealkeep migrate', limits: noLimits });
  try {
    requireKnownMigrations(await migrationStatus(sql));
    const texts = await lackOfTexts(sql);
    if (texts) throw new OperatorError(`It cannot be migrated, since ${texts.lack}. ${texts.mend}`);
    await takeMigrationLock(sql);
    await findExtensions(sql);
    const status = await migrationStatus(sql);
    requireKnownMigrations(status);
    await waitForLocks(sql, patience.lockMs);
    if (status.pending.length > 0)
      await patiently(sql, 'the list of migrations', patience, () => prepareList(sql));
    const wanted = status.pending.filter((each) => upTo === undefined || each <= upTo);
    const rest = status.applied.length === 0 ? await startFromBaseline(sql, wanted, patience) : wanted;
    // A table of records that a migration makes goes where the others are, before the next one relies on it.
    const distributed = await isDistributed(sql);
    for (const name of rest) {
      const text = await readFile(new URL(name, folder), 'utf8');
      if (text.startsWith(eachByItself)) await runEach(sql, name, text, patience);
      else await patiently(sql, name, patience, () => runWhole(sql, name, text, { distributed }));
      if (distributed) await distribute(sql, () => {});
    }
    await patiently(sql, 'the queue of jobs', patience, () => migrateJobs(url, patience.lockMs));
    return await migrationStatus(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** What this list says, other versions read: a column may be added, none taken away. */
async function prepareList(sql: Database): Promise<void> {
  await sql`
    create table if not exists migrations (name text primary key, applied_at timestamptz(3) not null default now())`;
  const [column] = await sql`
    select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'lived_with_since'`;
  if (!column) await sql`alter table migrations add column lived_with_since text`;
}

const noteMigration = (sql: Statements, name: string, text: string): PromiseLike<unknown> =>
  sql`insert into migrations (name, lived_with_since) values (${name}, ${livedWith(text)?.since ?? null})`;

/**
 * Lets migrations find the operator classes of extensions, which an administrator may have installed into another
 * schema.
 */
async function findExtensions(sql: Database): Promise<void> {
  await sql`
    select set_config('search_path', concat_ws(', ', 'public', string_agg(distinct quote_ident(nspname), ', ')), false)
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname in ('btree_gist', 'pg_trgm') and nspname <> 'public'`;
}

/** Utility statements take no parameters, so the number stands in the text; 0 waits for ever. */
const waitForLocks = async (sql: Database, limitMs: number): Promise<void> =>
  void (await sql.unsafe(`set lock_timeout = ${limitMs}`));

async function runWhole(
  sql: Database,
  name: string,
  text: string,
  { distributed }: { distributed: boolean },
): Promise<void> {
  await sql.begin(async (tx) => {
    await noteMigration(tx, name, text);
    // Citus sends on the whole of what it was given for each change of a table in it, so it is given one at a time.
    for (const statement of distributed ? statementsOf(text) : [text]) await tx.unsafe(statement);
  });
}

/**
 * Makes of an empty database at once what the migrations for which the baseline stands would make of it one by one.
 * Answers those that are left: all of them where fewer are wanted than it stands for.
 */
async function startFromBaseline(
  sql: Database,
  wanted: readonly string[],
  patience: MigrationPatience,
): Promise<readonly string[]> {
  const text = await readFile(baseline, 'utf8');
  const [, last = ''] = /^-- Stands for the migrations up to (\S+\.sql)/.exec(text) ?? [];
  if (!wanted.includes(last)) return wanted;
  const [stoodFor, rest] = [wanted.filter((name) => name <= last), wanted.filter((name) => name > last)];
  await patiently(sql, 'the baseline', patience, async () => {
    await sql.begin(async (tx) => {
      for (const name of stoodFor)
        await noteMigration(tx, name, await readFile(new URL(name, folder), 'utf8'));
      await tx.unsafe(text);
    });
  });
  return rest;
}

/** Tries again, with room for everybody else in between, as long as somebody else holds a lock. */
async function patiently(
  sql: Database,
  what: string,
  { totalMs }: MigrationPatience,
  work: () => Promise<void>,
): Promise<void> {
  for (const end = performance.now() + totalMs; ; await setTimeout(lockTriedAgainMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isLockNotAvailable(error)) throw error;
      if (performance.now() < end) {
        await endAutovacuums(sql);
        continue;
      }
      throw new OperatorError(
        `The migration (${what}) waits for a lock that another transaction has held for too long: end that one (select * from pg_stat_activity where xact_start is not null order by xact_start)`,
        { help: { again: 'migrate' } },
      );
    }
  }
}

const lockTriedAgainMs = 500;

/**
 * The first line of a migration whose statements stand outside of a transaction, as `create index concurrently`
 * must.
 */
const eachByItself = '-- each statement by itself\n';

/**
 * Runs one statement after another. If interrupted, all of them run again, so each must be safe to repeat. They wait
 * for locks as long as they must, because what is built concurrently keeps nobody waiting.
 */
async function runEach(
  sql: Database,
  name: string,
  text: string,
  patience: MigrationPatience,
): Promise<void> {
  for (const statement of statementsOf(text)) {
    await waitForLocks(sql, /\sconcurrently\s/i.test(statement) ? 0 : patience.lockMs);
    await patiently(sql, name, patience, async () => void (await sql.unsafe(statement)));
  }
  await waitForLocks(sql, patience.lockMs);
  await noteMigration(sql, name, text);
}

/**
 * Polls for the lock: a statement that waits for it holds a snapshot, and `create index concurrently` of another
 * process waits until all snapshots end.
 */
async function takeMigrationLock(sql: Database): Promise<void> {
  for (;;) {
    const [row] = await sql`select pg_try_advisory_lock(${migrationLock}) as taken`;
    if (row?.['taken'] === true) return;
    await setTimeout(250);
  }
}

async function migrateJobs(url: string, lockMs: number): Promise<void> {
  // Imported here alone, because every command would take a tenth longer by it.
  const { runMigrations } = await import('graphile-worker');
  const pool = await jobPool(url, 1, { limits: noLimits, settings: { lock_timeout: String(lockMs) } });
  try {
    await runMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}
