import { DatabaseSilent, isLostConnection } from '../failures.ts';
import type { Query } from './statement.ts';

/** How long the others are given to close where one is known to have broken. */
const goodbyeSeconds = 0.1;

/**
 * Ends a pool once nothing runs in it. A connection that broke while it had a statement is busy for ever to
 * postgres.js
 * 3.4.9, which would wait for it until the time-out, or without an end (#1097).
 */
export class PoolEnd {
  #running = 0;
  #hasLost = false;
  #nothingRuns: (() => void) | undefined;
  #ended: Promise<void> | undefined;

  /** Why nothing more may be asked for; undefined: it may. */
  get refusal(): Error | undefined {
    return this.#ended && Object.assign(new Error('The pool has ended'), { code: 'CONNECTION_ENDED' });
  }

  /**
   * A statement or a transaction begins; what is answered is to be called once it is over, with the error if it
   * failed.
   */
  begin(): (error?: unknown) => void {
    let isOver = false;
    this.#running += 1;
    return (error) => {
      if (isOver) return;
      isOver = true;
      this.#running -= 1;
      this.#hasLost ||= error instanceof DatabaseSilent || isLostConnection(error);
      if (this.#running === 0) this.#nothingRuns?.();
    };
  }

  /** Counts a statement as long as it runs, or refuses it. Fragments never run. */
  count(query: Query & PromiseLike<unknown>): void {
    const { handler } = query;
    query.handler = (self) => {
      const { refusal } = this;
      if (refusal) return self.reject(refusal);
      const over = this.begin();
      query.then(() => over(), over);
      handler(self);
    };
  }

  /**
   * @param timeout the seconds after which what runs is ended by force; never when absent
   * @param end postgres.js's own
   */
  end(timeout: number | undefined, end: (options: { timeout?: number }) => Promise<void>): Promise<void> {
    this.#ended ??= this.#whenNothingRuns(timeout).then(() => {
      const longest = this.#hasLost ? Math.min(timeout ?? goodbyeSeconds, goodbyeSeconds) : timeout;
      return end(longest === undefined ? {} : { timeout: longest });
    });
    return this.#ended;
  }

  async #whenNothingRuns(timeout: number | undefined): Promise<void> {
    if (this.#running === 0 || timeout === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#nothingRuns = resolve;
    const timer = timeout === undefined ? undefined : setTimeout(resolve, timeout * 1000);
    await promise;
    clearTimeout(timer);
  }
}
