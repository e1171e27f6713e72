// When the server has forgotten a prepared statement (DEALLOCATE ALL, a pooler that gives the connection another
// server), or a table has changed under it, postgres.js 3.4.9 sends the statement again, with two faults that reach
// statements of its own as well. So they are mended for all its statements at once, where their class is.
import { ofTransaction } from './statement.ts';

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
export function mendRetries(statement: object): void {
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
 * A statement that failed in a transaction is not sent again: that can only fail, too, and behind a commit that was
 * sent already it would be carried out alone.
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
 * The steps of a transaction are never prepared. A forgotten `commit` or `savepoint` fails, which ends the
 * transaction; then `commit` is a rollback that says nothing, and the caller would be told that all is well.
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
 * A transaction in which a statement failed ends in a rollback, even if its work went on and asked for the commit;
 * that must not be reported as success (#1217).
 */
function refuseRollback(commit: Sent): void {
  const { resolve } = commit;
  commit.resolve = (result) => {
    if (result.command === 'COMMIT') resolve(result);
    else commit.reject(new Error('The transaction was rolled back, because a statement in it had failed'));
  };
}
