import type { Database } from '@dealkeep/core/foundations';

const whoWait = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** How many sessions of a database wait for a lock, on whichever of its servers. */
export const lockWaits = (sql: Database): Promise<number> => onAllServers(sql, `select count(*) ${whoWait}`);

/** Ends them as an administrator does; answers how many there were. */
export const endLockWaits = (sql: Database): Promise<number> =>
  onAllServers(sql, `select count(pg_terminate_backend(pid)) ${whoWait}`);

/** The sum of what a query counts. */
async function onAllServers(sql: Database, query: string): Promise<number> {
  const [citus] = await sql`select from pg_extension where extname = 'citus'`;
  const counts = citus
    ? await sql<{ count: string }[]>`select result as count from run_command_on_all_nodes(${query})`
    : await sql.unsafe<{ count: string }[]>(query);
  return counts.reduce((sum, { count }) => sum + Number(count), 0);
}
