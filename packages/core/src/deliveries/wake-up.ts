import type { Database } from '../database/connect.ts';
import type { Log } from '../log.ts';

/** Channel on which workers hear that deliveries wait. */
export const wakeUpChannel = 'dealkeep_deliveries';

/**
 * Tells the workers, after a commit, that deliveries wait. A worker of the same process is told directly; only when
 * there is none, or it can take no more, the others are told through the database, outside of any transaction that
 * writes, because a NOTIFY makes commits queue. Coalesced: while one is on its way, further ones become a single next
 * one. It is only a hint (a crash can fall between commit and wake-up); the workers also look by themselves.
 */
export class DeliveryWakeUp {
  readonly #sql: Database;
  readonly #log: Log;
  #localWorker: (() => boolean) | undefined;
  #running = false;
  #again = false;

  constructor({ sql, log }: { sql: Database; log: Log }) {
    this.#sql = sql;
    this.#log = log;
  }

  /** @param wake wakes the worker of this process and tells whether it can send; undefined when it stops */
  setLocalWorker(wake: (() => boolean) | undefined): void {
    this.#localWorker = wake;
  }

  /** Returns at once. */
  send(): void {
    if (this.#localWorker?.()) return;
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
        await this.#sql`select pg_notify(${wakeUpChannel}, '')`;
      } catch (error) {
        this.#log.warn({ error }, 'The workers could not be woken; they find the deliveries within a second');
      }
    } while (this.#again);
    this.#running = false;
  }
}
