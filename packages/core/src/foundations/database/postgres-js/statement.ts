import postgres from 'postgres';
import { faultOf, type SpanOutcome, tracing } from '../../tracing.ts';

/** What a statement of postgres.js has that its types do not tell. */
export interface Query extends Promise<unknown> {
  /** The text with its placeholders, once it was sent. */
  readonly string?: string;
  handler: (query: Query) => void;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  /** Whether it was given to its handler, or will be. */
  executed: boolean;
  /** Null until its connection takes it. */
  state: unknown;
  /** Its types are asked for first: its connection takes nothing else until it is answered. */
  readonly describeFirst?: boolean;
  parameters: readonly unknown[] | undefined;
  cancelled: unknown;
  [retried]?: unknown;
  [ofTransaction]?: boolean;
}

const retried = Symbol('retried');
const ofTransaction = Symbol('of a transaction');

const prototype: object = Object.getPrototypeOf(postgres({ max: 1 })`select`);

/** Whether it is a statement of postgres.js, or a part of one. */
export const isQuery = (value: unknown): value is Query =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === prototype;

export function asQuery(value: unknown): Query {
  if (isQuery(value)) return value;
  throw new Error('This is no statement of postgres.js');
}

// Where the server has forgotten a prepared statement, or a table has changed under it, postgres.js notes this error
// and sends the statement again.
const noteRetry: PropertyDescriptor & ThisType<Query> = {
  get() {
    return this[retried];
  },
  set(error: unknown) {
    this[retried] = error;
    // Texts by now, which would be serialised once more (#1197).
    this.parameters = undefined;
    if (!this[ofTransaction]) return;
    // The transaction has failed, and behind a commit that was sent already it would be carried out alone.
    this.cancelled = true;
    this.reject(error);
  },
};
Object.defineProperty(prototype, 'retried', noteRetry);

/** What has asked for a connection, and waits for it. */
export interface Waiting {
  /** The tick at which it was asked for. */
  readonly since: number;
  refuse(error: unknown): void;
}

/** Who has to do with a statement that was sent. */
export interface Holder {
  answered(asked: Asked): void;
  failed(asked: Asked, error: unknown): void;
}

/** A statement on its way, until it is answered. */
export class Asked implements Waiting {
  readonly query: Query;
  readonly since: number;
  /** Undefined while it waits for a connection. */
  holder: Holder | undefined;
  /** Nobody waits for its answer any more. */
  isRefused = false;
  readonly #tell: (error: unknown) => void;

  /** @param onFailure of a statement in a transaction */
  constructor(query: Query, since: number, onFailure?: (error: unknown) => void) {
    this.query = query;
    this.since = since;
    if (onFailure) query[ofTransaction] = true;
    const { resolve, reject } = query;
    // What nobody waits for in a request, such as a look at the queue each second, is not told.
    const span = tracing?.isWithin ? tracing.begin({ name: 'statement', kind: 'client' }) : undefined;
    query.resolve = (result) => {
      this.holder?.answered(this);
      span?.end(outcomeOf(query));
      resolve(withoutHoles(result));
    };
    query.reject = (error) => this.holder?.failed(this, error);
    this.#tell = (error) => {
      onFailure?.(error);
      span?.end({ ...outcomeOf(query), fault: faultOf(error) });
      reject(error);
    };
  }

  refuse(error: unknown): void {
    if (this.isRefused) return;
    this.isRefused = true;
    this.#tell(error);
  }

  /** It is to be sent once more, by another connection. */
  withdraw(): void {
    this.holder = undefined;
    this.query.state = null;
    this.query.parameters = undefined;
  }
}

/** Its text has placeholders where values go, so it tells nothing of them. */
function outcomeOf({ string = '' }: Query): SpanOutcome {
  const text = string.replaceAll(/\s+/g, ' ').trim().slice(0, tracedTextLength);
  const [operation = 'statement'] = /^\w+/.exec(text) ?? [];
  return {
    name: operation.toUpperCase(),
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
  };
}

const tracedTextLength = 2000;

/** Behind a statement that failed after its first rows, the next result begins with as many holes (#1181). */
function withoutHoles(result: unknown): unknown {
  if (!Array.isArray(result) || result.length === 0 || 0 in result) return result;
  const [first = '0'] = Object.keys(result);
  result.splice(0, Number(first));
  return result;
}
