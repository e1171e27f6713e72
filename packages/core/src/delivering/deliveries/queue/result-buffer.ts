import type { WebhookKey } from '../../../change/queue/delivery-jobs.ts';
import { Batches } from '../../../foundations/database/batches.ts';
import type { Database } from '../../../foundations/database/connect.ts';
import { isOfValues } from '../../../foundations/database/failures.ts';
import { ErrorThrottle } from '../../../foundations/error-throttle.ts';
import type { Log } from '../../../foundations/log.ts';
import { unwrittenResults } from '../../../foundations/operating-limits.ts';
import { tellWithdrawn } from '../../webhooks/withdraw-deliveries.ts';
import type { FinishedAttempt, JudgedAttempt } from '../send/judge-attempt.ts';
import { addressOf } from '../send/send-attempt.ts';
import { settleDeliveries } from './settle-deliveries.ts';

export interface ResultBufferOptions {
  sql: Database;
  workerId: number;
  log: Log;
  /** As `DeliveryTiming.gatheredForMs.results`. */
  gatheredForMs: number;
  /** Awaited before attempts are judged by the time that has passed. */
  beforeJudging(): Promise<void>;
  /**
   * The attempts are written; their leases are over. `released`: webhooks of which the next held event is due now.
   */
  onRecorded(written: ReadonlySet<JudgedAttempt>, released: readonly WebhookKey[]): void;
}

/** A result that cannot be written, whereas others can, is tried again after this time. */
const refusedForMs = 60_000;
/** Refused results, at most; with more of them the database is to blame and not the results. */
const mostRefused = 100;

/**
 * Writes finished attempts. What the database does not take until the end is left; it is sent again: at least once,
 * never lost.
 */
export class ResultBuffer extends Batches<FinishedAttempt> {
  readonly #resultOptions: ResultBufferOptions;
  /** Results that the database refuses, each until it is tried again. */
  readonly #refused = new Set<FinishedAttempt>();

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

  /**
   * Answers those that somebody has locked. Where the database refuses the values of one, the others are written.
   */
  async #write(batch: readonly FinishedAttempt[]): Promise<readonly FinishedAttempt[]> {
    const { sql, workerId, log, beforeJudging, onRecorded } = this.#resultOptions;
    try {
      await beforeJudging();
      const { written, unwritten, withdrawn, released } = await settleDeliveries(sql, workerId, batch);
      onRecorded(written, released);
      for (const attempt of written) if (attempt.fate !== 'held') this.#tell(attempt);
      tellWithdrawn(log, withdrawn);
      return unwritten;
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
  #refuse(attempt: FinishedAttempt, error: unknown): void {
    const { event_id, webhook_id } = attempt.delivery;
    this.#resultOptions.log.error(
      { error, event_id, webhook_id },
      'The result of a delivery cannot be written',
    );
    this.#refused.add(attempt);
    const again = (): void => {
      this.#refused.delete(attempt);
      this.add([attempt]);
    };
    setTimeout(again, refusedForMs).unref();
  }

  /** One line for each attempt, so that the log tells an event's story by its id. */
  #tell({ delivery, outcome, fate, dueAt }: JudgedAttempt): void {
    const fields = {
      event_id: delivery.event_id,
      webhook_id: delivery.webhook_id,
      delivery_id: delivery.id,
      organization_id: delivery.organization_id,
      // No more of the address: paths and queries often hold secrets.
      host: addressOf(delivery.target_url).host,
      attempt: delivery.number,
      ...(delivery.by_hand ? { by_hand: true } : {}),
      ...(outcome.outcome === 'answered' ? { status: outcome.status } : { error: outcome.message }),
      duration_ms: outcome.durationMs,
      ...(dueAt === null ? {} : { next_attempt_at: dueAt }),
    };
    this.#resultOptions.log.info(fields, `Delivery: ${fate}`);
  }
}
