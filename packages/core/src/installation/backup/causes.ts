import postgres from 'postgres';
import { isTemporaryFailure } from '../../foundations/database/failures.ts';
import { OperatorError } from '../../foundations/operator.ts';

/** disk_full; also of what PostgreSQL sorts on the disk. */
const diskFull = '53100';

/**
 * What ended a backup or a restore, in words that say what to do.
 *
 * @param left what is there now of what was begun
 */
export function causeOf(error: unknown, left: string): unknown {
  if (error instanceof OperatorError) return error;
  if (error instanceof postgres.PostgresError && error.code === diskFull) {
    return new OperatorError(
      `The disk of the database is full (${error.message}): ${left}; make room there, then run this again`,
    );
  }
  if (isTemporaryFailure(error)) {
    return new OperatorError(
      `The connection to the database was lost (${messageOf(error)}): ${left}; run this again when the database answers`,
    );
  }
  if (!(error instanceof postgres.PostgresError)) return error;
  // What a statement was about can be a secret, so only PostgreSQL's sentence is told.
  return new OperatorError(`The database refused (${error.code}, ${error.message}): ${left}`);
}

/** What a failure says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
