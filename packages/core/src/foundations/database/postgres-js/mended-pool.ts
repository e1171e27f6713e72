// postgres.js as the rest of the code may take it to be: what 3.4.9 lacks or does wrong is made good in this folder
// alone, each where its issue is named. The version is pinned, and tests tell when a newer one needs less.
//
//   porsager/postgres#824   a statement waits for ever, for a connection and for an answer
//   porsager/postgres#1181  rows that follow a statement that failed begin with holes
//   porsager/postgres#1197  values are serialised twice when a statement is sent again
//   porsager/postgres#1217  a commit that was a rollback counts as success
//   porsager/postgres#1186  what waits in a transaction that is gone, waits for ever
//   porsager/postgres#1216  the work of a transaction that is gone goes on in another one
//   porsager/postgres#1208  the rollback of a transaction that is gone ends the process
//   porsager/postgres#1215  a connection that broke is given statements until it is closed
//   porsager/postgres#1209  a place in the pool whose connection broke gets no other
//   porsager/postgres#1192  a connection that breaks while it is asked for types ends the process
//   porsager/postgres#1173  `copy … from stdin` that fails at its end is never told
//   porsager/postgres#1016  a connection that was too quick in `copy … to stdout` says nothing any more
//   porsager/postgres#1189  a `begin` that fills a connection is sent on it, and so are the statements of all others
//   porsager/postgres#815   what several hosts need that fail over
//   porsager/postgres#1097  a pool with a connection that broke does not end
import type postgres from 'postgres';
import { NeverTaken, Outage } from '../outage.ts';
import type { PoolWatch } from '../pool-watch.ts';
import { PoolEnd } from './pool-end.ts';
import { mendRetries } from './sent-again.ts';
import { databaseSockets } from './sockets.ts';
import { isQuery, mend } from './statement.ts';
import { type Fate, followAtOnce, runStep, type Work } from './transaction-step.ts';

/** What `postgres` is to be given for a pool that `mendPool` mends. */
export const mendedOptions = (watch: PoolWatch, settings: Readonly<Record<string, string>>) => ({
  // Nobody handles the rejection of the statement that asks for them (#1192); `values.ts` says those that we use.
  fetch_types: false,
  connection: { ...settings, DateStyle: `ISO, MDY${blanks}` },
  // A connection is reserved for a `begin` only where there was room for more behind it (#1189), so there always is.
  max_pipeline: Number.MAX_SAFE_INTEGER,
  // Known to postgres.js, not to its types.
  socket: databaseSockets((socket) => watch.addSocket(socket)),
});

/**
 * A pool with everything mended about its statements and transactions.
 *
 * @param pooled behind a pooler in transaction mode
 */
export function mendPool<Types extends Record<string, unknown>>(
  sql: postgres.Sql<Types>,
  { watch, pooled }: { watch: PoolWatch; pooled: boolean },
): postgres.Sql<Types> {
  mendRetries(sql`select`);
  const outage = new Outage();
  const ending = new PoolEnd();
  let beginning: { readonly fate: Fate; readonly settings: string } | undefined;
  const { unsafe } = sql;
  // postgres.js itself begins transactions by it.
  Object.assign(sql, {
    unsafe: (text: string, ...asked: Tail<Parameters<typeof unsafe>>) => {
      const query: object = unsafe(beginning ? `${text}${beginning.settings}` : text, ...asked);
      if (!isQuery(query)) return query;
      if (beginning) followAtOnce(query, beginning.fate);
      else ending.count(query);
      return query;
    },
  });
  const begin = <Result>(...asked: Begun<Types, Result>): Promise<unknown> => {
    const [settings, work] = asked.length === 1 ? ['', asked[0]] : asked;
    const refusal = ending.refusal ?? watch.refusal;
    if (refusal) return Promise.reject(refusal);
    const over = ending.begin();
    const once = (): Promise<unknown> => {
      const fate: Fate = { watch, lost: false, over: false };
      const start = (guarded: Work<Types, Result>): Promise<unknown> => {
        beginning = { fate, settings };
        try {
          return sql.begin(guarded);
        } finally {
          beginning = undefined;
        }
      };
      return runStep(start, work, fate, outage).catch((error: unknown) => {
        if (!(error instanceof NeverTaken && outage.mayPass(error))) throw error;
        return outage.pause().then(once);
      });
    };
    return once().then(
      (result) => {
        over();
        return result;
      },
      (error) => {
        over(error);
        throw error;
      },
    );
  };
  const end = ({ timeout }: { timeout?: number } = {}): Promise<void> =>
    ending.end(timeout, (options) => sql.end(options));
  const own: ReadonlyMap<string | symbol, unknown> = new Map<string, unknown>([
    ['begin', begin],
    ['end', end],
  ]);
  return new Proxy(sql, {
    apply(target, self, parts) {
      const statement: object = Reflect.apply(target, self, parts);
      if (isQuery(statement)) ending.count(statement);
      return mend(statement, { watch, outage, alone: pooled });
    },
    get: (target, name) => own.get(name) ?? Reflect.get(target, name),
  });
}

/**
 * What a transaction is begun with: statements that go out with the `begin`, each behind a semicolon, and its work.
 */
type Begun<Types extends Record<string, unknown>, Result> =
  | [work: Work<Types, Result>]
  | [settings: string, work: Work<Types, Result>];

type Tail<All extends readonly unknown[]> = All extends [unknown, ...infer Rest] ? Rest : never;

/**
 * Longer than 1 KiB, as part of a connection's first message: postgres.js 3.4.9 then sends it at once. A shorter one
 * waits for a timer, and where a connection broke while something waited for it, that timer never comes again: every
 * later connection in that place would say nothing, and time out (#1209).
 */
const blanks = ' '.repeat(1024);
