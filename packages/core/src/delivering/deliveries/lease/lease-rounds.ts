import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../foundations/clock.ts';
import type { QueueConnections } from '../../../foundations/database/connect-queue.ts';
import { ErrorThrottle } from '../../../foundations/error-throttle.ts';
import type { Log } from '../../../foundations/log.ts';
import { dismissDeliveries } from '../../webhooks/withdraw-deliveries.ts';
import { isWorthGathering } from '../decide.ts';
import type { DeliveryStage } from '../stages.ts';
import type { AttemptSlots } from '../state/attempt-slots.ts';
import type { HeldLeases } from '../state/held-leases.ts';
import type { JobRuns } from '../state/job-runs.ts';
import type { Sweep } from '../upkeep/sweep.ts';
import type { ResultBuffer } from '../write/result-buffer.ts';
import type { DueEvents } from './due-events.ts';
import { freeLeases } from './free-leases.ts';
import { isActive, type Leased, leaseDeliveries } from './lease.ts';

interface LeaseRoundsOptions {
  queue: QueueConnections;
  events: DueEvents;
  workerId: number;
  clock: Clock;
  log: Log;
  /** `DELIVERIES=held`: nothing is leased. */
  held?: boolean | undefined;
  runs: JobRuns;
  slots: AttemptSlots;
  leases: HeldLeases;
  /** Nothing is leased while it does not keep up. */
  results: ResultBuffer;
  sweep: Sweep;
}

/** What a run gets. */
interface Lease {
  leased: Leased[];
  /** More is due than there was room for. */
  hasMore: boolean;
  /** More may be due, for which the pace of the webhook has room in so many milliseconds. */
  againInMs: number | undefined;
}

/** A round waits so long for others that ask. */
const gatheredForMs = 3;
/** So many attempts start in one turn of the event loop; a new connection takes a third of a millisecond. */
const startedAtOnce = 10;
/**
 * The envelopes that are leased are too large for more until one is sent; asked again after this time at the latest.
 */
const fullMs = 1000;

/** What a run is told, and how many attempts that starts. */
interface Answer {
  readonly attempts: number;
  give(): void;
}

/**
 * Takes leases for all runs that ask at one moment, with one statement: one round after another. The next round does
 * not wait until the attempts of this one have been started. Sweeps stand between rounds, where none of our leases
 * is being taken.
 */
export class LeaseRounds {
  readonly #options: LeaseRoundsOptions;
  readonly #trouble: ErrorThrottle;
  readonly #asking = new Map<string, (lease?: Lease) => void>();
  #running: Promise<void> | undefined;
  #sweepAsked = false;
  /** Of webhooks that answer quickly, and of the others: each gives one answer after the other. */
  readonly #answering = { quick: Promise.resolve(), other: Promise.resolve() };

