import type { Database } from '../database/connect.ts';
import { ErrorThrottle } from '../error-throttle.ts';
import type { Log } from '../log.ts';
import { unwrittenResults } from '../operating-limits.ts';
import type { Verdict } from './judge-attempt.ts';
import { addressOf } from './send-attempt.ts';
import { type FinishedAttempt, settleDeliveries } from './settle-deliveries.ts';
import { Pause, tellWithdrawn } from './withdraw-deliveries.ts';

export interface ResultBufferOptions {
  sql: Database;
  workerId: number;
  log: Log;
  /** Whether so many attempts are under way that some will end in a moment. */
  moreToCome(): boolean;
  /** Awaited before attempts are judged by the time that has passed. */
  beforeJudging(): Promise<void>;
  /** The attempts are written; their leases are over. `released`: they made place for others in the queue. */
  onRecorded(verdicts: ReadonlyMap<FinishedAttempt, Verdict>, released: boolean): void;
}

const resultsAtOnce = 500;
/** Fewer than these wait a moment for others to be written with. */
const worthAStatementOfResults = 200;
const resultsGatheredForMs = 5;
/** Pauses before results are written again: after the first failure, and the longest when it goes on. */
const firstResultPauseMs = 250;
const longestResultPauseMs = 5000;
/** Pause before the results of locked deliveries are written again; such locks are short. */
const lockedMs = 20;
/** A result that cannot be written, whereas others can, is tried again after this time. */
const asideMs = 60_000;
/** Results set aside, at most; with more of them the database is to blame and not the results. */
const mostAside = 100;

/** Writes finished attempts; those that finish while some are being written follow together. */
export class ResultBuffer {
  readonly #options: ResultBufferOptions;
  #waiting: FinishedAttempt[] = [];
  #running: Promise<void> | undefined;
  readonly #trouble: ErrorThrottle;
  #pauseMs = firstResultPauseMs;
  readonly #pause = new Pause();
  #giveUp = false;
  /** So many of those that wait are written one by one, because one of them makes their batch fail. */
  #alone = 0;
  /** Results that cannot be written, each until it is tried again. */
  readonly #aside = new Map<FinishedAttempt, NodeJS.Timeout>();

  constructor(options: ResultBufferOptions) {
    this.#options = options;
    this.#trouble = new ErrorThrottle({
      log: options.log,
      level: 'error',
      begins: 'Results of deliveries cannot be written; nothing is sent until they can be',
      ends: 'Results of deliveries are written again',
    });
  }

  add(attempt: FinishedAttempt): void {
    this.#waiting.push(attempt);
    this.#running ??= this.#run();
  }

  /**
   * Whether more may be sent. What is sent while results cannot be written (a full disk, a missing right) would pile up
   * in memory, and be sent again by whoever takes its lease over.
   */
  get keepsUp(): boolean {
    return !this.#trouble.lasts && this.#waiting.length < unwrittenResults && this.#aside.size <= mostAside;
  }

  /** Ends a pause: the database is there again. */
  hurry(): void {
    this.#pause.end();
  }

  /**
   * Waits until all is written. What the database does not take now is left; it is sent again: at least once, never
   * lost.
   */
  async finish(): Promise<void> {
    this.#giveUp = true;
    for (const timer of this.#aside.values()) clearTimeout(timer);
    this.hurry();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#isToGather()) await this.#pause.take(resultsGatheredForMs);
      const batch = this.#waiting.slice(0, this.#alone > 0 ? 1 : resultsAtOnce);
      try {
        await this.#write(batch);
      } catch (error) {
        if (isOfOneResult(error)) {
          if (batch.length > 1) this.#alone = batch.length;
          else this.#setAside(batch[0], error);
          continue;
        }
        this.#trouble.met(error);
        if (this.#giveUp) break;
        await this.#pause.take(this.#pauseMs);
        this.#pauseMs = Math.min(this.#pauseMs * 2, longestResultPauseMs);
      }
    }
    // Here and not in a later turn, so that no attempt is added in between and left lying.
    this.#running = undefined;
  }

  #isToGather(): boolean {
    const isSmall = this.#alone === 0 && this.#waiting.length < worthAStatementOfResults;
    return isSmall && !this.#giveUp && this.#options.moreToCome();
  }

  async #write(batch: readonly FinishedAttempt[]): Promise<void> {
    const { sql, workerId, log, beforeJudging, onRecorded } = this.#options;
    await beforeJudging();
    const { verdicts, unwritten, withdrawn, released } = await settleDeliveries(sql, workerId, batch);
    this.#waiting.splice(0, batch.length);
    if (!this.#giveUp) this.#waiting.push(...unwritten);
    this.#alone = Math.max(0, this.#alone - batch.length);
    this.#trouble.over();
    onRecorded(verdicts, released);
    for (const [attempt, verdict] of verdicts) if (verdict.fate !== 'held') this.#tell(attempt, verdict);
    tellWithdrawn(log, withdrawn);
    this.#pauseMs = firstResultPauseMs;
    if (verdicts.size === 0 && !this.#giveUp) await this.#pause.take(lockedMs);
  }

  /**
   * Sets a result aside that the database refuses. The lease stays ours meanwhile, so that nobody sends the delivery
   * again and again.
   */
  #setAside(attempt: FinishedAttempt | undefined, error: unknown): void {
    if (!attempt) return;
    this.#waiting.shift();
    this.#alone = Math.max(0, this.#alone - 1);
    const { event_id, webhook_id } = attempt.delivery;
    this.#options.log.error({ error, event_id, webhook_id }, 'The result of a delivery cannot be written');
    const timer = setTimeout(() => {
      this.#aside.delete(attempt);
      this.add(attempt);
    }, asideMs);
    this.#aside.set(attempt, timer.unref());
  }

  /** One line for each attempt, so that the log tells an event's story by its id. */
  #tell({ delivery, outcome }: FinishedAttempt, { fate, dueAt }: Verdict): void {
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
    this.#options.log.info(fields, `Delivery: ${fate}`);
  }
}

/**
 * Whether one result is to blame, not the database: its values are refused (SQLSTATE classes 22 and 23), or are none
 * that could be sent to it.
 */
function isOfOneResult(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^2[23]/.test(code) || error instanceof RangeError;
}
