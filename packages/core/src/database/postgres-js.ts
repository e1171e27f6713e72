// postgres.js as the rest of the code may take it to be: what 3.4.9 lacks or does wrong is made good in this file alone,
// each where its issue is named. The version is pinned, and tests tell when a newer one needs less.
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
//   porsager/postgres#815   what several hosts need that fail over
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { isSocketFolder } from './database-address.ts';
import { DatabaseSilent, isLostConnection, lostConnection } from './failures.ts';
import type { PoolWatch, Settle } from './pool-watch.ts';

/** What `postgres` is to be given for a pool that `mendPool` mends. */
export const mendedOptions = (watch: PoolWatch, settings: Readonly<Record<string, string>>) => ({
  // Nobody handles the rejection of the statement that asks for them (#1192); `values.ts` says those that we use.
  fetch_types: false,
  connection: { ...settings, DateStyle: `ISO, MDY${blanks}` },
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
  const begin = <Result>(work: Work<Types, Result>): Promise<unknown> => {
    const { refusal } = watch;
    if (refusal) return Promise.reject(refusal);
    return runStep((guarded) => sql.begin(guarded), work, { watch, lost: false });
  };
  return new Proxy(sql, {
    apply: (target, self, parts) => mend(Reflect.apply(target, self, parts), { watch, alone: pooled }),
    get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)),
  });
}

type Work<Types extends Record<string, unknown>, Result> = (
  tx: postgres.TransactionSql<Types>,
) => Promise<Result>;

/** What a transaction and its savepoints share. */
interface Fate {
  /** Nothing more can be done in it. */
  lost: boolean;
  readonly watch: PoolWatch;
}

/**
 * Begins a transaction or a savepoint and runs its work. Answers at the latest when the database has been silent for
 * too long, whatever postgres.js still waits for (#824).
 *
 * When the connection is lost, postgres.js rejects at once but still lets the work go on, and rolls back what is gone
 * already, by writing to a socket that is no more: an exception that nothing can catch (#1208). So work that has lost
 * its connection never ends, and what it still asks for is refused here (#1186, #1216).
 */
function runStep<Types extends Record<string, unknown>, Result>(
  start: (work: Work<Types, Result>) => Promise<unknown>,
  work: Work<Types, Result>,
  fate: Fate,
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
        if (isLostConnection(outcome)) await neverEnding();
        if (!ended) settle = step();
      }
    };
    const end = (error?: unknown): void => {
      ended = true;
      settle(error);
      if (isConnectTimeout(error)) watch.noteSilence();
    };
    start(guarded).then(
      (result) => {
        end();
        resolve(result);
      },
      (error) => {
        end(error);
        if (isLostConnection(error)) fate.lost = true;
        reject(error);
      },
    );
  });
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

/** What a statement of postgres.js has that its types do not tell. */
interface Query {
  handler: (query: Query) => void;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  strings: readonly string[];
  args: readonly unknown[];
  /** Asked when a connection takes the statement: may it be given another statement meanwhile? */
  readonly options: { onexecute?: () => boolean };
  /** Null until a connection takes it. */
  readonly state: unknown;
}

interface Mending {
  watch: PoolWatch;
  /**
   * Called when a statement of a transaction is given up. Such a statement has its connection already, so it is never
   * refused.
   */
  onGivenUp?: () => void;
  /**
   * Nothing else may be sent on its connection until it is answered. Behind PgBouncer, postgres.js first asks for the
   * types of a statement, which belongs to no transaction yet, so PgBouncer could give the server to somebody else as
   * soon as the statement before is answered.
   */
  alone?: boolean;
}

const isQuery = (value: unknown): value is Query =>
  value instanceof Promise &&
  'handler' in value &&
  'resolve' in value &&
  'reject' in value &&
  'state' in value &&
  'options' in value &&
  typeof value.handler === 'function';

/**
 * Mends a statement before anybody sees it, and answers it. Fragments and names of tables pass through here, too, and
 * never run. It would wait for ever, for a connection and for an answer (#824).
 */
function mend<Statement>(statement: Statement, { watch, onGivenUp, alone }: Mending): Statement {
  if (!isQuery(statement)) return statement;
  const query: Query = statement;
  const { handler, resolve, reject } = query;
  if (alone) query.options.onexecute = () => false;
  let settle: Settle | undefined;
  query.handler = (self) => {
    const refusal = onGivenUp ? undefined : watch.refusal;
    if (refusal) return reject(refusal);
    settle = watch.expect({
      waits: () => query.state === null,
      giveUp(error) {
        // It still waits in the queue of postgres.js and will be sent later.
        if (query.state === null) becomeNothing(query);
        onGivenUp?.();
        reject(error);
      },
    });
    handler(self);
  };
  query.resolve = (result) => {
    settle?.();
    resolve(withoutHoles(result));
  };
  query.reject = (error) => {
    settle?.(error);
    if (isConnectTimeout(error)) watch.noteSilence();
    reject(error);
  };
  return statement;
}

const isConnectTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'CONNECT_TIMEOUT';

