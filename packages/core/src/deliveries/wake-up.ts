import type { Database } from '../database/connect.ts';
import type { Log } from '../log.ts';

/** Name of the job that a worker answers by looking for due deliveries. */
export const dispatchTask = 'dispatch';

/**
 * Tells the workers, after a commit, that deliveries wait. Coalesced: while one wake-up is on its way, further ones
 * become a single next one. It is only a hint (a crash can fall between commit and wake-up); the workers also look
 * by themselves every second.
 */
export class DeliveryWakeUp {
  readonly #sql: Database;
  readonly #log: Log;
  #running = false;
  #again = false;

  constructor({ sql, log }: { sql: Database; log: Log }) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Returns at once. */
  send(): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this
          .#sql`select graphile_worker.add_job(${dispatchTask}, job_key := ${dispatchTask}, max_attempts := 1)`;
      } catch (error) {
        this.#log.warn({ error }, 'The workers could not be woken; they find the deliveries within a second');
      }
    } while (this.#again);
    this.#running = false;
  }
}
