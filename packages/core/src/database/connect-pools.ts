import { readinessLimits, slowConnections, slowRequestLimits } from '../operating-limits.ts';
import { connect, connectTo, type Database } from './connect.ts';
import { type DatabaseAddress, type DatabaseHost, parseDatabaseAddress } from './database-address.ts';
import { isTemporaryFailure } from './failures.ts';

/** The connections by which a process answers requests. */
export interface RequestPools {
  sql: Database;
  /** A small pool of its own for statements that take longer, so that they never starve the rest. */
  slowSql: Database;
  /** A connection of its own for the gauges of `/metrics`: they tell of the database also while requests fill the pools. */
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
 * The first of several servers that can be reached and takes writes. Where there is none, rejects with a failure that
 * will not pass by itself, if there was one, else with the last failure.
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
      failures.push(new Standby(server));
    } catch (error) {
      failures.push(error);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
  throw failures.find((each) => !isTemporaryFailure(each)) ?? failures.at(-1);
}

/** A server takes no writes yet. */
class Standby extends Error {
  override readonly name = 'Standby';
  /** PostgreSQL's own for it, read_only_sql_transaction. */
  readonly code = '25006';

  constructor({ host, port }: DatabaseHost) {
    super(`The server at ${host}:${port} is a standby`);
  }
}

/** Rejects where none of the servers of an address can be used, with the cause, which a pool of several does not tell. */
export async function requireServer(url: string): Promise<void> {
  await chooseServer(parseDatabaseAddress(url));
}
