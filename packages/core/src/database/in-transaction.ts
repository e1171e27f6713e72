import type { Database, Transaction } from './connect.ts';
import { isConcurrencyFailure, isLostConnection, lostConnection } from './failures.ts';
import { withWholeResult } from './whole-result.ts';

/** A transaction that collides with others is run again this often. */
const tries = 5;

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
  const fate = ('savepoint' in sql ? fates.get(sql) : undefined) ?? { lost: false };
  const guarded = async (tx: Transaction): Promise<Result> => {
    try {
      return await work(refusing(tx, fate));
    } catch (error) {
      if (isLostConnection(error)) return neverEnding();
      throw error;
    }
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await ('savepoint' in sql ? sql.savepoint(guarded) : sql.begin(guarded));
      return result as Awaited<Result>;
    } catch (error) {
      if (isLostConnection(error)) fate.lost = true;
      if (!('savepoint' in sql) && attempt < tries && isConcurrencyFailure(error)) continue;
      throw error;
    }
  }
}

interface Fate {
  lost: boolean;
}
const fates = new WeakMap<Transaction, Fate>();

const neverEnding = (): Promise<never> => new Promise(() => {});

/** The transaction, refusing statements once it is lost. */
function refusing(tx: Transaction, fate: Fate): Transaction {
  const guarded = new Proxy(tx, {
    apply(target, self, parts) {
      if (fate.lost) throw lostConnection();
      return withWholeResult(Reflect.apply(target, self, parts));
    },
  });
  fates.set(guarded, fate);
  return guarded;
}
