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
//   porsager/postgres#1173  `copy … from stdin` that fails at its end is never told
//   porsager/postgres#1016  a connection that was too quick in `copy … to stdout` says nothing any more
//   porsager/postgres#1189  a `begin` that fills a connection is sent on it, and so are the statements of everybody else
//   porsager/postgres#815   what several hosts need that fail over
import { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import type postgres from 'postgres';
import { faultOf, type SpanOutcome, tracing } from '../tracing.ts';
import { isSocketFolder } from './database-address.ts';
import { DatabaseSilent, isLostConnection, lostConnection } from './failures.ts';
import { NeverTaken, Outage } from './outage.ts';
import type { PoolWatch, Settle } from './pool-watch.ts';

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
  let beginning: { readonly fate: Fate; readonly settings: string } | undefined;
  const { unsafe } = sql;
  // postgres.js itself begins transactions by it.
  Object.assign(sql, {
    unsafe: (text: string, ...asked: Tail<Parameters<typeof unsafe>>) => {
      const query: unknown = unsafe(beginning ? `${text}${beginning.settings}` : text, ...asked);
      if (beginning && isQuery(query)) followAtOnce(query, beginning.fate);
      return query;
    },
  });
  const begin = <Result>(...asked: Begun<Types, Result>): Promise<unknown> => {
    const [settings, work] = asked.length === 1 ? ['', asked[0]] : asked;
    const { refusal } = watch;
    if (refusal) return Promise.reject(refusal);
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
    return once();
  };
  return new Proxy(sql, {
    apply: (target, self, parts) =>
      mend(Reflect.apply(target, self, parts), { watch, outage, alone: pooled }),
    get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)),
  });
}

type Work<Types extends Record<string, unknown>, Result> = (
  tx: postgres.TransactionSql<Types>,
) => Promise<Result>;

/** What a transaction is begun with: statements that go out with the `begin`, each behind a semicolon, and its work. */
type Begun<Types extends Record<string, unknown>, Result> =
  | [work: Work<Types, Result>]
  | [settings: string, work: Work<Types, Result>];

type Tail<All extends readonly unknown[]> = All extends [unknown, ...infer Rest] ? Rest : never;

