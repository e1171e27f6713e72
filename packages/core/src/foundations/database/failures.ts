import postgres from 'postgres';

const concurrencyCodes = new Set(['40001', '40P01', '23503']);

/**
 * Raised to have a transaction run again from its beginning: what it was to lock is another row by now, and together
 * with those that it holds already, the two would be locked in an order in which others deadlock with it.
 */
export class LockedTooEarly extends Error {
  override readonly name = 'LockedTooEarly';
}

/**
 * Serialization failure, deadlock, or what was locked too early, or a reference to what another transaction has just
 * removed: run again, the same transaction may succeed, or be refused with the reason.
 */
export const isConcurrencyFailure = (error: unknown): boolean =>
  error instanceof LockedTooEarly ||
  // A process of the version before has made another contact primary meanwhile: it locks the company instead.
  breaksConstraint(error, 'contacts_primary') ||
  (error instanceof postgres.PostgresError && concurrencyCodes.has(error.code));

/**
 * The server has forgotten a prepared statement, or a table has changed under it. postgres.js sends the statement
 * again by itself, which is of no use in a transaction: that has failed already.
 */
export const isForgottenStatement = (error: unknown): boolean =>
  error instanceof postgres.PostgresError &&
  (error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery'));

/**
 * What a constraint is called. Where a table is distributed, each part of it has constraints of its own, whose names
 * end in the part's number, and are cut to what PostgreSQL allows with it; and Citus tells such a name in the
 * message alone, at its end.
 */
const nameOf = ({ constraint_name, message }: postgres.PostgresError): string =>
  (constraint_name ?? /"([^"]*)"[^"]*$/.exec(message)?.[1] ?? '').replace(/_\d{6,}$/, '');

/** A unique (23505) or exclusion (23P01) constraint of this name was broken. */
export const breaksConstraint = (error: unknown, constraint: string): boolean =>
  error instanceof postgres.PostgresError &&
  (error.code === '23505' || error.code === '23P01') &&
  nameOf(error) === constraint;

/** What was to be removed is referred to elsewhere, or a reference leads to nothing (23503). */
export const breaksReference = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '23503';

/** A check (23514) of such a name was not met. */
export const breaksCheck = (error: unknown, constraint: RegExp): boolean =>
  error instanceof postgres.PostgresError && error.code === '23514' && constraint.test(nameOf(error));

/** Why a statement has refused itself by `refuse` (DK001, migration 0074); undefined where it did not. */
export const refusedFor = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError && error.code === 'DK001' ? error.message : undefined;

/**
 * Somebody else holds a lock for longer than `lock_timeout` (55P03). Also of the driver that graphile-worker takes.
 */
export const isLockNotAvailable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';

/** What an operator does about such a lock. */
export const lockMend =
  'end that transaction (select * from pg_stat_activity where xact_start is not null order by xact_start), then run this again';

/** A statement was ended by its time limit, or by somebody (57014). */
export const isCanceled = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '57014';

/** The values are to blame: they are refused (SQLSTATE classes 22 and 23), or are none that could be sent. */
export const isOfValues = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof postgres.PostgresError && /^2[23]/.test(error.code));

/** A statement was given up, or refused, because the database does not answer. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent';
  readonly code = 'DATABASE_SILENT';

  constructor() {
    super('The database does not answer');
  }
}

/**
 * The server takes no writes (25006): it is a standby, or was set to read only (`default_transaction_read_only`), as
 * some providers do when a disk is nearly full.
 */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '25006';

const temporaryCodes = new Set([
  'DATABASE_SILENT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
// Shutting down, starting up, took too long, waited too long for a lock, too many connections, out of disk or
// memory, read-only standby.
const temporaryStates = /^(57P0[1-5]|57014|55P03|53|08|25006|25P03)/;

/** The connection of a statement or a transaction is gone. */
export class LostConnection extends Error {
  override readonly name = 'LostConnection';
  /** As postgres.js calls it. */
  readonly code: 'CONNECTION_CLOSED' | 'CONNECTION_DESTROYED';

  constructor(code: LostConnection['code'] = 'CONNECTION_CLOSED') {
    super('The connection to the database is gone');
    this.code = code;
  }
}

/** What was to be written is of an organization that is being moved to another installation, or was. */
export const isOfMovingOrganization = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.constraint_name === 'organization_moves';

/** What no further try changes, as PgBouncer says it of itself, or of the server's refusal that it passes on. */
const lastingRefusals =
  /authentication failed|no such (user|database)|does not exist|unsupported|not allowed|not permitted|config error|certificate|TLS|SSL/i;

/**
 * A pooler refuses what the address says, such as a password. PgBouncer says everything by 08P01, also that it has
 * no connection of PostgreSQL now: only its words tell the two apart. What it says otherwise may pass.
 */
export const isLastingRefusal = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '08P01' && lastingRefusals.test(error.message);

/** The database is not to be reached just now; the request may be tried again. */
export function isTemporaryFailure(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTemporaryFailure);
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return temporaryCodes.has(error.code) || temporaryStates.test(error.code);
}
