import pg from 'pg';
import { ourSchema } from './connect.ts';
import { queueLimits, type TimeLimits } from './time-limits.ts';

export interface JobPoolOptions {
  /** `queueLimits` when absent. */
  limits?: TimeLimits;
  /** Settings of PostgreSQL for these connections. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * Connections for graphile-worker, which the caller ends. With a pool of its own, graphile-worker does not wait until
 * that has ended, and a database that ends meanwhile would end the process.
 */
export function jobPool(
  url: string,
  connections: number,
  { limits = queueLimits, settings = {} }: JobPoolOptions = {},
): pg.Pool {
  const all = { search_path: ourSchema, ...settings };
  const pool = new pg.Pool({
    connectionString: readAsLibpq(url),
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

/**
 * Everybody else, postgres.js included, takes `sslmode=require` for encryption without a check of the certificate;
 * `pg` does so only when told.
 */
function readAsLibpq(url: string): string {
  const address = new URL(url);
  const mode = address.searchParams.get('sslmode');
  if (mode === 'require' || mode === 'prefer') address.searchParams.set('uselibpqcompat', 'true');
  return address.href;
}
