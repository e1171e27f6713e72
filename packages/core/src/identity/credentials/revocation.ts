import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statements, Transaction } from '../../foundations/database/connect.ts';
import { revocationReliedOnMs } from '../../foundations/operating-limits.ts';

/** Timers fire a little early, and clocks of two machines differ a little in speed. */
const marginMs = 20;

/** Says, in the transaction of a revocation, that there is one. */
export async function noteRevocation(tx: Transaction): Promise<void> {
  await tx`update revocations set number = number + 1`;
}

/** Waits, after the commit of a revocation, until no process relies on what it remembers from before. */
export const untilEffective = (): Promise<void> => sleep(revocationReliedOnMs + marginMs);

/** The same, of a revocation that commits by itself. */
export async function effectiveEverywhere<Result>(revocation: Promise<Result>): Promise<Result> {
  const result = await revocation;
  await untilEffective();
  return result;
}

/** Knows whether any process has revoked something, by one statement for all requests of an eighth of a second. */
export class RevocationWatch {
  readonly #sql: Database;
  readonly #changed: () => void;
  #number: number | undefined;
  #asked: Moment = { running: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
  #asking: Promise<void> | undefined;

  /** @param changed called when there was a revocation: what is remembered of credentials counts no more */
  constructor(sql: Database, changed: () => void) {
    this.#sql = sql;
    this.#changed = changed;
  }

  /**
   * Undefined when this process knows of every revocation that was answered before now; else a promise that is
   * fulfilled once it does, and rejected when the database cannot be asked.
   */
  upToDate(): Promise<void> | undefined {
    const since = moment();
    const age = between(this.#asked, since);
    if (age >= revocationReliedOnMs) return this.#askedAfter(since);
    // Asked before it is needed, so that no request waits. When it fails, the next request asks again and is told.
    if (age >= revocationReliedOnMs / 2) this.#ask().catch(() => {});
    return undefined;
  }

  /**
   * A question that is under way may have been asked before `since`, so that its answer says nothing of the time
   * between; then it is asked once more.
   */
  async #askedAfter(since: Moment): Promise<void> {
    while (between(this.#asked, since) >= revocationReliedOnMs) await this.#ask();
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#read(moment()).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #read(asked: Moment): Promise<void> {
    const number = await revocationNumber(this.#sql);
    if (number !== this.#number) this.#changed();
    this.#number = number;
    this.#asked = asked;
  }
}

async function revocationNumber(sql: Statements): Promise<number> {
  const [row] = await sql<{ number: number }[]>`select number from revocations`;
  if (!row) throw new Error('The table of revocations has lost its row');
  return row.number;
}

interface Moment {
  /** Stands still while the machine sleeps. */
  readonly running: number;
  /** Of the wall clock, which can be set back. */
  readonly wall: number;
}

const moment = (): Moment => ({ running: performance.now(), wall: Date.now() });

/** The longer of both spans, in milliseconds (docs/decisions/0025). */
const between = (earlier: Moment, later: Moment): number =>
  Math.max(later.running - earlier.running, later.wall - earlier.wall);
