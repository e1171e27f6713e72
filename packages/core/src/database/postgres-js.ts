import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSocketFolder } from './database-address.ts';
import type { PoolWatch, Settle } from './pool-watch.ts';

/** What a statement of postgres.js has that its types do not tell. */
interface Query {
  handler: (query: Query) => void;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  strings: readonly string[];
  args: readonly unknown[];
  /** Asked when a connection has it: whether that one may be given another statement meanwhile. */
  readonly options: { onexecute?: () => boolean };
  /** Null until a connection has it. */
  readonly state: unknown;
}

interface Mending {
  watch: PoolWatch;
  /** Of a statement of a transaction: called when it is given up. It has a connection already, so it is never refused. */
  onGivenUp?: () => void;
  /**
   * Behind a pooler, nothing may follow on its heels: what asks about a statement before it sends the values belongs to
   * no transaction yet, and PgBouncer gives the server to somebody else when the statement before is answered.
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
 * Makes good what postgres.js 3.4.9 lacks or does wrong about a statement, before anybody sees it; answers the
 * statement. Fragments and names of tables pass through here, too, and never run.
 *
 * - When a statement fails or its connection breaks after the first rows came, the next result on that connection
 *   begins with as many holes.
 * - It waits for ever, for a connection and for an answer.
 */
export function mend<Statement>(statement: Statement, { watch, onGivenUp, alone }: Mending): Statement {
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
        // It waits for a connection, and may still get one.
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

export const isConnectTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'CONNECT_TIMEOUT';

/** Nobody waits for it, so it must do nothing. To take it away would lose the connection that is being made for it. */
function becomeNothing(query: Query): void {
  query.strings = ['select'];
  query.args = [];
}

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
export function mendRetries(statement: object): void {
  const all: unknown = Object.getPrototypeOf(statement);
  if (typeof all !== 'object' || all === null || mended.has(all)) return;
  mended.add(all);
  Object.defineProperties(all, { parameters, prepare });
}

/**
 * The values are replaced by their texts when they are sent, and these would be serialised once more: JSON as a text
 * of JSON, bytes as the text of their hexadecimal digits. So each time gets a copy of the values as they were given.
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

/** Work that went on after a statement that failed ends in a commit that is a rollback: nothing of it is there. */
function refuseRollback(commit: Sent): void {
  const { resolve } = commit;
  commit.resolve = (result) => {
    if (result.command === 'COMMIT') resolve(result);
    else commit.reject(new Error('The transaction was rolled back, because a statement in it had failed'));
  };
}

/**
 * A socket that tells an error when it closes, not before. In between, postgres.js 3.4.9 gives further statements to
 * the dead connection, and never tells what became of them (porsager/postgres#1215).
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

/** A host of several is asked again this long after it was left, or a pool would call without a pause where none serves. */
const pauseMs = 200;

/**
 * Connects to the database, to one host of several after the other. What fails is told by the socket.
 *
 * @param made hears of every socket
 */
export function databaseSockets(
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
      // Whose name a certificate must bear: postgres.js looks for it here, and Node, if it is an address, there.
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
 * later connection in that place would say nothing, and time out (porsager/postgres#1209).
 */
export const blanks = ' '.repeat(1024);
