import { makeMailsDue } from '../../../change/queue/mail-jobs.ts';
import { nothingPaused, pausesOfWebhook } from '../../../change/queue/queue-pauses.ts';
import type { WorkerPresence } from '../../../change/queue/worker-presence.ts';
import type { Clock } from '../../../foundations/clock.ts';
import type { Database } from '../../../foundations/database/connect.ts';
import type { QueueConnections } from '../../../foundations/database/connect-queue.ts';
import { ErrorThrottle } from '../../../foundations/error-throttle.ts';
import type { Log } from '../../../foundations/log.ts';
import { workMissedAfterSeconds, workNotedEveryMs } from '../../../foundations/operating-limits.ts';
import { paceOf } from '../../webhooks/pace.ts';

interface WorkerUpkeepOptions {
  queue: QueueConnections;
  presence: WorkerPresence;
  clock: Clock;
  log: Log;
  /** `DELIVERIES=held`: it sends nothing, so time in which no other worker does is one in which none worked. */
  held?: boolean | undefined;
  /** It had failed and works again: the database was away. */
  onBack(): void;
}

/** While it fails, it is tried this often: whatever waits for the database goes on when it is there again. */
const triedAgainMs = 200;

/** What a worker does besides sending: shows that it lives, notes when it worked, follows a clock that was set. */
export class WorkerUpkeep {
  readonly #options: WorkerUpkeepOptions;
  readonly #clockSteps: ClockSteps;
  readonly #trouble: ErrorThrottle;
  #running: Promise<void> | undefined;
  #again: NodeJS.Timeout | undefined;
  /** When activity was noted last: the uptime of the machine, in milliseconds, and the clock. */
  #activityNoted = { uptime: Number.NEGATIVE_INFINITY, time: Number.NEGATIVE_INFINITY };

  constructor(options: WorkerUpkeepOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#clockSteps = new ClockSteps(clock);
    this.#trouble = new ErrorThrottle({
      log,
      level: 'warn',
      begins: 'The worker cannot show that it works; it tries again',
      ends: 'The worker shows again that it works',
    });
  }

  /** Begins a round and returns at once; does nothing while the last round still runs. */
  start(): void {
    this.#running ??= this.#keepUp().finally(() => {
      this.#running = undefined;
    });
  }

  async finish(): Promise<void> {
    await this.#running;
    clearTimeout(this.#again);
  }

  /**
   * Before attempts are judged: notes a time in which this worker did not work (before its start, or while the
   * machine slept, which its uptime does not count), so that webhooks are not blamed for it.
   */
  async noteSilence(): Promise<void> {
    const silence = this.#options.clock.now().getTime() - this.#activityNoted.time;
    if (silence >= workMissedAfterSeconds * 1000) await this.#noteActivity();
  }

  async #keepUp(): Promise<void> {
    const { queue, presence, log, onBack } = this.#options;
    clearTimeout(this.#again);
    try {
      await presence.renew();
      const deliveries = await this.#clockSteps.catchUp(queue.results);
      if (deliveries > 0) log.warn({ deliveries }, 'The clock was set back; these are due now');
      if (performance.now() - this.#activityNoted.uptime >= workNotedEveryMs) await this.#noteActivity();
      if (this.#trouble.lasts) onBack();
      this.#trouble.over();
    } catch (error) {
      this.#trouble.met(error);
      this.#again = setTimeout(() => this.start(), triedAgainMs);
    }
  }

  async #noteActivity(): Promise<void> {
    const { queue, clock, held } = this.#options;
    const [uptime, time] = [performance.now(), clock.now().getTime()];
    const isNoted = held !== true && (await noteActivity(queue.results));
    this.#activityNoted = { uptime, time: isNoted ? time : this.#activityNoted.time };
  }
}

/**
 * Notes that a worker works. Time in which none did is no time in which a webhook failed, so it is left out: whoever
 * stops Dealkeep, or its queue, over a long weekend must not lose the hooks whose last attempt happened to fail.
 * Answers false while the queue is paused, when nobody works.
 */
export async function noteActivity(sql: Database): Promise<boolean> {
  const [row] = await sql<{ noted: boolean }[]>`
    with seen as materialized (
      select seen_at, clock_timestamp() as now from worker_activity where ${nothingPaused(sql)} for update
    ), noted as (
      update worker_activity set seen_at = seen.now from seen
    ), failing as (
      -- What comes behind the beginning of a pause is left out when that ends.
      select w.organization_id, w.id,
             greatest(interval '0', least(seen.now, paused.since) - seen.seen_at) as silence
      from seen cross join lateral (
        select organization_id, id, target_url from webhooks
        where seen.now - seen.seen_at > make_interval(secs => ${workMissedAfterSeconds})
          and failing_since is not null and idle_since is null
        order by id for no key update) w
      cross join lateral (select min(p.paused_at) as since from ${pausesOfWebhook(sql)} p) paused
    ), put_off as (
      update webhooks w set failing_since = w.failing_since + failing.silence
      from failing where w.organization_id = failing.organization_id and w.id = failing.id
    )
    select exists (select from seen) as noted`;
  return row?.noted === true;
}

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
class ClockSteps {
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
