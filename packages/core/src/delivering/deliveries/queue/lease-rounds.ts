import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@dealkeep/contract';
import type { Clock } from '../../../foundations/clock.ts';
import type { QueueConnections } from '../../../foundations/database/connect-queue.ts';
import { ErrorThrottle } from '../../../foundations/error-throttle.ts';
import type { Log } from '../../../foundations/log.ts';
import { Pause } from '../../../foundations/pause.ts';
import { dismissDeliveries } from '../../webhooks/withdraw-deliveries.ts';
import { isActive, type Leased, leaseDeliveries } from './lease.ts';
import { freeLeases } from './lost-leases.ts';

interface LeaseRoundsOptions {
  queue: QueueConnections;
  /** As `Core.distributed`. */
  distributed?: boolean | undefined;
  workerId: number;
  clock: Clock;
  log: Log;
  /** How much may be leased for a webhook now. */
  roomOf(webhook: string): number;
  /** Whether a webhook is known to answer quickly. */
  isQuick(webhook: string): boolean;
  /** Whether more turns are likely to ask in a moment, beside so many that have asked. */
  isToGather(asking: number): boolean;
  /** Whether more may be sent. */
  maySend(): boolean;
  /** Done between rounds, where none of our leases is being taken. Answers whether it is to go on at once. */
  sweep(): Promise<boolean>;
  /** Leases of ours may not be known here: an answer was lost, or what was not sent could not be given back. */
  onDoubt(): void;
}

/** What a turn gets. */
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

/** What a turn is told, and how many attempts that starts. */
interface Answer {
  readonly attempts: number;
  give(): void;
}

/**
 * Takes leases for all turns that ask at one moment, with one statement: one round after another. The next round
 * does not wait until the attempts of this one have been started.
 */
export class LeaseRounds {
  /** Ids of the deliveries whose lease is ours and known, until their result is written or they are given back. */
  readonly held = new Set<string>();
  readonly #options: LeaseRoundsOptions;
  readonly #trouble: ErrorThrottle;
  /** Bytes of the envelopes that are being sent or wait for it. */
  #bytes = 0;
  readonly #full = new Pause();
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
    });
  }

  /** What is due for a webhook; undefined when nothing can be leased now. One turn of a webhook asks at a time. */
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

  /** It is sent: its envelope takes no room any more. */
  sent({ event }: Leased): void {
    this.#bytes -= event?.bytes ?? 0;
    this.#full.end();
  }

  /** What was not sent is due as before. */
  async giveBack(unsent: readonly Leased[]): Promise<void> {
    for (const each of unsent) this.sent(each);
    await this.#free(unsent);
  }

  /** Waits for the last round, and until all have been told. */
  async finish(): Promise<void> {
    this.#full.end();
    await this.#running;
    await Promise.all(Object.values(this.#answering));
  }

  async #run(): Promise<void> {
    // Turns that begin in this turn of the event loop ask together.
    await nextTurn();
    while (this.#sweepAsked || this.#asking.size > 0) {
      if (!this.#sweepAsked && this.#options.isToGather(this.#asking.size)) await sleep(gatheredForMs);
      const asking = new Map(this.#asking);
      this.#asking.clear();
      try {
        if (this.#sweepAsked) {
          this.#sweepAsked = false;
          if (await this.#options.sweep()) this.#sweepAsked = true;
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

  /** Takes those out who get something, or for whom nothing is due; they are told soon. */
  async #lease(asking: Map<string, (lease: Lease) => void>): Promise<void> {
    const { queue, workerId, clock, roomOf, maySend, isQuick, distributed } = this.#options;
    const wanted = Array.from(asking.keys(), (webhook) => [webhook, roomOf(webhook)] as const);
    const rooms = new Map(wanted.filter(([, room]) => room > 0));
    if (rooms.size === 0 || !maySend()) return;
    const now = clock.now().toISOString();
    const bytes = limits.inFlightBytes - this.#bytes;
    const atLeastOne = this.#bytes === 0;
    const bounds = { distributed, workerId, now, rooms, bytes, atLeastOne };
    const { leased, allFit, pacedForMs } = await leaseDeliveries(queue.claims, bounds);
    await this.#dismiss(leased, now);
    const groups = Map.groupBy(leased, ({ delivery }) => delivery.webhook_id);
    const answers: Record<'quick' | 'other', Answer[]> = { quick: [], other: [] };
    for (const [webhook, room] of rooms) {
      const group = groups.get(webhook) ?? [];
      const active = group.filter(isActive);
      for (const { delivery, event } of active) {
        this.held.add(delivery.id);
        this.#bytes += event?.bytes ?? 0;
      }
      const againInMs = pacedForMs.get(webhook);
      const hasMore = againInMs === undefined && (!allFit || group.length === room);
      const tell = asking.get(webhook);
      asking.delete(webhook);
      answers[isQuick(webhook) ? 'quick' : 'other'].push({
        attempts: active.length,
        give: () => tell?.({ leased: active, hasMore, againInMs }),
      });
    }
    for (const speed of ['quick', 'other'] as const)
      this.#answering[speed] = this.#answering[speed].then(() => giveAll(answers[speed]));
    if (!allFit && this.#bytes > 0) await this.#full.take(fullMs);
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
    for (const { delivery } of unsent) this.held.delete(delivery.id);
    try {
      const all = await freeLeases(this.#options.queue.results, this.#options.workerId, unsent);
      // Whoever had locked some may have left them ours.
      if (!all) this.#options.onDoubt();
    } catch (error) {
      this.#met(error);
    }
  }

  #met(error: unknown): void {
    this.#options.onDoubt();
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
