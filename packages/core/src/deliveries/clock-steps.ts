import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';

/**
 * Notices that the clock was set back, so that what was due by the old time does not wait until that time comes again.
 * Forward, everything is merely due earlier.
 */
export class ClockSteps {
  readonly #clock: Clock;
  /** A start does not know what time it was before. */
  #latest = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes first attempts due that are not, if the clock was set back since the last call. Answers how many. */
  async catchUp(sql: Database): Promise<number> {
    const now = this.#clock.now();
    const count = now.getTime() < this.#latest ? await makeFirstAttemptsDue(sql, now) : 0;
    this.#latest = now.getTime();
    return count;
  }
}

/** A first attempt is due when its event happens; one that was put off on purpose stays where it is. */
async function makeFirstAttemptsDue(sql: Database, now: Date): Promise<number> {
  const moment = now.toISOString();
  const { count } = await sql`
    update deliveries set due_at = ${moment}
    where worker_id is null and attempts = 0 and due_at > ${moment} and due_at <= created_at`;
  return count;
}
