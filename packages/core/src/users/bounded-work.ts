import { Problem } from '../problem.ts';

interface Waiting {
  start(): void;
  refuse(): void;
}

/**
 * Runs so much work at once, lets so much wait, and refuses the rest. What waits stands in lanes that take turns, and
 * when there is no room left, the longest lane gives way: whoever asks for much only gets in the way of themselves.
 *
 * Written here because p-queue, which orders by priority, would leave all of this to a queue class of ours.
 */
export class BoundedWork {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  /** In the order of their turns; none is empty. */
  readonly #lanes = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;

  constructor({ atOnce, waiting }: { atOnce: number; waiting: number }) {
    this.#atOnce = atOnce;
    this.#mostWaiting = waiting;
  }

  /** What the work answers. Raises SERVICE_UNAVAILABLE, without running it, when too much waits. */
  run<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnce) return this.#start(work);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const refuse = (): void => reject(new Problem('service.unavailable'));
    if (this.#hasRoom(lane)) this.#enqueue(lane, { start: () => resolve(this.#start(work)), refuse });
    else refuse();
    return promise;
  }

  /** Makes room at the end of the longest lane, unless that is this one. */
  #hasRoom(lane: string): boolean {
    if (this.#waiting < this.#mostWaiting) return true;
    const [longest] = [...this.#lanes].sort(([, one], [, other]) => other.length - one.length);
    if (!longest || longest[1].length <= (this.#lanes.get(lane)?.length ?? 0) + 1) return false;
    longest[1].pop()?.refuse();
    this.#waiting -= 1;
    return true;
  }

  #enqueue(lane: string, waiting: Waiting): void {
    this.#lanes.set(lane, [...(this.#lanes.get(lane) ?? []), waiting]);
    this.#waiting += 1;
  }

  async #start<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  #next(): void {
    const [turn] = this.#lanes;
    if (!turn) return;
    const [lane, [first, ...others]] = turn;
    this.#lanes.delete(lane);
    if (others.length > 0) this.#lanes.set(lane, others);
    this.#waiting -= 1;
    first?.start();
  }
}
