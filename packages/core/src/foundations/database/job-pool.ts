import pg from 'pg';
import { queueLimits, type TimeLimits } from '../operating-limits.ts';
import { ourSchema } from './connect.ts';
import { chooseServer } from './connect-pools.ts';
import {
  type DatabaseAddress,
  type DatabaseHost,
  isSocketFolder,
  offersTls,
  parseDatabaseAddress,
} from './database-address.ts';

export interface JobPoolOptions {
  /** `queueLimits` when absent. */
  limits?: TimeLimits;
  /** Settings of PostgreSQL for these connections. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * Connections for graphile-worker, which the caller ends. With a pool of its own, graphile-worker does not wait
 * until that has ended, and a database that ends meanwhile would end the process.
 */
export async function jobPool(
  url: string,
  connections: number,
  { limits = queueLimits, settings = {} }: JobPoolOptions = {},
): Promise<pg.Pool> {
  const all = { search_path: ourSchema, ...settings };
  const address = parseDatabaseAddress(url);
  const pool = new PoolOfJobs({
    ...(await serverOf(address)),
    ...(address.hosts.length > 1 ? { Client: clientOf(address) } : {}),
    max: connections,
    application_name: 'dealkeep jobs',
    options: Object.entries(all)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    statement_timeout: limits.statementMs,
    query_timeout: limits.answerMs,
    connectionTimeoutMillis: limits.connectMs,
  });
  // A lost connection is told by the statement that needed it, and by graphile-worker.
  const ignore = (): void => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (reason?: Error | boolean) => void,
) => void;

/**
 * Takes back a connection that is given back twice, where `pg` raises: graphile-worker does so with the one that
 * listens when it ends just as `LISTEN` fails, and as nobody awaits that, it would end the process.
 */
class PoolOfJobs extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) return super.connect();
    super.connect((error, client, done) => {
      let isBack = false;
      callback(error, client, (reason) => {
        // Without a connection there is nothing to give back, and a pool that has ended brings no way to do it.
        if (client && !isBack) done(reason);
        isBack = true;
      });
    });
    return undefined;
  }
}

/** Where to connect, in the form of `pg`, which knows one server only. */
async function serverOf(address: DatabaseAddress): Promise<pg.ClientConfig> {
  const server = await chooseServer(address);
  const { user, password, database } = address;
  return {
    ...server,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ssl: isSocketFolder(server) ? false : await encryptionOf(address, server),
  };
}

/** Asks for each connection anew which of several servers takes writes, as another one may have taken over. */
const clientOf = (address: DatabaseAddress): typeof pg.Client =>
  class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(
      callback?: (...answer: [Error] & [null, pg.Client]) => void,
    ): Promise<pg.Client> | undefined {
      const connected = chooseServer(address).then((server) => {
        Object.assign(this, server);
        return super.connect();
      });
      if (callback === undefined) return connected;
      connected.then(
        (client) => Reflect.apply(callback, undefined, [null, client]),
        (error) => Reflect.apply(callback, undefined, [error]),
      );
      return undefined;
    }
  };

async function encryptionOf(
  { sslMode }: DatabaseAddress,
  server: DatabaseHost,
): Promise<pg.ClientConfig['ssl']> {
  if (sslMode === 'verify-full') return true;
  if (sslMode === 'verify-ca') return { checkServerIdentity: () => undefined };
  if (sslMode === 'require') return { rejectUnauthorized: false };
  const wanted = sslMode !== 'disable' && (await offersTls(server));
  return wanted ? { rejectUnauthorized: false } : false;
}
