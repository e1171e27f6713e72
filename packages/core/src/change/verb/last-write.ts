import type { Fragment, Transaction } from '../../foundations/database/connect.ts';
import { breaksCheck } from '../../foundations/database/failures.ts';
import { goingAfter, sendNow } from '../../foundations/database/postgres-js/asking.ts';
import { Problem } from '../../foundations/problem.ts';
import { type NewRows, NothingWritten, type Refusal } from './verb.ts';

/** Parts of a statement of which `written` has a row, or rows of a table. */
type Held =
  | { readonly parts: Fragment; readonly refused: Refusal | undefined }
  | { readonly into: NewRows; readonly rows: object[] };

/** As the parts of a statement. */
export const partsOf = (tx: Transaction, held: Held): Fragment =>
  'into' in held ? tx`written as (${held.into.insertingAll(tx, held.rows)} returning id)` : held.parts;

/**
 * What a work has written and not sent yet: one write at most, so that they come one after another. It is on its way
 * before whatever the work asks for next.
 */
export class LastWrite {
  readonly #raise: (error: unknown) => unknown;
  #held: Held | undefined;
  #sending: Promise<void> | undefined;

  /** @param raise what is raised where it fails with this */
  constructor(raise: (error: unknown) => unknown) {
    this.#raise = raise;
  }

  async put(tx: Transaction, held: Held): Promise<void> {
    await this.write(tx);
    this.#held = held;
  }

  /** Goes with rows of the same table. */
  async insert(tx: Transaction, into: NewRows, row: object): Promise<void> {
    const held = this.#held;
    if (held && 'into' in held && held.into === into) held.rows.push(row);
    else await this.put(tx, { into, rows: [row] });
  }

  /** What is to go with the last statement. */
  take(): Held | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held;
  }

  /** Writes it by itself. Raises what a failure means. */
  async write(tx: Transaction): Promise<void> {
    await this.#send(tx);
  }

  /** The transaction for the work, whose statements find written what it has written. */
  before(tx: Transaction): Transaction {
    return goingAfter(tx, () => this.#send(tx));
  }

  /** What a failure to write it means. */
  raised(error: unknown, held: Held | undefined): unknown {
    const refused = held && 'refused' in held ? held.refused : undefined;
    return this.#raise(refused?.(error) ?? erasedRefusal(error) ?? error);
  }

  #send(tx: Transaction): Promise<void> | undefined {
    const held = this.take();
    if (!held) return this.#sending;
    const statement = tx<{ written: boolean }[]>`
      with ${partsOf(tx, held)} select exists (select 1 from written) as written`;
    sendNow(statement);
    const sending = statement.then(
      ([row]) => {
        this.#sending = undefined;
        const nothing = new NothingWritten('Nothing was written of what was to be');
        if (!row?.written) throw this.raised(nothing, held);
      },
      (error) => {
        this.#sending = undefined;
        throw this.raised(error, held);
      },
    );
    // Raised by what follows it.
    sending.catch(() => {});
    this.#sending = sending;
    return sending;
  }
}

/** A record whose personal data was erased takes none any more, whatever writes it (rule erasing 11). */
const erasedRefusal = (error: unknown): Problem | undefined =>
  breaksCheck(error, /^(companies|contacts|clients|leads)_erased$/)
    ? new Problem('record.erased')
    : undefined;
