import type { WebhookKey } from '../../../change/queue/delivery-jobs.ts';
import { Batches } from '../../../foundations/database/batches.ts';
import { isOfValues } from '../../../foundations/database/failures.ts';
import { ErrorThrottle } from '../../../foundations/error-throttle.ts';
import type { Log } from '../../../foundations/log.ts';
import { unwrittenResults } from '../../../foundations/operating-limits.ts';
import type { JudgedAttempt } from '../judge.ts';
import type { DeliveryStage } from '../stages.ts';

export interface ResultBufferOptions {
  log: Log;
  /** As `DeliveryTiming.gatheredForMs.results`. */
  gatheredForMs: number;
  /** Writes a batch. Answers those that somebody has locked; they are written again. */
  write(batch: readonly JudgedAttempt[]): Promise<readonly JudgedAttempt[]>;
}

/** A result that cannot be written, whereas others can, is tried again after this time. */
const refusedForMs = 60_000;
/** Refused results, at most; with more of them the database is to blame and not the results. */
const mostRefused = 100;

const fields = { stage: 'write' satisfies DeliveryStage };

/**
 * Attempts that wait to be written. What the database does not take until the end is left; it is sent again: at
 * least once, never lost.
 */
export class ResultBuffer extends Batches<JudgedAttempt> {
  readonly #resultOptions: ResultBufferOptions;
  /** Results that the database refuses, each until it is tried again. */
  readonly #refused = new Set<JudgedAttempt>();

  constructor(options: ResultBufferOptions) {
    super({
      atOnce: 500,
      gathered: { count: 200, forMs: options.gatheredForMs },
      // The next held event of a webhook waits for the result of the one before.
      isUrgent: ({ delivery }) => delivery.in_order,
      pauseMs: { first: 250, longest: 5000 },
      write: (batch) => this.#write(batch),
      trouble: new ErrorThrottle({
        log: options.log,
        level: 'error',
        begins: 'Results of deliveries cannot be written; nothing is sent until they can be',
        ends: 'Results of deliveries are written again',
        fields,
      }),
    });
    this.#resultOptions = options;
  }

  /**
   * Whether more may be sent. What is sent while results cannot be written (a full disk, a missing right) would pile
   * up in memory, and be sent again by whoever takes its lease over.
   */
  get keepsUp(): boolean {
    return !this.isInTrouble && this.size < unwrittenResults && this.#refused.size <= mostRefused;
  }

  /** Webhooks of which a delivery stays leased, because its result cannot be written. */
  get refusedOf(): WebhookKey[] {
    return [...this.#refused].map(({ delivery }) => delivery);
  }

  /** Where the database refuses the values of one, the others are written. */
  async #write(batch: readonly JudgedAttempt[]): Promise<readonly JudgedAttempt[]> {
    try {
      return await this.#resultOptions.write(batch);
    } catch (error) {
      // One result is to blame, not the database.
      if (!isOfValues(error)) throw error;
      const middle = batch.length / 2;
      if (middle >= 1)
        return [...(await this.#write(batch.slice(0, middle))), ...(await this.#write(batch.slice(middle)))];
      for (const attempt of batch) this.#refuse(attempt, error);
      return [];
    }
  }

  /** The lease stays ours meanwhile, so that nobody sends the delivery again and again. */
  #refuse(attempt: JudgedAttempt, error: unknown): void {
    const { event_id, webhook_id } = attempt.delivery;
    this.#resultOptions.log.error(
      { error, ...fields, event_id, webhook_id },
      'The result of a delivery cannot be written',
    );
    this.#refused.add(attempt);
    const again = (): void => {
      this.#refused.delete(attempt);
      this.add([attempt]);
    };
    setTimeout(again, refusedForMs).unref();
  }
}
