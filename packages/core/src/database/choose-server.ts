import { connectTo } from './connect.ts';
import { type DatabaseAddress, type DatabaseHost, parseDatabaseAddress } from './database-address.ts';
import { isTemporaryFailure } from './failures.ts';

/**
 * Of several servers the first that can be reached and takes writes. Where there is none, rejects with what will not
 * pass by itself, else with the last failure.
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
