import type { Database } from '../database/connect.ts';
import type { Log } from '../log.ts';
import type { FinishedAttempt } from './finished-attempt.ts';
import type { Verdict } from './judge-attempt.ts';
import { OngoingTrouble } from './ongoing-trouble.ts';
import { recordAttempts } from './record-attempts.ts';
import { tellWithdrawn } from './withdraw-deliveries.ts';

export interface AttemptRecorderOptions {
  sql: Database;
  workerId: number;
  log: Log;
  /** Awaited before attempts are judged by the time that has passed. */
  beforeJudging(): Promise<void>;
  /** The attempts are written; their leases are over. `released`: they made place for others in the queue. */
  onRecorded(verdicts: ReadonlyMap<FinishedAttempt, Verdict>, released: boolean): void;
}

const mostAtOnce = 500;
/** More than this waits only when the database takes them too slowly. */
const mostWaiting = 5000;
/** Pauses before results are written again: after the first failure, and when it goes on. */
const firstPauseMs = 250;
const longestPauseMs = 5000;

/** Writes finished attempts; those that finish while some are being written follow together. */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;
  #waiting: FinishedAttempt[] = [];
  #running: Promise<void> | undefined;
  readonly #trouble: OngoingTrouble;
  #pauseMs = firstPauseMs;
  #endPause: (() => void) | undefined;
  #giveUp = false;

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
    this.#trouble = new OngoingTrouble({
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
    return !this.#trouble.lasts && this.#waiting.length < mostWaiting;
  }

  /** Ends a pause: the database is there again. */
  hurry(): void {
    this.#endPause?.();
  }

  /**
   * Waits until all is written. What the database does not take now is left; it is sent again: at least once, never
   * lost.
   */
  async finish(): Promise<void> {
    this.#giveUp = true;
    this.hurry();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { sql, workerId, log, beforeJudging, onRecorded } = this.#options;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, mostAtOnce);
      try {
        await beforeJudging();
        const { verdicts, withdrawn, released } = await recordAttempts(sql, workerId, batch);
        this.#waiting.splice(0, batch.length);
        this.#trouble.over();
        this.#pauseMs = firstPauseMs;
        onRecorded(verdicts, released);
        for (const [attempt, verdict] of verdicts) this.#tell(attempt, verdict);
        tellWithdrawn(log, withdrawn);
      } catch (error) {
        this.#trouble.met(error);
        if (this.#giveUp) break;
        await this.#pause();
      }
    }
    // Here and not in a later turn, so that no attempt is added in between and left lying.
    this.#running = undefined;
  }

  /** Longer each time, until results are written again. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#pauseMs);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = undefined;
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  /** One line for each attempt, so that the log tells an event's story by its id. */
  #tell({ delivery, outcome }: FinishedAttempt, { fate, dueAt }: Verdict): void {
    const fields = {
      event_id: delivery.event_id,
      webhook_id: delivery.webhook_id,
      delivery_id: delivery.id,
      organization_id: delivery.organization_id,
      // No more of the address: paths and queries often hold secrets.
      host: new URL(delivery.target_url).host,
      attempt: delivery.number,
      ...(delivery.by_hand ? { by_hand: true } : {}),
      ...(outcome.outcome === 'answered' ? { status: outcome.status } : { error: outcome.message }),
      duration_ms: outcome.durationMs,
      ...(dueAt === null ? {} : { next_attempt_at: dueAt }),
    };
    this.#options.log.info(fields, `Delivery: ${fate}`);
  }
}
