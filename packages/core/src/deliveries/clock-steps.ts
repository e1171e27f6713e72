import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';

/** What began before the clock was set back, with the time of before, is committed within this time. */
const transactionMs = 5000;
const momentMs = 2000;

/**
 * Notices that the clock was set back, so that what was due by the old time does not wait until that time comes again.
 * Forward, everything is merely due earlier.
 */
export class ClockSteps {
  readonly #clock: Clock;
  /** A start does not know what time it was before. */
  #latest = Number.POSITIVE_INFINITY;
  /** Of the machine's uptime, in milliseconds. */
  #lastStep = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes first attempts due that are not, if the clock was set back a short while ago. Answers how many. */
  async catchUp(sql: Database): Promise<number> {
    const now = this.#clock.now();
    if (now.getTime() < this.#latest) this.#lastStep = performance.now();
    const isRecent = performance.now() - this.#lastStep < transactionMs;
    const count = isRecent ? await makeFirstAttemptsDue(sql, now) : 0;
    this.#latest = now.getTime();
    return count;
  }
}

/**
 * A first attempt is due when its event happens; one that was put off on purpose stays where it is. What is due within
 * a moment stays, too: it comes by itself, and events go on to happen while this statement waits for its turn.
 */
async function makeFirstAttemptsDue(sql: Database, now: Date): Promise<number> {
  const soon = new Date(now.getTime() + momentMs);
  const { count } = await sql`
    update deliveries set due_at = ${now.toISOString()}
    where worker_id is null and attempts = 0 and due_at > ${soon.toISOString()} and due_at <= created_at`;
  return count;
}
