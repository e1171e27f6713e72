import type postgres from 'postgres';
import { isQuery, type Query } from './statement.ts';
import type { Work } from './transaction-step.ts';

/**
 * Runs a statement of a transaction, and waits only until it is on its way: what is asked for then follows it at
 * once. Where it has to wait its turn, waits for its answer. Raises where it could not be sent.
 */
export function send(statement: PromiseLike<unknown>): Promise<void> {
  if (!isQuery(statement)) throw new Error('Only a statement can be sent');
  const query: Query & PromiseLike<unknown> = statement;
  const { handler, reject } = query;
  return new Promise((onItsWay, failed) => {
    query.reject = (error) => {
      failed(error);
      reject(error);
    };
    query.handler = (self) => {
      handler(self);
      if (query.state !== null) onItsWay();
    };
    query.then(() => onItsWay(), failed);
  });
}

/** A statement that was sent, or will be at once. */
export interface Sending {
  /** What is asked for from then on follows it. */
  readonly onItsWay: Promise<void>;
  readonly done: Promise<unknown>;
}

/**
 * A transaction whose statements each follow another one, where there is one: they are sent after it, without
 * waiting for its answer, and raise what it failed with. A savepoint begins behind it, so that undoing to it does
 * not undo that one.
 */
export const goingAfter = <Types extends Record<string, unknown>>(
  tx: postgres.TransactionSql<Types>,
  sendBefore: () => Sending | undefined,
): postgres.TransactionSql<Types> =>
  new Proxy(tx, {
    apply(target, self, parts) {
      const query: unknown = Reflect.apply(target, self, parts);
      if (isQuery(query)) follow(query, sendBefore);
      return query;
    },
    get: (target, name) =>
      name === 'savepoint'
        ? async <Result>(work: Work<Types, Result>) => {
            await sendBefore()?.done;
            return target.savepoint(work);
          }
        : Reflect.get(target, name),
  });

function follow(query: Query, sendBefore: () => Sending | undefined): void {
  const { handler, resolve, reject } = query;
  query.handler = (self) => {
    let before: Sending | undefined;
    try {
      before = sendBefore();
    } catch (error) {
      // The transaction is lost.
      return reject(error);
    }
    if (!before) return handler(self);
    const { done } = before;
    query.resolve = (result) => void done.then(() => resolve(result), reject);
    query.reject = (error) => void done.then(() => reject(error), reject);
    before.onItsWay.then(() => handler(self), query.reject);
  };
}
