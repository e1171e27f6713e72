import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { ClockSteps } from './clock-steps.ts';
import { OngoingTrouble } from './ongoing-trouble.ts';
import type { QueueConnections } from './queue-connection.ts';
import { longestSilenceSeconds, noteActivity } from './worker-activity.ts';
import type { WorkerPresence } from './worker-presence.ts';

const noteActivityEveryMs = 15_000;

export interface WorkerUpkeepOptions {
  queue: QueueConnections;
  presence: WorkerPresence;
  clock: Clock;
  log: Log;
  /** `DELIVERIES=held`: it sends nothing, so time in which no other worker does is one in which none worked. */
  held?: boolean | undefined;
}

/** What a worker does besides sending: shows that it lives, notes when it worked, follows a clock that was set. */
export class WorkerUpkeep {
  readonly #options: WorkerUpkeepOptions;
  readonly #clockSteps: ClockSteps;
  readonly #trouble: OngoingTrouble;
  #running: Promise<void> | undefined;
  /** Of the machine, in milliseconds, and the time at which activity was noted last. */
  #activityNoted = { uptime: Number.NEGATIVE_INFINITY, time: Number.NEGATIVE_INFINITY };

  constructor(options: WorkerUpkeepOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#clockSteps = new ClockSteps(clock);
    this.#trouble = new OngoingTrouble({
      ...{ log, level: 'warn' },
      begins: 'The worker cannot show that it works; it tries again',
      ends: 'The worker shows again that it works',
    });
  }

  /** Returns at once; nothing while the last time still runs. */
  start(): void {
    this.#running ??= this.#keepUp().finally(() => {
      this.#running = undefined;
    });
  }

  async finish(): Promise<void> {
    await this.#running;
  }

  /**
   * After a time in which this worker did not work, before the first attempt is judged by it: at the start, or when the
   * machine slept, of which its uptime knows nothing.
   */
  async noteSilence(): Promise<void> {
    const silence = this.#options.clock.now().getTime() - this.#activityNoted.time;
    if (silence >= longestSilenceSeconds * 1000) await this.#noteActivity();
  }

  async #keepUp(): Promise<void> {
    const { queue, presence, log } = this.#options;
    try {
      await presence.renew();
      const deliveries = await this.#clockSteps.catchUp(queue.results);
      if (deliveries > 0) log.warn({ deliveries }, 'The clock was set back; these are due now');
      if (performance.now() - this.#activityNoted.uptime >= noteActivityEveryMs) await this.#noteActivity();
      this.#trouble.over();
    } catch (error) {
      this.#trouble.met(error);
    }
  }

  async #noteActivity(): Promise<void> {
    const { queue, clock, held } = this.#options;
    const [uptime, time] = [performance.now(), clock.now().getTime()];
    const isNoted = held !== true && (await noteActivity(queue.results));
    this.#activityNoted = { uptime, time: isNoted ? time : this.#activityNoted.time };
  }
}
