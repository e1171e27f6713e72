import { makeMailsDue } from '../../../change/queue/mail-jobs.ts';
import type { Clock } from '../../../foundations/clock.ts';
import type { Database } from '../../../foundations/database/connect.ts';
import { paceOf } from '../../webhooks/pace.ts';

/**
 * A transaction that began before the clock was set back, and uses the time of before, has committed after this
 * time.
 */
const transactionMs = 5000;
const momentMs = 2000;

/**
 * Notices that the clock was set back, so that what was due by the old time does not wait until that time comes
 * again. Forward, everything is merely due earlier.
 */
export class ClockSteps {
  readonly #clock: Clock;
  /** Infinite at the start, so that a start counts as a step back: it does not know what time it was before. */
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
    if (isRecent) {
      await setPacesBack(sql, now);
      await setSchedulesBack(sql, now);
      await makeMailsDue(sql);
    }
    this.#latest = now.getTime();
    return count;
  }
}

/**
 * A first attempt is due when its event happens; one that was put off on purpose stays where it is. What is due
 * within a moment stays, too: it comes by itself, and events go on to happen while this statement waits for its
 * turn. What somebody has locked is being leased, removed, or made due by another worker; it is not waited for, so
 * that nobody deadlocks.
 */
async function makeFirstAttemptsDue(sql: Database, now: Date): Promise<number> {
  const soon = new Date(now.getTime() + momentMs);
  const { count } = await sql`
    update deliveries set due_at = ${now.toISOString()}
    where ctid = any(array(
      select d.ctid from deliveries d
      where d.worker_id is null and d.attempts = 0 and d.due_at > ${soon.toISOString()} and d.due_at <= d.created_at
      for update skip locked))`;
  return count;
}

/** No pace waits for longer than one attempt takes at it, from now on; but for the difference of workers' clocks. */
async function setPacesBack(sql: Database, now: Date): Promise<void> {
  const longest = sql`${now.toISOString()}::timestamptz + ${paceOf(sql, sql`w.max_per_minute`)}`;
  await sql`
    update webhooks w set paced_until = ${longest}
    where w.paced_until > ${longest} + ${momentMs} * interval '1 millisecond'`;
}

/**
 * graphile-worker begins no task by the clock before the moment when it began it last, which a clock that was ahead
 * may have said. Workers' clocks may differ by a minute.
 */
async function setSchedulesBack(sql: Database, now: Date): Promise<void> {
  await sql`
    update graphile_worker._private_known_crontabs
    set last_execution = ${now.toISOString()}, known_since = least(known_since, ${now.toISOString()})
    where last_execution > ${now.toISOString()}::timestamptz + interval '1 minute'`;
}
