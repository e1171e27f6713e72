import { readinessLimits, slowConnections, slowRequestLimits } from '../operating-limits.ts';
import { connect, connectTo, type Database, type Transaction } from './connect.ts';
import { type DatabaseAddress, type DatabaseHost, parseDatabaseAddress } from './database-address.ts';
import { isLastingRefusal, isTemporaryFailure } from './failures.ts';
import { standby } from './postgres-js/connection.ts';

/** The connections by which a process answers requests. */
export interface RequestPools {
  sql: Database;
  /** A small pool of its own for statements that take longer, so that they never starve the rest. */
  slowSql: Database;
  /**
   * A connection of its own for the gauges of `/metrics`: they tell of the database also while requests fill the
   * pools.
   */
  gaugesSql: Database;
  /** A connection of its own to find out, soon, whether the database answers. */
  readinessSql: Database;
}

/** Pools that connect on first use. The caller ends each. */
export const connectPools = (url: string, connections: number): RequestPools => ({
  sql: connect(url, { connections, name: 'dealkeep' }),
  slowSql: connect(url, { connections: slowConnections, name: 'dealkeep slow', limits: slowRequestLimits }),
  gaugesSql: connect(url, { connections: 1, name: 'dealkeep gauges' }),
  readinessSql: connect(url, { connections: 1, name: 'dealkeep readiness', limits: readinessLimits }),
});

/**
 * The first of several servers that can be reached and takes writes. Where there is none, rejects with a failure
 * that will not pass by itself, if there was one, else with the last failure.
 */
export async function chooseServer({ hosts, ...address }: DatabaseAddress): Promise<DatabaseHost> {
  const [first, ...others] = hosts;
  if (others.length === 0) return first;
  const failures: unknown[] = [];
  for (const server of hosts) {
    const sql = connectTo(
      { ...address, hosts: [server] },
      { connections: 1, name: 'dealkeep choice', cautious: true },
    );
    try {
      const [row] = await sql`select pg_is_in_recovery() as standby`;
      if (row?.['standby'] === false) return server;
      failures.push(standby(server));
    } catch (error) {
      failures.push(error);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
  throw failures.find((each) => !isTemporaryFailure(each)) ?? failures.at(-1);
}

/**
 * Rejects where none of the servers of an address can be used, with the cause, which a pool of several does not
 * tell.
 */
export async function requireServer(url: string): Promise<void> {
  await chooseServer(parseDatabaseAddress(url));
}

/** Tries: a pooler may by chance give the same server connection several times. */
const rounds = 5;

/**
 * Whether an address leads through a pooler in transaction mode (PgBouncer, Odyssey, Supavisor, …), which gives each
 * transaction another connection of the server: prepared statements are then forgotten, locks and settings of a
 * session are anybody's, and who listens hears nothing. Seen by the process of the server that answers: on a
 * connection of one's own it stays the same, and nobody else has it. Rejects when the server cannot be reached.
 */
export async function isTransactionPooler(url: string): Promise<boolean> {
  const probe = (): Database => connect(url, { connections: 1, name: 'dealkeep start', cautious: true });
  const [one, other] = [probe(), probe()];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const before = await processOf(one);
      const shared = await other.begin(
        async (tx) => (await processOf(tx)) === before || (await processOf(one)) !== before,
      );
      if (shared) return true;
    }
    return false;
  } finally {
    await Promise.all([one, other].map((sql) => sql.end({ timeout: 1 })));
  }
}

/** Whether a pooler of any mode stands there that lets no settings through with which a connection begins. */
export async function refusesSettings(url: string): Promise<boolean> {
  const sql = connect(url, { connections: 1, name: 'dealkeep start' });
  try {
    await sql`select 1`;
    return false;
  } catch (error) {
    if (isLastingRefusal(error)) return true;
    throw error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * The schema in which a database finds tables first, as long as nobody says otherwise: through a pooler in
 * transaction mode only a transaction can.
 */
export async function firstSchema(url: string): Promise<string | null> {
  const sql = connect(url, { connections: 1, name: 'dealkeep start', cautious: true });
  try {
    const [row] = await sql<{ schema: string | null }[]>`select current_schema() as schema`;
    return row?.schema ?? null;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function processOf(sql: Database | Transaction): Promise<unknown> {
  const [row] = await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid');
  return row?.pid;
}
