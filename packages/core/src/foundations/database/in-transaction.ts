import { createHash } from 'node:crypto';
import { transactionTries } from '../operating-limits.ts';
import type { Database, Transaction } from './connect.ts';
import { isConcurrencyFailure, isForgottenStatement } from './failures.ts';
import { oneServer, type Placement } from './placement.ts';
import { send } from './postgres-js/asking.ts';

/** Tries where the server has forgotten prepared statements: each forgotten statement of a connection takes one. */
const triesOfForgotten = 100;

/**
 * What a work answers to have the commit go out with its last statement, which saves a round trip. Whatever must not
 * be committed, that statement refuses by failing.
 */
export class EndingWith<Result> {
  /** Not sent yet. */
  readonly last: PromiseLike<unknown>;
  /** Waits for it, and tells what the work answers. */
  readonly outcome: () => Promise<Result>;

  constructor(last: PromiseLike<unknown>, outcome: () => Promise<Result>) {
    this.last = last;
    this.outcome = outcome;
  }
}

/**
 * Runs work that happens wholly or not at all. On a pool it is a transaction, which runs again when it collides with
 * another one, so the work must change nothing but the database; within a transaction it is a savepoint.
 *
 * @param settings of a transaction, sent with its `begin`; behind a pooler there are none
 */
export async function inTransaction<Result>(
  sql: Database | Transaction,
  work: (tx: Transaction) => Promise<Result | EndingWith<Result>>,
  settings = '',
): Promise<Awaited<Result>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // As `unknown`, because postgres.js declares another type than the promise has.
      const result: unknown = await run(sql, work, settings);
      return result as Awaited<Result>;
    } catch (error) {
      if ('savepoint' in sql) throw error;
      if (attempt < transactionTries && isConcurrencyFailure(error)) continue;
      if (attempt < triesOfForgotten && isForgottenStatement(error)) continue;
      throw error;
    }
  }
}

/**
 * The same for a change. Its statements are always the same and find what they need by keys; some are large, and
 * PostgreSQL would plan them for their values each time, which takes longer than to run them
 * (docs/decisions/0046-changes-keep-their-plans.md). Behind a pooler nothing is prepared, so there is no plan to
 * keep.
 */
export const inChange = <Result>(
  { sql, placement = oneServer }: { readonly sql: Database; readonly placement?: Placement },
  work: (tx: Transaction) => Promise<Result | EndingWith<Result>>,
): Promise<Awaited<Result>> => inTransaction(sql, work, placement.ofChanges);

async function run<Result>(
  sql: Database | Transaction,
  work: (tx: Transaction) => Promise<Result | EndingWith<Result>>,
  settings: string,
): Promise<unknown> {
  let outcome: Promise<Result> | undefined;
  const untilLast = async (tx: Transaction): Promise<unknown> => {
    // It may be begun more than once.
    outcome = undefined;
    const result = await work(tx);
    if (!(result instanceof EndingWith)) return result;
    const sent = send(result.last);
    outcome = result.outcome();
    // It is waited for below.
    outcome.catch(() => {});
    return sent;
  };
  try {
    const result = await ('savepoint' in sql ? sql.savepoint(untilLast) : sql.begin(settings, untilLast));
    return outcome ? await outcome : result;
  } catch (error) {
    // It tells why there was nothing to commit.
    await outcome;
    throw error;
  }
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

/**
 * Takes the locks and finds what is to be looked at under them, which is asked for behind the locks without waiting
 * for their answer: PostgreSQL looks when it has them.
 */
export async function findLocked<Found>(
  tx: Transaction,
  numbers: readonly bigint[],
  find: () => PromiseLike<Found>,
): Promise<Found> {
  const [, found] = await Promise.all([lockAll(tx, numbers), find()]);
  return found;
}