  constructor(options: LeaseRoundsOptions) {
    this.#options = options;
    this.#trouble = new ErrorThrottle({
      log: options.log,
      level: 'warn',
      begins: 'Looking for due deliveries fails; it is repeated',
      ends: 'Due deliveries are found again',
      fields: { stage: 'lease' satisfies DeliveryStage },
    });
  }

  /** What is due for a webhook; undefined when nothing can be leased now. One run of a webhook asks at a time. */
  lease(webhook: string): Promise<Lease | undefined> {
    return new Promise((answer) => {
      this.#asking.set(webhook, answer);
      this.#running ??= this.#run();
    });
  }

  /** Returns at once. */
  sweep(): void {
    this.#sweepAsked = true;
    this.#running ??= this.#run();
  }

  /** What was not sent is due as before. */
  async giveBack(unsent: readonly Leased[]): Promise<void> {
    for (const each of unsent) this.#options.leases.sent(each);
    await this.#free(unsent);
  }

  /** Waits for the last round, and until all have been told. */
  async finish(): Promise<void> {
    this.#options.leases.waitNoMore();
    await this.#running;
    await Promise.all(Object.values(this.#answering));
  }

  async #run(): Promise<void> {
    const { slots, runs, sweep } = this.#options;
    // Runs that begin in this turn of the event loop ask together.
    await nextTurn();
    while (this.#sweepAsked || this.#asking.size > 0) {
      if (!this.#sweepAsked && isWorthGathering(slots.fast, runs.size, this.#asking.size))
        await sleep(gatheredForMs);
      const asking = new Map(this.#asking);
      this.#asking.clear();
      try {
        if (this.#sweepAsked) {
          this.#sweepAsked = false;
          // A worker whose results are not written takes nothing over either: it would be sent once more.
          if (this.#maySend && (await sweep.go())) this.#sweepAsked = true;
        }
        await this.#lease(asking);
        this.#trouble.over();
      } catch (error) {
        this.#met(error);
      }
      for (const answer of asking.values()) answer();
    }
    // Here and not in a later turn, so that nobody asks in between and is left waiting.
    this.#running = undefined;
  }

  get #maySend(): boolean {
    const { held, runs, results } = this.#options;
    return held !== true && !runs.isStopping && results.keepsUp;
  }

  /** Takes those out who get something, or for whom nothing is due; they are told soon. */
  async #lease(asking: Map<string, (lease: Lease) => void>): Promise<void> {
    const { queue, workerId, clock, runs, slots, leases, events } = this.#options;
    const wanted = Array.from(asking.keys(), (webhook) => [webhook, runs.roomToLease(webhook)] as const);
    const rooms = new Map(wanted.filter(([, room]) => room > 0));
    if (rooms.size === 0 || !this.#maySend) return;
    const now = clock.now().toISOString();
    const { freeBytes: bytes, hasNothingToSend: atLeastOne } = leases;
    const bounds = { events, workerId, now, rooms, bytes, atLeastOne };
    const { leased, allFit, pacedForMs } = await leaseDeliveries(queue.claims, bounds);
    await this.#dismiss(leased, now);
    const groups = Map.groupBy(leased, ({ delivery }) => delivery.webhook_id);
    const answers: Record<'quick' | 'other', Answer[]> = { quick: [], other: [] };
    for (const [webhook, room] of rooms) {
      const group = groups.get(webhook) ?? [];
      const active = group.filter(isActive);
      for (const each of active) leases.take(each);
      const againInMs = pacedForMs.get(webhook);
      const hasMore = againInMs === undefined && (!allFit || group.length === room);
      const tell = asking.get(webhook);
      asking.delete(webhook);
      answers[slots.known(webhook) === 'quick' ? 'quick' : 'other'].push({
        attempts: active.length,
        give: () => tell?.({ leased: active, hasMore, againInMs }),
      });
    }
    for (const speed of ['quick', 'other'] as const)
      this.#answering[speed] = this.#answering[speed].then(() => giveAll(answers[speed]));
    if (!allFit) await leases.someSent(fullMs);
  }

  /** What is not to be sent leaves the queue; what somebody had locked of it is due as before. */
  async #dismiss(leased: readonly Leased[], now: string): Promise<void> {
    const unsent = leased.filter((each) => !isActive(each));
    if (unsent.length === 0) return;
    const { queue, log } = this.#options;
    const deliveries = unsent.map(({ delivery }) => delivery);
    await dismissDeliveries({ sql: queue.results, log }, deliveries, now);
    await this.#free(unsent);
  }

  async #free(unsent: readonly Leased[]): Promise<void> {
    if (unsent.length === 0) return;
    const { queue, workerId, leases } = this.#options;
    for (const { delivery } of unsent) leases.over(delivery);
    try {
      const all = await freeLeases(queue.results, workerId, unsent);
      // Whoever had locked some may have left them ours.
      if (!all) leases.doubt();
    } catch (error) {
      this.#met(error);
    }
  }

  #met(error: unknown): void {
    this.#options.leases.doubt();
    this.#trouble.met(error);
  }
}

/** Some in each turn of the event loop. */
async function giveAll(answers: readonly Answer[]): Promise<void> {
  let started = 0;
  for (const { attempts, give } of answers) {
    give();
    started += attempts;
    if (started < startedAtOnce) continue;
    started = 0;
    await nextTurn();
  }
}
