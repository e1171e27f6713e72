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

export interface Mending {
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
