import type { Query } from './statement.ts';

/** How long idle connections are given to close. */
const goodbyeSeconds = 0.1;

/**
 * Ends a pool once nothing runs in it. A connection that broke while it had a statement is busy for ever to postgres.js
 * 3.4.9, which waits for it until its own time-out, or without an end (#1097); so that one is asked only then.
 */
export class PoolEnd {
  #running = 0;
  #nothingRuns: (() => void) | undefined;
  #ended: Promise<void> | undefined;

  /** Why nothing more may be asked for; undefined: it may. */
  get refusal(): Error | undefined {
    return this.#ended && Object.assign(new Error('The pool has ended'), { code: 'CONNECTION_ENDED' });
  }

  /** A statement or a transaction begins; what is answered is to be called once it is over. */
  begin(): () => void {
    let isOver = false;
    this.#running += 1;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running -= 1;
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
      query.then(over, over);
      handler(self);
    };
  }

  /**
   * @param timeout the seconds after which what runs is ended by force; never when absent
   * @param end postgres.js's own
   */
  end(timeout: number | undefined, end: (options: { timeout: number }) => Promise<void>): Promise<void> {
    this.#ended ??= this.#whenNothingRuns(timeout).then(() =>
      end({ timeout: Math.min(timeout ?? goodbyeSeconds, goodbyeSeconds) }),
    );
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
