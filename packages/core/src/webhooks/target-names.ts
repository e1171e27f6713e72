import type { Resolve } from '../outgoing/index.ts';
import { Problem } from '../problem.ts';

/** Names that one organization has resolved at the same time. */
const mostAtOnce = 3;
/** For how long further ones wait; resolving a name takes as long at most. */
const waitMs = 5_000;

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Resolves the names that organizations give as targets. A name server that hangs keeps nobody waiting but those of
 * the organization that has named it.
 */
export class TargetNames {
  readonly #resolve: Resolve;
  readonly #turns = new Map<string, Turns>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /** Raises SERVICE_UNAVAILABLE when the organization's own names before this one take too long. */
  async inTurn<Result>(organization: string, work: (resolve: Resolve) => Promise<Result>): Promise<Result> {
    const turns = this.#turns.get(organization) ?? { running: 0, waiting: [] };
    this.#turns.set(organization, turns);
    if (turns.running < mostAtOnce) turns.running += 1;
    else await this.#wait(turns);
    try {
      return await work(this.#resolve);
    } finally {
      const next = turns.waiting.shift();
      // The next one takes this one's place.
      if (next) next();
      else turns.running -= 1;
      if (turns.running === 0) this.#turns.delete(organization);
    }
  }

  #wait({ waiting }: Turns): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new Problem('service.unavailable'));
      }, waitMs);
      waiting.push(begin);
    });
  }
}
