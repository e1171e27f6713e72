/** Runs so much work at once, lets so much wait in its order, and refuses the rest. */
export class BoundedWork {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ atOnce, waiting }: { atOnce: number; waiting: number }) {
    this.#atOnce = atOnce;
    this.#mostWaiting = waiting;
  }

  /** What the work answers; undefined, without running it, when too much waits already. */
  run<Result>(work: () => Promise<Result>): Promise<Result> | undefined {
    if (this.#running < this.#atOnce) return this.#start(work);
    if (this.#waiting.length >= this.#mostWaiting) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(this.#start(work)));
    });
  }

  async #start<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
