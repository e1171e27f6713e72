import type postgres from 'postgres';
import { statementsOf } from '../../src/foundations/database/statements-of.ts';

/** Modes that keep others from writing, or from reading too. */
const heavy = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

/**
 * A row for each person, key or organization, or for what is rare, as mails were: read whole within milliseconds,
 * however large an installation is.
 */
const small = new Set([
  ...[
    'organizations',
    'users',
    'memberships',
    'roles',
    'console_sessions',
    'invitations',
    'invitation_tokens',
  ],
  ...[
    'api_keys',
    'webhooks',
    'pipelines',
    'stages',
    'lead_origins',
    'lost_reasons',
    'activity_types',
    'projects',
  ],
  ...[
    'project_stages',
    'booking_services',
    'booking_staff',
    'migrations',
    'installation',
    'secrets_keys',
    'processes',
    'mails',
  ],
]);

/**
 * What a migration, run in one transaction on a database that has the ones before it, does wrong: each statement
 * that reads a table while the transaction holds a heavy lock on one that was there before. PostgreSQL itself counts
 * and tells. The migration is committed.
 */
export async function lockedReads(sql: postgres.Sql, text: string): Promise<string[]> {
  const before = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  const big = new Set(before.map(({ name }) => name).filter((name) => !small.has(name)));
  const found: string[] = [];
  await sql.begin(async (tx) => {
    // The session may still have to tell of transactions before.
    let scansBefore = await scansOf(tx);
    for (const statement of statementsOf(text)) {
      const namesBefore = await namesOf(tx);
      await tx.unsafe(statement);
      const scans = await scansOf(tx);
      const locked = (await lockedBy(tx))
        .map((oid) => namesBefore.get(oid))
        .filter((name) => big.has(name ?? ''));
      const read = [...scans].filter(([oid, count]) => count > (scansBefore.get(oid) ?? 0));
      const bigRead = read.map(([oid]) => namesBefore.get(oid)).filter((name) => big.has(name ?? ''));
      if (locked.length > 0 && bigRead.length > 0) {
        found.push(`reads ${bigRead.join(', ')} while ${locked.join(', ')} is locked: ${statement.trim()}`);
      }
      scansBefore = scans;
    }
  });
  return found;
}

const namesOf = async (tx: postgres.TransactionSql): Promise<Map<string, string>> =>
  new Map(
    (
      await tx<{ oid: string; name: string }[]>`
        select oid::text, relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
    ).map(({ oid, name }) => [oid, name]),
  );

const scansOf = async (tx: postgres.TransactionSql): Promise<Map<string, number>> =>
  new Map(
    (
      await tx<{ oid: string; count: number }[]>`
        select relid::text as oid, (seq_scan + coalesce(idx_scan, 0))::integer as count
        from pg_stat_xact_user_tables where schemaname = 'public'`
    ).map(({ oid, count }) => [oid, count]),
  );

const lockedBy = async (tx: postgres.TransactionSql): Promise<string[]> =>
  (
    await tx<{ oid: string }[]>`
      select distinct relation::text as oid from pg_locks
      where pid = pg_backend_pid() and locktype = 'relation' and mode = any(${heavy})`
  ).map(({ oid }) => oid);
