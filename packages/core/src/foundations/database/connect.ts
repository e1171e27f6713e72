import type { ConnectionOptions } from 'node:tls';
import postgres from 'postgres';
import { idleTransactionMs, requestLimits, type TimeLimits } from '../operating-limits.ts';
import { type DatabaseAddress, isSocketFolder, parseDatabaseAddress } from './database-address.ts';
import { PoolWatch } from './pool-watch.ts';
import { mendedOptions, mendPool } from './postgres-js/mended-pool.ts';
import { encryptedSockets } from './postgres-js/sockets.ts';
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
export type Database = postgres.Sql<Types>;
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

/**
 * What a pool's transactions begin with: behind a pooler the next statement may run on another connection of the
 * server, and a pooler refuses settings that it does not know when a connection begins.
 */
const settingsOfTransactions = new WeakMap<Database, string>();

export const transactionSettingsOf = (sql: Database): string | undefined => settingsOfTransactions.get(sql);

const watches = new WeakMap<Database, PoolWatch>();

/** Statements and transactions of a pool that wait for a connection. */
export const waitingIn = (sql: Database): number => watches.get(sql)?.waiting ?? 0;

const asStatements = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set local ${name} = '${value}'`)
    .join('; ');

/** Where to connect, in the form of postgres.js. `object`, because its types know no lists of hosts. */
function serverOf({ hosts, user, password, database, sslMode }: DatabaseAddress): object {
  return {
    host: hosts.map(({ host }) => host),
    port: hosts.map(({ port }) => port),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ssl: hosts.some(isSocketFolder) ? false : encryptionOf(sslMode),
    // `primary` and not `read-write`: postgres.js would judge the latter by `default_transaction_read_only`, which
    // is off on a standby, too.
    ...(hosts.length > 1 ? { target_session_attrs: 'primary' as const } : {}),
  };
}

/** As postgres.js takes it: what is to be asked for encryption, and how its sockets are made. */
function encryptionOf(mode: DatabaseAddress['sslMode']): false | 'prefer' | ConnectionOptions {
  if (mode === 'disable') return false;
  // A word, which postgres.js compares.
  if (mode === 'allow' || mode === 'prefer') return 'prefer';
  if (mode === 'require') return { ...encryptedSockets, rejectUnauthorized: false };
  // `verify-ca` checks who signed the certificate, not the name in it.
  if (mode === 'verify-ca') return { ...encryptedSockets, checkServerIdentity: () => undefined };
  return encryptedSockets;
}

/** A pool. Connections are made on first use; statements are prepared unless PgBouncer stands between. */
export const connect = (url: string, options: ConnectOptions): Database =>
  connectTo(parseDatabaseAddress(url), options);

/** A pool, as `connect` makes it, for an address that was read already. */
export function connectTo(address: DatabaseAddress, options: ConnectOptions): Database {
  const { limits = requestLimits } = options;
  const watch: PoolWatch = new PoolWatch(limits, async () => void (await sql`select 1`));
  const pooled = options.cautious || !address.prepare;
  const settings = { ...commonSettings(limits), ...options.settings };
  const sql: Database = postgres({
    ...serverOf(address),
    max: options.connections,
    types,
    idle_timeout: 0,
    // In seconds. The default grows to twenty, so that a database would be reported as away for so long after it is
    // back.
    backoff: () => 0.2,
    ...(pooled ? { prepare: false } : {}),
    connect_timeout: limits.connectMs / 1000,
    max_lifetime: null,
    onnotice: () => {},
    ...mendedOptions(watch, {
      ...address.settings,
      application_name: options.name,
      TimeZone: 'UTC',
      ...(pooled ? {} : settings),
    }),
  });
  const pool = mendPool(sql, { watch, pooled });
  watches.set(pool, watch);
  if (pooled) settingsOfTransactions.set(pool, asStatements(settings));
  return pool;
}
