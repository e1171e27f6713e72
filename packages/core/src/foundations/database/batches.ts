import type { ErrorThrottle } from '../error-throttle.ts';
import { Pause } from '../pause.ts';

interface BatchesOptions<Item> {
  /** Written with one statement at most. */
  atOnce: number;
  /**
   * Fewer than so many wait for others to be written with; behind a large batch, as the end of a backlog, a moment
   * only.
   */
  gathered: { count: number; forMs: number };
  /** Waits for no others; absent where none is. */
  isUrgent?(item: Item): boolean;
  /** Answers those that are to be written again. */
  write(batch: readonly Item[]): Promise<readonly Item[]>;
  /** Pauses before the same is written again: after the first failure, and the longest when it goes on. */
  pauseMs: { first: number; longest: number };
  trouble: ErrorThrottle;
  /** Of more that wait the oldest are dropped, which is told the first time; everything is kept when absent. */
  most?: { count: number; onFirstDropped(): void };
}

/** Pause when nothing of a batch could be written because of locks, which are short. */
const lockedMs = 20;
/** Behind a large batch it gathers no longer. */
const afterLargeMs = 20;

/** Writes to the database what is added; what is added while some is being written follows together. */
export class Batches<Item> {
  /** Never written, because more than `most` waited. */
  dropped = 0;
  readonly #options: BatchesOptions<Item>;
  readonly #waiting: Item[] = [];
  /** So many of the first of them are being written. */
  #writing = 0;
  /** So many were written last. */
  #written = 0;
  #running: Promise<void> | undefined;
  readonly #gathering = new Pause();
  readonly #pause = new Pause();
  #finishing = false;

  constructor(options: BatchesOptions<Item>) {
    this.#options = options;
  }

  /** Those that are not written yet. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Whether the last try has failed. */
  get isInTrouble(): boolean {
    return this.#options.trouble.lasts;
  }

  /** Returns at once. Nothing is taken any more once it has finished. */
  add(items: readonly Item[]): void {
    // A run that finds nothing to do has ended before anybody can note that it runs.
    if (items.length === 0 || this.#finishing) return;
    this.#waiting.push(...items);
    const { most } = this.#options;
    if (most && this.size > most.count) {
      if (this.dropped === 0) most.onFirstDropped();
      this.dropped += this.#waiting.splice(this.#writing, this.size - most.count).length;
    }
    if (this.#isEnough(items)) this.#gathering.end();
    this.#running ??= this.#run();
  }

  /** Ends a pause: the database is there again. */
  hurry(): void {
    this.#pause.end();
  }

  /** Waits until all is written; what the database does not take now is left. */
  async finish(): Promise<void> {
    this.#finishing = true;
    this.#gathering.end();
    this.hurry();
    await this.#running;
  }

  /** Whether nothing more is to be waited for, with these. */
  #isEnough(items: readonly Item[]): boolean {
    const { gathered, isUrgent } = this.#options;
    if (this.#finishing || this.size >= gathered.count) return true;
    return isUrgent !== undefined && items.some(isUrgent);
  }

  async #run(): Promise<void> {
    const { atOnce, gathered, pauseMs, trouble, write } = this.#options;
    let againInMs = pauseMs.first;
    while (this.#waiting.length > 0) {
      const forMs =
        this.#written * 2 < gathered.count ? gathered.forMs : Math.min(gathered.forMs, afterLargeMs);
      if (!this.#isEnough(this.#waiting)) await this.#gathering.take(forMs);
      const batch = this.#waiting.slice(0, atOnce);
      this.#writing = batch.length;
      try {
        const again = await write(batch);
        this.#written = batch.length;
        this.#waiting.splice(0, batch.length);
        if (!this.#finishing) this.#waiting.push(...again);
        if (!this.#finishing && again.length === batch.length) await this.#pause.take(lockedMs);
        trouble.over();
        againInMs = pauseMs.first;
      } catch (error) {
        if (this.#finishing) {
          trouble.met(error);
          break;
        }
        trouble.met(error, againInMs);
        await this.#pause.take(againInMs);
        againInMs = Math.min(againInMs * 2, pauseMs.longest);
      } finally {
        this.#writing = 0;
      }
    }
    // Here and not in a later turn, so that nothing is added in between and left lying.
    this.#running = undefined;
  }
}
