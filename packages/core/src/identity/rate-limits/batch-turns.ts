import { Problem } from '../../foundations/problem.ts';
import { Turns } from '../../foundations/turns.ts';
import type { Actor } from '../credentials/credential.ts';

/**
 * Lets the batches of an organization run one after another in this process: each is one transaction of many items,
 * so two at once would keep two connections from everybody else.
 */
export class BatchTurns {
  readonly #turns = new Turns();
  /** Keys of batches that run or wait. */
  readonly #keys = new Set<string>();

  /** Raises IDEMPOTENCY_IN_PROGRESS where one of the same key runs or waits (rule idempotency 5). */
  async take<Result>(
    { id, organization }: Pick<Actor, 'organization'> & { readonly id?: string },
    key: string | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (key === undefined) return this.#turns.take(organization.id, work);
    const name = `${id} ${key}`;
    if (this.#keys.has(name)) throw new Problem('idempotency.in_progress');
    this.#keys.add(name);
    try {
      return await this.#turns.take(organization.id, work);
    } finally {
      this.#keys.delete(name);
    }
  }
}