/** What a transaction and its savepoints share. */
interface Fate {
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
 * When the connection is lost, postgres.js rejects at once but still lets the work go on, and rolls back what is gone
 * already, by writing to a socket that is no more: an exception that nothing can catch (#1208). So work that has lost
 * its connection never ends, and what it still asks for is refused here (#1186, #1216).
 *
 * @param outage of a transaction, which begins once more where it could not and the server may be back soon
 */
function runStep<Types extends Record<string, unknown>, Result>(
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

/** A connection of postgres.js, and the queue of those like it. */
interface Connection {
  queue: { remove(connection: Connection): void; push(connection: Connection): void };
  onclose?: ((error: unknown) => void) | null;
}

/**
 * Lets the work of a transaction go on when its `begin` is sent, so that its first statement goes out with it: postgres.js
 * waits for the answer first, which is a round trip and a wake-up of the server for nothing. Should the `begin` fail, that
 * first statement has run alone, and no other one follows.
 */
function followAtOnce(begin: Query, fate: Fate): void {
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

const ofTransaction = Symbol('of a transaction');

/** What a statement of postgres.js has that its types do not tell. */
interface Query {
  /** The text with its placeholders, once it was sent. */
  readonly string?: string;
  handler: (query: Query) => void;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  strings: readonly string[];
  args: readonly unknown[];
  /** Asked when a connection takes the statement: may it be given another statement meanwhile? */
  readonly options: { onexecute?: (connection: Connection) => boolean };
  /** Null until a connection takes it. */
  readonly state: unknown;
  [ofTransaction]?: boolean;
}

interface Mending {
  watch: PoolWatch;
  /** Of a statement that has no connection yet: it is asked for once more where none could be made. */
  outage?: Outage;
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
function mend<Statement>(statement: Statement, mending: Mending): Statement {
  if (!isQuery(statement)) return statement;
  const { handler } = statement;
  // Most are fragments, so all else is done when it runs.
  statement.handler = (query) => runMended(query, handler, mending);
  return statement;
}

function runMended(
  query: Query,
  handler: Query['handler'],
  { watch, outage, onGivenUp, alone }: Mending,
): void {
  const { resolve, reject } = query;
  if (alone) query.options.onexecute = () => false;
  if (onGivenUp) query[ofTransaction] = true;
  else if (watch.refusal) {
    reject(watch.refusal);
    return;
  }
  let isGivenUp = false;
  let asked = query;
  const settle = watch.expect({
    waits: () => asked.state === null,
    giveUp(error) {
      isGivenUp = true;
      // It still waits in the queue of postgres.js and will be sent later.
      if (asked.state === null) becomeNothing(asked);
      onGivenUp?.();
      reject(error);
    },
  });
  // What nobody waits for in a request, such as a look at the queue each second, is not told.
  const span = tracing?.isWithin ? tracing.begin({ name: 'statement', kind: 'client' }) : undefined;
  query.resolve = (result) => {
    settle();
    outage?.over();
    span?.end(statementOf(asked));
    resolve(withoutHoles(result));
  };
  query.reject = (error) => {
    const wasTaken = asked.state !== null && !(error instanceof NeverTaken);
    if (!wasTaken && !isGivenUp && outage?.mayPass(error)) {
      asked = unsent(asked);
      outage.pause().then(() => (isGivenUp ? undefined : handler(asked)));
      return;
    }
    settle(error);
    span?.end({ ...statementOf(asked), fault: faultOf(error) });
    if (isConnectTimeout(error)) watch.noteSilence();
    reject(error);
  };
  handler(query);
}

/**
 * The same statement, to be sent by another connection. The one that ended still has the former, and would answer it by what it
 * hears first when it is made anew.
 */
function unsent(query: Query): Query {
  const { resolve, reject } = query;
  query.resolve = query.reject = () => {};
  const copy: Query = Object.create(Object.getPrototypeOf(query), Object.getOwnPropertyDescriptors(query));
  return Object.assign(copy, { resolve, reject, state: null });
}

/** Its text has placeholders where values go, so it tells nothing of them. */
function statementOf({ string = '' }: Query): SpanOutcome {
  const text = string.replaceAll(/\s+/g, ' ').trim().slice(0, tracedTextLength);
  const [operation = 'statement'] = /^\w+/.exec(text) ?? [];
  return {
    name: operation.toUpperCase(),
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
  };
}

const tracedTextLength = 2000;

/**
 * Runs a statement of a transaction, and waits only until it is on its way: what is asked for then follows it at once.
 * Where it has to wait its turn, waits for its answer. Raises where it could not be sent.
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

/** The bytes of a `copy … to stdout`, to be read to their end: a connection that is left in the middle is lost. */
export async function* copyOut(statement: postgres.PendingQuery<postgres.Row[]>): AsyncGenerator<Buffer> {
  const rows: Readable = await statement.readable();
  yield* rows;
  // postgres.js pauses the socket while too much waits, and forgets that when the last of it has come (#1016).
  rows._read(0);
}

/** Runs a `copy … from stdin` with these bytes. */
export async function copyIn(
  statement: postgres.PendingQuery<postgres.Row[]>,
  data: AsyncIterable<Buffer>,
): Promise<void> {
  if (!isQuery(statement)) throw new Error('Only a statement can be copied into');
  const query: Query & postgres.PendingQuery<postgres.Row[]> = statement;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const { resolve, reject } = query;
  // The statement counts as answered once it takes bytes; what comes of them is told to nobody (#1173). It may have failed
  // before anybody has got hold of its stream, which is closed then.
  query.resolve = (into) => {
    if (into instanceof Writable) into.on('error', failed.reject);
    resolve(into);
  };
  query.reject = (error) => {
    failed.reject(error);
    reject(error);
  };
  const into = await query.writable();
  const copied = pipeline(Readable.from(data, { objectMode: false }), into);
  await Promise.race([
    failed.promise,
    copied.catch((error: unknown) => Promise.race([failed.promise, Promise.reject(error)])),
  ]);
}

/** A statement that was sent, or will be at once. */
export interface Sending {
  /** What is asked for from then on follows it. */
  readonly onItsWay: Promise<void>;
  readonly done: Promise<unknown>;
}

/**
 * A transaction whose statements each follow another one, where there is one: they are sent after it, without waiting for its
 * answer, and raise what it failed with. A savepoint begins behind it, so that undoing to it does not undo that one.
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
  cancelled: unknown;
  [ofTransaction]?: boolean;
  [first]?: unknown;
  [kept]?: readonly unknown[];
  [prepared]?: boolean;
}

const kept = Symbol('parameters');
const prepared = Symbol('prepare');
const first = Symbol('retried');
const mended = new WeakSet<object>();

/** @param statement any statement of postgres.js; it does not run */
function mendRetries(statement: object): void {
  const all: unknown = Object.getPrototypeOf(statement);
  if (typeof all !== 'object' || all === null || mended.has(all)) return;
  mended.add(all);
  Object.defineProperties(all, { parameters, prepare, retried });
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
 * A statement that failed in a transaction is not sent again: that can only fail, too, and behind a commit that was sent
 * already it would be carried out alone.
 */
const retried: PropertyDescriptor & ThisType<Sent> = {
  get() {
    return this[first];
  },
  set(error: unknown) {
    this[first] = error;
    if (!this[ofTransaction]) return;
    // postgres.js looks at it before it sends.
    this.cancelled = true;
    this.reject(error);
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
 * the dead connection, and never tells what became of them (#1215). Nor does it tell what PgBouncer said before it closed.
 */
class DatabaseSocket extends Socket {
  #error: unknown;
  #lastHeard: unknown;

  constructor() {
    // postgres.js asks before each statement whether the socket has room, as it asks about the connection (#1189). What waits
    // to be written waits in memory in any case.
    super(writesAll);
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'data') [this.#lastHeard] = values;
    if (event === 'error') {
      this.#error = values[0];
      return true;
    }
    if (event === 'close') {
      const error = NeverTaken.saidBy(this.#lastHeard) ?? this.#error;
      if (error !== undefined) super.emit('error', error);
    }
    return super.emit(event, ...values);
  }

  /**
   * postgres.js pauses it while whoever reads a `copy … to stdout` is slow, and has it wait for ever then for a server that
   * waits to be read.
   */
  override end(...last: unknown[]): this {
    Reflect.apply(super.end, this, last);
    if (this.isPaused()) this.destroySoon();
    return this;
  }
}

/** Known to Node's streams, not to the types of its sockets. */
const writesAll: object = { writableHighWaterMark: Number.MAX_SAFE_INTEGER };

/**
 * The same for sockets that postgres.js makes over ours. Node gives them one measure for both ways, and what is read would fill
 * it where a backup goes to a slow disk: so it is large, and has an end.
 */
export const encryptedSockets: ConnectionOptions & { highWaterMark: number } = {
  highWaterMark: 16 * 1024 ** 2,
};

/** What postgres.js writes at once; what is shorter waits, at most until this turn of the event loop ends. */
const writtenAtOnce = 1024;

/**
 * Has a socket write what is long at the end of this turn, too, together with what is asked for behind it: the last
 * statement of a change with its commit. Each write is a call of the system and may wake the server.
 *
 * @param socket that connects already: Node gives it its own `write` when it begins to
 */
function gatherWrites(socket: Socket): void {
  const { write } = socket;
  const end = (): void => void setImmediate(() => socket.uncork());
  Object.assign(socket, {
    write(...written: Parameters<typeof write>): boolean {
      if (written[0].length >= writtenAtOnce && socket.writableCorked === 0) {
        socket.cork();
        // By then postgres.js, which waits for such an end as well, has what was asked for in promises.
        process.nextTick(end);
      }
      return Reflect.apply(write, socket, written);
    },
  });
}

/**
 * The pause before the same host of several is tried again, so that a pool does not try without end while none serves.
 */
const hostTriedAgainMs = 200;

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
      gatherWrites(socket);
      made(socket);
      socket.once('close', () => leftAt.set(at, performance.now()));
      // The host that the certificate must name: postgres.js reads `host`, Node reads `_host` where it is an IP
      // address.
      return Object.assign(socket, { host, _host: host });
    };
    const left = leftAt.get(at);
    if (hosts.length === 1 || left === undefined) return connect();
    const pause = left + hostTriedAgainMs - performance.now();
    return pause > 0 ? sleep(pause).then(connect) : connect();
  };
}

/**
 * Longer than 1 KiB, as part of a connection's first message: postgres.js 3.4.9 then sends it at once. A shorter one
 * waits for a timer, and where a connection broke while something waited for it, that timer never comes again: every
 * later connection in that place would say nothing, and time out (#1209).
 */
const blanks = ' '.repeat(1024);
