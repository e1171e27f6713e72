import { createHash } from 'node:crypto';
import { type Database, type Transaction, transactionSettingsOf, watchOf } from './connect.ts';
import {
  DatabaseSilent,
  isConcurrencyFailure,
  isForgottenStatement,
  isLostConnection,
  lostConnection,
} from './failures.ts';
import { noLimits, PoolWatch, type Settle } from './pool-watch.ts';
import { isConnectTimeout, mend } from './postgres-js.ts';

/** A transaction that collides with others is run again this often. */
const tries = 5;
/** One fails for each statement that the server has forgotten on a connection. */
const triesOfForgotten = 100;

/**
 * All or nothing: a transaction on a pool, run again when it collides with another one (so that the work tells what it
 * did by what it answers, never by what it changes outside); a savepoint where a transaction runs already, so that
 * what is one step alone can be part of a larger one.
 *
 * When the connection is lost, postgres.js rejects at once but still lets the work go on, and rolls back what is gone
 * already, by writing to a socket that is no more: an exception that nothing can catch (porsager/postgres#1208). So
 * work that lost its connection never ends, and what it still asks for is refused here.
 */
export async function inTransaction<Result>(
  sql: Database | Transaction,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Awaited<Result>> {
  // A savepoint shares the fate of its transaction.
  const fate = ('savepoint' in sql ? fates.get(sql) : newFate(sql)) ?? { lost: false, watch: unwatched };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(sql, fate, work);
    } catch (error) {
      if (isLostConnection(error)) fate.lost = true;
      if ('savepoint' in sql) throw error;
      if (attempt < tries && isConcurrencyFailure(error)) continue;
      if (attempt < triesOfForgotten && isForgottenStatement(error)) continue;
      throw error;
    }
  }
}

interface Fate {
  /** Nothing more can be done in this transaction. */
  lost: boolean;
  readonly watch: PoolWatch;
}
const fates = new WeakMap<Transaction, Fate>();

const newFate = (sql: Database): Fate => ({ lost: false, watch: watchOf(sql) ?? unwatched });

/** For a transaction that was not begun here. */
const unwatched = new PoolWatch(noLimits, async () => {});

/** Answers at the latest when the database has been silent for too long, whatever postgres.js still waits for. */
function runOnce<Result>(
  sql: Database | Transaction,
  fate: Fate,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Awaited<Result>> {
  const { watch } = fate;
  const settings = 'savepoint' in sql ? undefined : transactionSettingsOf(sql);
  const refusal = 'savepoint' in sql ? undefined : watch.refusal;
  if (refusal) return Promise.reject(refusal);
  return new Promise((resolve, reject) => {
    const giveUp = (error: DatabaseSilent): void => {
      fate.lost = true;
      reject(error);
    };
    let begun = false;
    let ended = false;
    // postgres.js begins, commits and rolls back by statements of its own.
    const step = (): Settle => watch.expect({ waits: () => !begun, giveUp });
    let settle = step();
    const guarded = async (tx: Transaction): Promise<Result> => {
      begun = true;
      settle();
      // It was given up while it waited for a connection.
      if (fate.lost) throw lostConnection();
      // Not waited for: the first statement of the work follows at once. When it fails, postgres.js fails the rest.
      if (settings) tx.unsafe(settings).catch(() => {});
      let failure: unknown;
      try {
        return await work(refusing(tx, fate));
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        if (failure instanceof DatabaseSilent) giveUp(failure);
        const outcome = failure instanceof DatabaseSilent ? await failure.settled : failure;
        if (isLostConnection(outcome)) await neverEnding();
        if (!ended) settle = step();
      }
    };
    const end = (error?: unknown): void => {
      ended = true;
      settle(error);
      if (isConnectTimeout(error)) watch.noteSilence();
    };
    // The types of postgres.js make more of a result than it does.
    const outcome: Promise<unknown> = 'savepoint' in sql ? sql.savepoint(guarded) : sql.begin(guarded);
    outcome.then(
      (result) => {
        end();
        resolve(result as Awaited<Result>);
      },
      (error) => {
        end(error);
        reject(error);
      },
    );
  });
}

const neverEnding = (): Promise<never> => new Promise(() => {});

/** The transaction, refusing statements once it is lost. */
function refusing(tx: Transaction, fate: Fate): Transaction {
  const mending = {
    watch: fate.watch,
    onGivenUp: () => {
      fate.lost = true;
    },
  };
  const guarded = new Proxy(tx, {
    apply(target, self, parts) {
      if (fate.lost) throw lostConnection();
      return mend(Reflect.apply(target, self, parts), mending);
    },
  });
  fates.set(guarded, fate);
  return guarded;
}

/** A 64-bit number for an advisory lock; two names meeting in one number only wait for each other. */
export function lockNumber(...names: string[]): bigint {
  return createHash('sha256').update(names.join('\0')).digest().readBigInt64BE();
}

/** Takes the locks until the transaction ends, always in the same order, so that two callers cannot deadlock. */
export async function lockAll(tx: Transaction, numbers: readonly bigint[]): Promise<void> {
  const sorted = [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1)).map(String);
  for (const number of sorted) await tx`select pg_advisory_xact_lock(${number})`;
}
