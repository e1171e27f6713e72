import type { ConnectionOptions } from 'node:tls';
import postgres from 'postgres';
import { idleTransactionMs, requestLimits, type TimeLimits } from '../operating-limits.ts';
import { type DatabaseAddress, isSocketFolder, parseDatabaseAddress } from './database-address.ts';
import { asking } from './postgres-js/asking.ts';
import { Pool } from './postgres-js/pool.ts';
import { runTransaction, type Work } from './postgres-js/transaction.ts';
import { arrayTypes, momentOf } from './values.ts';

/**
 * Types as the API shows them, so that rows need no further conversion: `timestamptz` is an RFC 3339 text in UTC
 * with milliseconds, `date` a YYYY-MM-DD text, `numeric` and `bigint` are numbers (amounts end at 10^12, versions
 * far below 2^53).
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
/** A pool. What else postgres.js's own have (`listen`, `subscribe`, `reserve`) would go past ours. */
export interface Database
  extends postgres.ISql<Types>,
    Pick<postgres.Sql<Types>, 'begin' | 'end' | 'options'> {}
export type Transaction = postgres.TransactionSql<Types>;
/** A pool or a transaction: what a statement runs on. */
export type Statements = postgres.ISql<Types>;
export type Fragment = postgres.PendingQuery<postgres.Row[]>;
/** A statement that answers such rows, and can stand inside another one. */
export type Rows<Row extends object> = postgres.PendingQuery<Row[]>;
/** Any statement or part of one, to stand inside another. */
export type Nested = postgres.Fragment;

export interface ConnectOptions {
  /** Connections at most. */
  connections: number;
  /** Shown in pg_stat_activity. */
  name: string;
  /**
   * Connects as a pooler in transaction mode needs it, whatever the address says, to find out whether one stands
   * there.
   */
  cautious?: boolean;
  /** How long the work may take; `requestLimits` when absent. */
  limits?: TimeLimits;
  /** Settings of PostgreSQL for these connections. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * Where our tables are. PostgreSQL would look first in a schema that is named like the role, which somebody may have
 * made for anything.
 */
export const ourSchema = 'public';

const commonSettings = ({ statementMs }: TimeLimits): Readonly<Record<string, string>> => ({
  search_path: ourSchema,
  idle_in_transaction_session_timeout: String(idleTransactionMs),
  // Told also where it is 0, since a role may have a limit of its own.
  statement_timeout: String(statementMs),
});

/** Whether an address says that statements must not be prepared: a pooler in transaction mode stands there. */
export const isPooled = (url: string): boolean => !parseDatabaseAddress(url).prepare;

const pools = new WeakMap<Database, Pool>();

/** Statements and transactions of a pool that wait for a connection. */
export const waitingIn = (sql: Database): number => pools.get(sql)?.waiting ?? 0;

const asStatements = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `; set local ${name} = '${value}'`)
    .join('');

/** As postgres.js takes it. */
function encryptionOf({ hosts, sslMode }: DatabaseAddress): false | 'prefer' | ConnectionOptions {
  if (sslMode === 'disable' || hosts.some(isSocketFolder)) return false;
  // A word, which postgres.js compares.
  if (sslMode === 'allow' || sslMode === 'prefer') return 'prefer';
  if (sslMode === 'require') return { rejectUnauthorized: false };
  // `verify-ca` checks who signed the certificate, not the name in it.
  return sslMode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {};
}

/** A pool. Connections are made on first use; statements are prepared unless PgBouncer stands between. */
export const connect = (url: string, options: ConnectOptions): Database =>
  connectTo(parseDatabaseAddress(url), options);

/** A pool, as `connect` makes it, for an address that was read already. */
export function connectTo(address: DatabaseAddress, options: ConnectOptions): Database {
  const { connections, limits = requestLimits, name } = options;
  const { hosts, user, password, database } = address;
  const pooled = options.cautious || !address.prepare;
  const own = { ...commonSettings(limits), ...options.settings };
  const settings = {
    max: connections,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ssl: encryptionOf(address),
    types,
    prepare: !pooled,
    // Asked for on every connection; `values.ts` says those that we use.
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => {},
    connection: {
      ...address.settings,
      application_name: name,
      DateStyle: 'ISO, MDY',
      TimeZone: 'UTC',
      ...(pooled ? {} : own),
    },
  };
  // It makes statements, and never a connection.
  const sql: postgres.Sql<Types> = postgres(settings);
  const pool = new Pool({ settings, hosts, connections, limits, alone: pooled });
  const begin = <Result>(...asked: [work: Work<Types, Result>] | [string, Work<Types, Result>]) => {
    const [further, work] = asked.length === 1 ? ['', asked[0]] : asked;
    // Behind a pooler the next statement may run on another connection of the server, and a pooler refuses settings
    // that it does not know when a connection begins.
    return runTransaction(pool, sql, { beginning: `begin${pooled ? asStatements(own) : further}`, work });
  };
  const connected = asking(sql, pool.ask, {
    begin,
    end: (within?: { readonly timeout?: number }) => pool.end(within),
  });
  pools.set(connected, pool);
  return connected;
}
