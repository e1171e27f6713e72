import { nothingPaused, pausesOfWebhook } from '../../../change/queue/queue-pauses.ts';
import type { WorkerPresence } from '../../../change/queue/worker-presence.ts';
import type { Clock } from '../../../foundations/clock.ts';
import type { Database } from '../../../foundations/database/connect.ts';
import type { QueueConnections } from '../../../foundations/database/connect-queue.ts';
import { ErrorThrottle } from '../../../foundations/error-throttle.ts';
import type { Log } from '../../../foundations/log.ts';
import { workMissedAfterSeconds, workNotedEveryMs } from '../../../foundations/operating-limits.ts';
import { Pause } from '../../../foundations/pause.ts';
import { ClockSteps } from './clock-steps.ts';

interface WorkerUpkeepOptions {
  queue: QueueConnections;
  presence: WorkerPresence;
  clock: Clock;
  log: Log;
  /** `DELIVERIES=held`: it sends nothing, so time in which no other worker does is one in which none worked. */
  held?: boolean | undefined;
}

/** While it fails, it is tried this often: whatever waits for the database goes on when it is there again. */
const triedAgainMs = 200;

/** What a worker does besides sending: shows that it lives, notes when it worked, follows a clock that was set. */
export class WorkerUpkeep {
  readonly #options: WorkerUpkeepOptions;
  readonly #clockSteps: ClockSteps;
  readonly #trouble: ErrorThrottle;
  #running: Promise<boolean> | undefined;
  readonly #pause = new Pause();
  #finishing = false;
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

  /**
   * Shows that the worker lives, again and again until that works. Answers whether it had failed: the database was
   * away, and is there again. While somebody else's call still runs, it answers false at once.
   */
  async round(): Promise<boolean> {
    if (this.#running || this.#finishing) return false;
    this.#running = this.#untilShown();
    try {
      return await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  async finish(): Promise<void> {
    this.#finishing = true;
    this.#pause.end();
    await this.#running;
  }

  /**
   * Before attempts are judged: notes a time in which this worker did not work (before its start, or while the
   * machine slept, which its uptime does not count), so that webhooks are not blamed for it.
   */
  async noteSilence(): Promise<void> {
    const silence = this.#options.clock.now().getTime() - this.#activityNoted.time;
    if (silence >= workMissedAfterSeconds * 1000) await this.#noteActivity();
  }

  async #untilShown(): Promise<boolean> {
    while (!this.#finishing) {
      try {
        await this.#show();
        const hadFailed = this.#trouble.lasts;
        this.#trouble.over();
        return hadFailed;
      } catch (error) {
        this.#trouble.met(error);
        if (!this.#finishing) await this.#pause.take(triedAgainMs);
      }
    }
    return false;
  }

  async #show(): Promise<void> {
    const { queue, presence, log } = this.#options;
    await presence.renew();
    const deliveries = await this.#clockSteps.catchUp(queue.results);
    if (deliveries > 0) log.warn({ deliveries }, 'The clock was set back; these are due now');
    if (performance.now() - this.#activityNoted.uptime >= workNotedEveryMs) await this.#noteActivity();
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
