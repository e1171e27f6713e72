import type { Database } from './connect.ts';
import { isLockNotAvailable } from './failures.ts';

/**
 * An autovacuum, which may take hours, ends when somebody has waited for its table for `deadlock_timeout`, longer
 * than whoever keeps others from a table waits for it. So that is waited with a lock that keeps no reader and no
 * writer waiting; one that PostgreSQL does not end, as against wraparound, or a vacuum by hand, goes on.
 */
export async function endAutovacuums(sql: Database): Promise<void> {
  const tables = await sql<{ name: string; awaitedMs: string }[]>`
    select distinct relation::regclass::text as name,
           (select setting::integer + 500 from pg_settings where name = 'deadlock_timeout')::text as "awaitedMs"
    from pg_locks join pg_class on pg_class.oid = relation
    where mode = 'ShareUpdateExclusiveLock' and granted and pid <> pg_backend_pid() and relkind = 'r'
      and database = (select oid from pg_database where datname = current_database())
      and relnamespace in ('public'::regnamespace, to_regnamespace('graphile_worker'))`;
  for (const { name, awaitedMs } of tables) {
    const awaited = sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${awaitedMs}, true)`;
      await tx.unsafe(`lock table ${name} in share update exclusive mode`);
    });
    await awaited.catch((error: unknown) => {
      if (!isLockNotAvailable(error)) throw error;
    });
  }
}
