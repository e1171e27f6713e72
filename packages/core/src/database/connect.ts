import postgres from 'postgres';
import { momentOf } from './moment.ts';

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
};

export type Types = { moment: string; date: string; decimal: number; bigint: number };
export type Database = postgres.Sql<Types>;
export type Transaction = postgres.TransactionSql<Types>;
/** Either; what a statement runs on. */
export type Statements = postgres.ISql<Types>;
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/**
 * All or nothing: a transaction on a pool, a savepoint where a transaction runs already, so that what is one step
 * alone can be part of a larger one.
 */
export function inTransaction<Result>(
  sql: Database | Transaction,
  work: (tx: Transaction) => Promise<Result>,
) {
  return 'savepoint' in sql ? sql.savepoint(work) : sql.begin(work);
}

export interface ConnectOptions {
  /** Connections at most. */
  connections: number;
  /** Shown in pg_stat_activity. */
  name: string;
}

/** A pool. Connections are made on first use; statements are prepared unless PgBouncer stands between. */
export function connect(url: string, options: ConnectOptions): Database {
  return postgres(url, {
    max: options.connections,
    types,
    idle_timeout: 0,
    connect_timeout: 10,
    max_lifetime: null,
    onnotice: () => {},
    connection: {
      application_name: options.name,
      TimeZone: 'UTC',
      // An API process that hangs in the middle of a request frees its locks after a minute.
      idle_in_transaction_session_timeout: 60_000,
    },
  });
}
