import PQueue from 'p-queue';
import { targetResolvedMs, targetsResolvedAtOnce } from '../operating-limits.ts';
import { Problem } from '../problem.ts';
import type { Resolve } from './connection.ts';

/**
 * Resolves the names that organizations give as targets. A name server that hangs keeps nobody waiting but those of
 * the organization that has named it.
 */
export class TargetNames {
  readonly #resolve: Resolve;
  readonly #queues = new Map<string, PQueue>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /** Raises SERVICE_UNAVAILABLE when the organization's own names before this one take too long. */
  inTurn<Result>(organization: string, work: (resolve: Resolve) => Promise<Result>): Promise<Result> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new Problem('service.unavailable')), targetResolvedMs);
    const begin = (): Promise<Result> => {
      clearTimeout(timer);
      return work(this.#resolve);
    };
    return this.#queueOf(organization).add(begin, { signal: patience.signal });
  }

  #queueOf(organization: string): PQueue {
    const known = this.#queues.get(organization);
    if (known) return known;
    const queue = new PQueue({ concurrency: targetsResolvedAtOnce });
    queue.addEventListener('idle', () => this.#queues.delete(organization));
    this.#queues.set(organization, queue);
    return queue;
  }
}
