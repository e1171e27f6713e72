import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@dealkeep/contract';
import type { Clock } from '../../clock.ts';
import type { QueueConnections } from '../../database/connect-queue.ts';
import { ErrorThrottle } from '../../error-throttle.ts';
import { pausesMark } from '../../installation/queue-pauses.ts';
import { noWorker } from '../../installation/worker-presence.ts';
import type { Log } from '../../log.ts';
import { dismissDeliveries } from '../../webhooks/withdraw-deliveries.ts';
import { type DeliveryJobs, unlockLostJobs, webhooksWithoutJob } from './delivery-jobs.ts';
import { type Leased, type LeasedDelivery, leaseDeliveries } from './lease.ts';
import { freeLeases, freeLostLeases, freeUnknownLeases } from './lost-leases.ts';
import { Pause } from './pause.ts';

interface LeaseRoundsOptions {
  queue: QueueConnections;
  /** As `Core.distributed`. */
  distributed?: boolean | undefined;
  workerId: number;
  jobs: DeliveryJobs;
  clock: Clock;
  log: Log;
  /** How much may be leased for a webhook now. */
  roomOf(webhook: string): number;
  /** Whether many attempts are in flight, so that a round had better be for several of them. */
  isBusy(): boolean;
  /** Whether more may be sent. */
  maySend(): boolean;
  /** A pause has begun or ended. */
  onPauses(): void;
}

/** What a turn gets. */
export interface Lease {
  leased: Leased[];
  /** More is due than there was room for. */
  hasMore: boolean;
  /** More may be due, for which the pace of the webhook has room in so many milliseconds. */
  againInMs: number | undefined;
}

/** While many are in flight, a round waits so long for others that ask. */
const gatheredForMs = 3;
/** So many attempts start in one turn of the event loop; a new connection takes a third of a millisecond. */
const startedAtOnce = 10;
/** The envelopes that are leased are too large for more until one is sent; asked again after this time at the latest. */
const fullMs = 1000;

/**
 * Takes leases for all turns that ask at one moment, with one statement: one round after another. Between them it
 * sweeps: frees what lost workers held, and adds jobs for what is due without one.
 */