/**
 * Makes a statement that was given up do nothing when it is sent after all. It is not taken out of the queue, because
 * postgres.js would lose the connection that it makes for it.
 */
function becomeNothing(query: Query): void {
  query.strings = ['select'];
  query.args = [];
}

/**
 * When a statement fails or its connection breaks after the first rows came, the next result on that connection begins
 * with as many holes (#1181).
 */
function withoutHoles(result: unknown): unknown {
  if (!Array.isArray(result) || result.length === 0 || 0 in result) return result;
  const [first = '0'] = Object.keys(result);
  result.splice(0, Number(first));
  return result;
}

// When the server has forgotten a prepared statement (DEALLOCATE ALL, a pooler that gives the connection another
// server), or a table has changed under it, postgres.js 3.4.9 sends the statement again, with two faults that reach
// statements of its own as well. So they are mended for all its statements at once, where their class is.

interface Sent {
  readonly strings: readonly string[];
  resolve: (result: { readonly command: string }) => void;
  readonly reject: (error: unknown) => void;
  [kept]?: readonly unknown[];
  [prepared]?: boolean;
}

const kept = Symbol('parameters');
const prepared = Symbol('prepare');
const mended = new WeakSet<object>();

/** @param statement any statement of postgres.js; it does not run */
function mendRetries(statement: object): void {
  const all: unknown = Object.getPrototypeOf(statement);
  if (typeof all !== 'object' || all === null || mended.has(all)) return;
  mended.add(all);
  Object.defineProperties(all, { parameters, prepare });
}

/**
 * The values are replaced by their texts when they are sent, and these would be serialised once more: JSON as a text
 * of JSON, bytes as the text of their hexadecimal digits (#1197). So each time gets a copy of the values as given.
 */
const parameters: PropertyDescriptor & ThisType<Sent> = {
  get() {
    return this[kept]?.slice();
  },
  set(values: readonly unknown[]) {
    this[kept] = values;
  },
};

/**
 * The steps of a transaction are never prepared. A forgotten `commit` or `savepoint` fails, which ends the transaction;
 * then `commit` is a rollback that says nothing, and the caller would be told that all is well.
 */
const prepare: PropertyDescriptor & ThisType<Sent> = {
  get() {
    return this[prepared];
  },
  set(wanted: boolean) {
    const [text = ''] = this.strings;
    this[prepared] = wanted && !/^(commit$|rollback$|rollback to |savepoint )/.test(text);
    if (text === 'commit') refuseRollback(this);
  },
};

/**
 * A transaction in which a statement failed ends in a rollback, even if its work went on and asked for the commit; that
 * must not be reported as success (#1217).
 */
function refuseRollback(commit: Sent): void {
  const { resolve } = commit;
  commit.resolve = (result) => {
    if (result.command === 'COMMIT') resolve(result);
    else commit.reject(new Error('The transaction was rolled back, because a statement in it had failed'));
  };
}

/**
 * A socket that tells an error when it closes, not before. In between, postgres.js 3.4.9 gives further statements to
 * the dead connection, and never tells what became of them (#1215).
 */
class DatabaseSocket extends Socket {
  #error: unknown;

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'error') {
      this.#error = values[0];
      return true;
    }
    if (event === 'close' && this.#error !== undefined) super.emit('error', this.#error);
    return super.emit(event, ...values);
  }
}

/**
 * The pause before the same host of several is tried again, so that a pool does not try without end while none serves.
 */
const pauseMs = 200;

/**
 * Connects to the database, to one host of several after the other (#815). What fails is told by the socket.
 *
 * @param made hears of every socket
 */
function databaseSockets(
  made: (socket: Socket) => void,
): (server: { host: string[]; port: number[] }) => Socket | Promise<Socket> {
  let attempts = 0;
  const leftAt = new Map<number, number>();
  return ({ host: hosts, port: ports }) => {
    const at = attempts % hosts.length;
    attempts += 1;
    const host = hosts[at] ?? 'localhost';
    const port = ports[at] ?? 5432;
    const connect = (): Socket => {
      const socket = new DatabaseSocket();
      if (isSocketFolder({ host, port })) socket.connect(`${host}/.s.PGSQL.${port}`);
      else socket.connect(port, host);
      made(socket);
      socket.once('close', () => leftAt.set(at, performance.now()));
      // The host that the certificate must name: postgres.js reads `host`, Node reads `_host` where it is an IP
      // address.
      return Object.assign(socket, { host, _host: host });
    };
    const left = leftAt.get(at);
    if (hosts.length === 1 || left === undefined) return connect();
    const pause = left + pauseMs - performance.now();
    return pause > 0 ? sleep(pause).then(connect) : connect();
  };
}

/**
 * Longer than 1 KiB, as part of a connection's first message: postgres.js 3.4.9 then sends it at once. A shorter one
 * waits for a timer, and where a connection broke while something waited for it, that timer never comes again: every
 * later connection in that place would say nothing, and time out (#1209).
 */
const blanks = ' '.repeat(1024);
