import { faultOf, type SpanOutcome, tracing } from '../../tracing.ts';
import { NeverTaken, type Outage } from '../outage.ts';
import type { PoolWatch } from '../pool-watch.ts';

/** A connection of postgres.js, and the queue of those like it. */
export interface Connection {
  queue: { remove(connection: Connection): void; push(connection: Connection): void };
  onclose?: ((error: unknown) => void) | null;
}

export const ofTransaction = Symbol('of a transaction');

/** What a statement of postgres.js has that its types do not tell. */
export interface Query {
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
   * Called when a statement of a transaction is given up. Such a statement has its connection already, so it is
   * never refused.
   */
  onGivenUp?: () => void;
  /**
   * Nothing else may be sent on its connection until it is answered. Behind PgBouncer, postgres.js first asks for
   * the types of a statement, which belongs to no transaction yet, so PgBouncer could give the server to somebody
   * else as soon as the statement before is answered.
   */
  alone?: boolean;
}

export const isQuery = (value: unknown): value is Query & Promise<unknown> =>
  value instanceof Promise &&
  'handler' in value &&
  'resolve' in value &&
  'reject' in value &&
  'state' in value &&
  'options' in value &&
  typeof value.handler === 'function';

/**
 * Mends a statement before anybody sees it, and answers it. Fragments and names of tables pass through here, too,
 * and never run. It would wait for ever, for a connection and for an answer (#824).
 */
export function mend<Statement>(statement: Statement, mending: Mending): Statement {
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
 * The same statement, to be sent by another connection. The one that ended still has the former, and would answer it
 * by what it hears first when it is made anew.
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

export const isConnectTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'CONNECT_TIMEOUT';

/**
 * Makes a statement that was given up do nothing when it is sent after all. It is not taken out of the queue,
 * because postgres.js would lose the connection that it makes for it.
 */
function becomeNothing(query: Query): void {
  query.strings = ['select'];
  query.args = [];
}

/**
 * When a statement fails or its connection breaks after the first rows came, the next result on that connection
 * begins with as many holes (#1181).
 */
function withoutHoles(result: unknown): unknown {
  if (!Array.isArray(result) || result.length === 0 || 0 in result) return result;
  const [first = '0'] = Object.keys(result);
  result.splice(0, Number(first));
  return result;
}
