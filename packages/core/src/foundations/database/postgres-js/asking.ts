import type postgres from 'postgres';
import { asQuery, isQuery, type Query } from './statement.ts';

/**
 * postgres.js's own, whose statements are given to somebody else than the pool that has made them.
 *
 * @param own what it has besides, or instead
 */
export const asking = <Sql extends { unsafe(...asked: never[]): unknown }>(
  sql: Sql,
  handler: Query['handler'],
  own: Readonly<Record<string, unknown>>,
): Sql => {
  const given = (statement: unknown): unknown => {
    if (isQuery(statement)) statement.handler = handler;
    return statement;
  };
  const unsafe = (...asked: never[]): unknown => given(sql.unsafe(...asked));
  const all: ReadonlyMap<string | symbol, unknown> = new Map(Object.entries({ unsafe, ...own }));
  return new Proxy(sql, {
    apply: (target, self, parts) => given(Reflect.apply(Object(target), self, parts)),
    get: (target, name) => all.get(name) ?? Reflect.get(target, name),
    has: (target, name) => all.has(name) || Reflect.has(target, name),
  });
};

/** Sends a statement before anything that is asked for later. */
export function sendNow(statement: PromiseLike<unknown>): Query {
  const query = asQuery(statement);
  query.executed = true;
  query.handler(query);
  return query;
}

/** Sends a statement and waits until it is on its way: what is asked for then follows it. */
export async function send(statement: PromiseLike<unknown>): Promise<void> {
  const { state } = sendNow(statement);
  // Where it waits its turn, it may still turn out that it cannot be sent.
  if (state === null) await statement;
}

/**
 * A transaction whose statements each follow another one, where there is one: they are sent after it, without
 * waiting for its answer, and raise what it failed with. A savepoint begins behind it, so that undoing to it does
 * not undo that one.
 *
 * @param sendBefore sends that one; what it answers is fulfilled or rejected as that is
 */
export function goingAfter<Types extends Record<string, unknown>>(
  tx: postgres.TransactionSql<Types>,
  sendBefore: () => Promise<unknown> | undefined,
): postgres.TransactionSql<Types> {
  const { handler } = asQuery(tx.unsafe(''));
  const follow = (query: Query): void => {
    const before = sendBefore();
    if (before) {
      const { resolve, reject } = query;
      query.resolve = (result) => void before.then(() => resolve(result), reject);
      query.reject = (error) => void before.then(() => reject(error), reject);
    }
    handler(query);
  };
  return asking(tx, follow, {
    savepoint: async (work: Parameters<typeof tx.savepoint>[1]) => {
      await sendBefore();
      return tx.savepoint(work);
    },
  });
}
