import { turnMs } from '../../operating-limits.ts';
import type { Leased } from './lease.ts';
import { Pause } from './pause.ts';

/** A job that is being run: what its webhook gets in its turn. */
export class Turn {
  /** Something may be due that is not leased. */
  mayHaveMore = true;
  isEnded = false;
  /** What is leased and not sent yet. */
  readonly waiting: Leased[] = [];
  /** When others are to have their turns, by the uptime of the machine. */
  endsAt = performance.now() + turnMs;
  readonly #pause = new Pause();

  /** What it decides by may have changed. */
  change(): void {
    this.#pause.end();
  }

  /** The next change, or the end of this time. */
  changed(withinMs = turnMs): Promise<void> {
    return this.#pause.take(withinMs);
  }
}
