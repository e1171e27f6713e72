import type postgres from 'postgres';
import { DatabaseSilent, isLostConnection, lostConnection } from '../failures.ts';
import type { Outage } from '../outage.ts';
import type { PoolWatch, Settle } from '../pool-watch.ts';
import { type Connection, isConnectTimeout, mend, type Query } from './statement.ts';

export type Work<Types extends Record<string, unknown>, Result> = (
  tx: postgres.TransactionSql<Types>,
) => Promise<Result>;

/** What a transaction and its savepoints share. */
export interface Fate {
  /** Nothing more can be done in it. */
  lost: boolean;
  /** It never began, and its connection is somebody else's, or it has ended with its connection. */
  over: boolean;
  readonly watch: PoolWatch;
}

/**
 * Begins a transaction or a savepoint and runs its work. Answers at the latest when the database has been silent for
 * too long, whatever postgres.js still waits for (#824).
 *
 * When the connection is lost, postgres.js rejects at once but still lets the work go on, and rolls back what is
 * gone already, by writing to a socket that is no more: an exception that nothing can catch (#1208). So work that
 * has lost its connection never ends, and what it still asks for is refused here (#1186, #1216).
 *
 * @param outage of a transaction, which begins once more where it could not and the server may be back soon
 */
export function runStep<Types extends Record<string, unknown>, Result>(
  start: (work: Work<Types, Result>) => Promise<unknown>,
  work: Work<Types, Result>,
  fate: Fate,
  outage?: Outage,
): Promise<unknown> {
  const { watch } = fate;
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
    const guarded: Work<Types, Result> = async (tx) => {
      begun = true;
      settle();
      // It was given up while it waited for a connection.
      if (fate.lost) throw lostConnection();
      let failure: unknown;
      try {
        return await work(refusing(tx, fate));
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        if (failure instanceof DatabaseSilent) giveUp(failure);
        const outcome = failure instanceof DatabaseSilent ? await failure.settled : failure;
        if (fate.over || isLostConnection(outcome)) await neverEnding();
        if (!ended) settle = step();
      }
    };
    const end = (error?: unknown): void => {
      ended = true;
      settle(error);
      if (isConnectTimeout(error)) watch.noteSilence();
    };
    const run = (): Promise<unknown> =>
      start(guarded).catch((error: unknown) => {
        if (begun || fate.lost || !outage?.mayPass(error)) throw error;
        return outage.pause().then(run);
      });
    run().then(
      (result) => {
        end();
        outage?.over();
        resolve(result);
      },
      (error) => {
        end(error);
        if (isLostConnection(error)) {
          fate.lost = true;
          fate.over = true;
        }
        reject(error);
      },
    );
  });
}

/**
 * Lets the work of a transaction go on when its `begin` is sent, so that its first statement goes out with it:
 * postgres.js waits for the answer first, which is a round trip and a wake-up of the server for nothing. Should the
 * `begin` fail, that first statement has run alone, and no other one follows.
 */
export function followAtOnce(begin: Query, fate: Fate): void {
  const { resolve, reject } = begin;
  const { onexecute } = begin.options;
  let taken: Connection | undefined;
  begin.options.onexecute = (connection) => {
    onexecute?.(connection);
    taken = connection;
    const { queue } = connection;
    // By then postgres.js has put it with those that take no statement until they have answered.
    queueMicrotask(() => {
      connection.queue.remove(connection);
      queue.push(connection);
      connection.queue = queue;
      resolve([]);
    });
    return false;
  };
  begin.resolve = () => {};
  begin.reject = (error) => {
    if (taken) {
      fate.lost = true;
      fate.over = true;
      taken.onclose?.(error);
    }
    reject(error);
  };
}

const neverEnding = (): Promise<never> => new Promise(() => {});

/** The transaction, refusing statements once it is lost. */
function refusing<Types extends Record<string, unknown>>(
  tx: postgres.TransactionSql<Types>,
  fate: Fate,
): postgres.TransactionSql<Types> {
  const mending = {
    watch: fate.watch,
    onGivenUp: () => {
      fate.lost = true;
    },
  };
  const savepoint = <Result>(work: Work<Types, Result>): Promise<unknown> =>
    runStep((guarded) => tx.savepoint(guarded), work, fate);
  return new Proxy(tx, {
    apply(target, self, parts) {
      if (fate.lost) throw lostConnection();
      return mend(Reflect.apply(target, self, parts), mending);
    },
    get: (target, name) => (name === 'savepoint' ? savepoint : Reflect.get(target, name)),
  });
}
