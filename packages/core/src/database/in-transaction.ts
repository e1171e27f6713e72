import { createHash } from 'node:crypto';
import { transactionTries } from '../operating-limits.ts';
import { type Database, type Transaction, transactionSettingsOf } from './connect.ts';
import { isConcurrencyFailure, isForgottenStatement } from './failures.ts';

/** Tries where the server has forgotten prepared statements: each forgotten statement of a connection takes one. */
const triesOfForgotten = 100;

/**
 * All or nothing: a transaction on a pool, run again when it collides with another one (so that the work tells what it
 * did by what it answers, never by what it changes outside); a savepoint where a transaction runs already, so that
 * what is one step alone can be part of a larger one.
 */
export async function inTransaction<Result>(
  sql: Database | Transaction,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Awaited<Result>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // As `unknown`, because postgres.js declares another type than the promise has.
      const result: unknown = await ('savepoint' in sql ? sql.savepoint(work) : begin(sql, work));
      return result as Awaited<Result>;
    } catch (error) {
      if ('savepoint' in sql) throw error;
      if (attempt < transactionTries && isConcurrencyFailure(error)) continue;
      if (attempt < triesOfForgotten && isForgottenStatement(error)) continue;
      throw error;
    }
  }
}

function begin<Result>(sql: Database, work: (tx: Transaction) => Promise<Result>): Promise<unknown> {
  const settings = transactionSettingsOf(sql);
  if (!settings) return sql.begin(work);
  return sql.begin((tx) => {
    // Not waited for: the first statement of the work follows at once. When it fails, postgres.js fails the rest.
    tx.unsafe(settings).catch(() => {});
    return work(tx);
  });
}

/** A 64-bit number for an advisory lock; two names meeting in one number only wait for each other. */
export function lockNumber(...names: string[]): bigint {
  return createHash('sha256').update(names.join('\0')).digest().readBigInt64BE();
}

/** Takes the locks until the transaction ends, always in the same order, so that two callers cannot deadlock. */
export async function lockAll(tx: Transaction, numbers: readonly bigint[]): Promise<void> {
  const sorted = [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1)).map(String);
  if (sorted.length === 0) return;
  await tx`select pg_advisory_xact_lock(number::bigint) from unnest(${sorted}::text[]) as each (number)`;
}
