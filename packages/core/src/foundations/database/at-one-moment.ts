import type { Database, Transaction } from './connect.ts';

/**
 * Reads everything as it is at one moment. Raises what the work raises, at once, and ends the connection with it:
 * the server may be in the middle of a copy, and would send all of it before it hears of a rollback.
 *
 * @param sql a pool of one connection, for this alone
 */
export function atOneMoment<Result>(
  sql: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const failed = Promise.withResolvers<never>();
  const read: Promise<unknown> = sql.begin(async (tx) => {
    try {
      await tx.unsafe('set transaction isolation level repeatable read, read only');
      return await work(tx);
    } catch (error) {
      failed.reject(error);
      sql.end({ timeout: 0 }).catch(() => {});
      return new Promise<never>(() => {});
    }
  });
  // postgres.js declares another type than the promise has.
  return Promise.race([failed.promise, read as Promise<Result>]);
}
