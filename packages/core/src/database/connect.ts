import postgres from 'postgres';
import { arrayTypes } from './arrays.ts';
import { blanks, databaseSockets } from './database-socket.ts';
import { momentOf } from './moment.ts';
import { withWholeResult } from './whole-result.ts';

/**
 * Types as the API shows them, so that rows need no further conversion: `timestamptz` is an RFC 3339 text in UTC with
 * milliseconds, `date` a YYYY-MM-DD text, `numeric` and `bigint` are numbers (amounts end at 10^12, versions far
 * below 2^53).
 */
const types = {
  moment: {
    to: 1184,
    from: [1184],
    serialize: (value: string) => value,
    parse: momentOf,
  },
  date: { to: 1082, from: [1082], serialize: (value: string) => value, parse: (text: string) => text },
  decimal: { to: 1700, from: [1700], serialize: String, parse: Number },
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  ...arrayTypes,
};

export type Types = {
  moment: string;
  date: string;
  decimal: number;
  bigint: number;
  texts: string[];
  integers: number[];
};
export type Database = postgres.Sql<Types>;
export type Transaction = postgres.TransactionSql<Types>;
/** Either; what a statement runs on. */
export type Statements = postgres.ISql<Types>;
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

export interface ConnectOptions {
  /** Connections at most. */
  connections: number;
  /** Shown in pg_stat_activity. */
  name: string;
  /** Settings of PostgreSQL for these connections. */
  settings?: Readonly<Record<string, string>>;
}

/** An API process that hangs in the middle of a request frees its locks after a minute. */
const commonSettings: Readonly<Record<string, string>> = {
  idle_in_transaction_session_timeout: `60000${blanks}`,
};

const endListeners = new WeakMap<Database, () => void>();

/** Calls back whenever a connection of the pool has ended, as all do when another server takes over. */
export function onConnectionEnd(sql: Database, listener: () => void): void {
  endListeners.set(sql, listener);
}

/** A pool. Connections are made on first use; statements are prepared unless PgBouncer stands between. */
export function connect(url: string, options: ConnectOptions): Database {
  const sql = postgres(url, {
    max: options.connections,
    types,
    idle_timeout: 0,
    // Seconds. The default grows to twenty, so that a database that is back would long be called away.
    backoff: () => 0.2,
    fetch_types: false,
    connect_timeout: 10,
    max_lifetime: null,
    // Known to postgres.js, not to its types.
    ...{ socket: databaseSockets() },
    onnotice: () => {},
    onclose: () => endListeners.get(pool)?.(),
    connection: {
      application_name: options.name,
      TimeZone: 'UTC',
      ...commonSettings,
      ...options.settings,
    },
  });
  const pool = new Proxy(sql, {
    apply: (target, self, parts) => withWholeResult(Reflect.apply(target, self, parts)),
  });
  return pool;
}
