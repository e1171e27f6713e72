import postgres from 'postgres';

const concurrencyCodes = new Set(['40001', '40P01']);

/** Serialization failure or deadlock: the same transaction may succeed when run again. */
export const isConcurrencyFailure = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && concurrencyCodes.has(error.code);

/** A unique (23505) or exclusion (23P01) constraint of this name was broken. */
export const breaksConstraint = (error: unknown, constraint: string): boolean =>
  error instanceof postgres.PostgresError &&
  (error.code === '23505' || error.code === '23P01') &&
  error.constraint_name === constraint;

const temporaryCodes = new Set([
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
// Shutting down, starting up, too many connections, out of disk or memory, read-only standby.
const temporaryStates = /^(57P0[1-5]|53|08|25006|25P03)/;

/** The database is not to be reached just now; the request may be tried again. */
export function isTemporaryFailure(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTemporaryFailure);
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return temporaryCodes.has(error.code) || temporaryStates.test(error.code);
}