export class LeaseRounds {
  readonly #options: LeaseRoundsOptions;
  readonly #trouble: ErrorThrottle;
  /** Ids of the deliveries whose lease is ours and known, until their result is written or they are given back. */
  readonly #held = new Set<string>();
  /** Bytes of the envelopes that are being sent or wait for it. */
  #bytes = 0;
  readonly #full = new Pause();
  readonly #asking = new Map<string, PromiseWithResolvers<Lease | undefined>>();
  #running: Promise<void> | undefined;
  #sweepAsked = false;
  /** The last sweep came to this webhook; those behind it are next. */
  #walkedTo: string | undefined;
  /** The walk goes on to its end, whatever it finds. */
  #walksOn = true;
  /** What was paused at the last sweep; where something is resumed, it waits without a job. */
  #pauses: string | undefined;
  /** An answer may have been lost, so that leases of ours are not known here. */
  #lostTrack = false;

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
    const answer = Promise.withResolvers<Lease | undefined>();
    this.#asking.set(webhook, answer);
    this.#running ??= this.#run();
    return answer.promise;
  }

  /** Looks for what has no job. Returns at once. */
  sweep(): void {
    this.#sweepAsked = true;
    this.#running ??= this.#run();
  }

  /** The same for all webhooks: something may have been left that nobody will come back to. Returns at once. */
  sweepAll(): void {
    this.#walkAll();
    this.sweep();
  }

  /** It is sent: its envelope takes no room any more. */
  sent({ event }: Leased): void {
    this.#bytes -= event?.bytes ?? 0;
    this.#full.end();
  }

  /**
   * The database was away, and may be another one now that lacks what was written last, as a standby that took over:
   * leases whose results were written are there again, and so are jobs that have ended. The next sweep frees them.
   */
  mayLackResults(): void {
    this.#lostTrack = true;
  }

  /** The result is written: the lease is over. */
  over({ id }: LeasedDelivery): void {
    this.#held.delete(id);
  }

  /** What was not sent is due as before. */
  async giveBack(unsent: readonly Leased[]): Promise<void> {
    for (const each of unsent) this.sent(each);
    await this.#free(unsent.map(({ delivery }) => delivery));
  }

  /** Waits for the last round. */
  async finish(): Promise<void> {
    this.#full.end();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Turns that begin in this turn of the event loop ask together.
    await nextTurn();
    while (this.#sweepAsked || this.#asking.size > 0) {
      if (!this.#sweepAsked && this.#options.isBusy()) await sleep(gatheredForMs);
      const asking = new Map(this.#asking);
      this.#asking.clear();
      try {
        if (this.#sweepAsked) await this.#sweep();
        await this.#lease(asking);
        this.#trouble.over();
      } catch (error) {
        this.#met(error);
      }
      for (const answer of asking.values()) answer.resolve(undefined);
    }
    // Here and not in a later turn, so that nobody asks in between and is left waiting.
    this.#running = undefined;
  }

  /** Answers those who get something, or for whom nothing is due. */
  async #lease(asking: ReadonlyMap<string, PromiseWithResolvers<Lease | undefined>>): Promise<void> {
    const { queue, workerId, clock, roomOf, maySend, distributed } = this.#options;
    const wanted = Array.from(asking.keys(), (webhook) => [webhook, roomOf(webhook)] as const);
    const rooms = new Map(wanted.filter(([, room]) => room > 0));
    if (rooms.size === 0 || !maySend()) return;
    const now = clock.now().toISOString();
    const bytes = limits.inFlightBytes - this.#bytes;
    const { leased, allFit, paces } = await leaseDeliveries(queue.claims, {
      distributed,
      workerId,
      now,
      rooms,
      bytes,
      atLeastOne: this.#bytes === 0,
    });
    await this.#dismiss(leased, now);
    const groups = Map.groupBy(leased, ({ delivery }) => delivery.webhook_id);
    let started = 0;
    for (const [webhook, room] of rooms) {
      const group = groups.get(webhook) ?? [];
      const active = group.filter(isActive);
      for (const { delivery, event } of active) {
        this.#held.add(delivery.id);
        this.#bytes += event?.bytes ?? 0;
      }
      const pace = paces[webhook];
      const waits = pace !== undefined && pace.granted <= room && group.length >= pace.granted;
      const hasMore = !allFit || group.length === room;
      asking
        .get(webhook)
        ?.resolve({ leased: active, hasMore: hasMore && !waits, againInMs: waits ? pace.inMs : undefined });
      started += group.length;
      if (started >= startedAtOnce) {
        started = 0;
        await nextTurn();
      }
    }
    if (!allFit && this.#bytes > 0) await this.#full.take(fullMs);
  }

  /** What is not to be sent leaves the queue. */
  async #dismiss(leased: readonly Leased[], now: string): Promise<void> {
    const unsent = leased.filter((each) => !isActive(each)).map(({ delivery }) => delivery);
    if (unsent.length === 0) return;
    await dismissDeliveries({ sql: this.#options.queue.results, log: this.#options.log }, unsent, now);
    // Those that somebody had locked.
    await this.#free(unsent);
  }

  #walkAll(): void {
    this.#walkedTo = undefined;
    this.#walksOn = true;
  }

  /** None of our leases may be taken meanwhile. */
  async #sweep(): Promise<void> {
    const { queue, jobs, workerId, clock, log, roomOf, maySend, onPauses } = this.#options;
    this.#sweepAsked = false;
    // A worker whose results are not written takes nothing over either: it would be sent once more.
    if (!maySend()) return;
    let freed = await freeLostLeases(queue.claims, workerId);
    const unlocked = await unlockLostJobs(queue.claims, this.#lostTrack ? workerId : noWorker);
    if (this.#lostTrack) {
      const unknown = await freeUnknownLeases(queue.claims, workerId, this.#held);
      freed += unknown.freed;
      this.#lostTrack = !unknown.all;
    }
    if (freed > 0) log.info({ deliveries: freed }, 'Took over deliveries that a lost worker held');
    const pauses = await pausesMark(queue.claims);
    const isOther = pauses !== (this.#pauses ?? pauses);
    this.#pauses = pauses;
    if (isOther) onPauses();
    if (unlocked + freed > 0 || isOther) this.#walkAll();
    const now = clock.now().toISOString();
    const { found, walkedTo } = await webhooksWithoutJob(queue.claims, now, this.#walkedTo);
    const wanted = found.filter(({ webhook_id }) => roomOf(webhook_id) > 0);
    for (const { organization_id, webhook_id } of wanted) jobs.add(organization_id, [webhook_id]);
    this.#walkedTo = walkedTo ?? undefined;
    // Where some were found there may be more. Leases are taken in between.
    if (walkedTo === null) this.#walksOn = false;
    else if (this.#walksOn || wanted.length > 0) this.#sweepAsked = true;
  }

  async #free(unsent: readonly LeasedDelivery[]): Promise<void> {
    if (unsent.length === 0) return;
    for (const { id } of unsent) this.#held.delete(id);
    try {
      const all = await freeLeases(this.#options.queue.results, this.#options.workerId, unsent);
      // Whoever had locked some may have left them ours; the next sweep looks.
      if (!all) this.#lostTrack = true;
    } catch (error) {
      this.#met(error);
    }
  }

  #met(error: unknown): void {
    this.#lostTrack = true;
    this.#walkAll();
    this.#trouble.met(error);
  }
}

const isActive = ({ delivery }: Leased): boolean => delivery.webhook_standing === 'active';
