import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '@dealkeep/contract';
import type { Dispatcher as HttpDispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { ErrorThrottle } from '../error-throttle.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { logWrittenAtStopMs, queueLookedAtEveryMs, slowAttemptAfterMs } from '../operating-limits.ts';
import type { Secrets } from '../secrets.ts';
import { AttemptsInFlight } from './attempts-in-flight.ts';
import type { LeasedDelivery } from './claim.ts';
import { DueDeliveries, type QueueConnections } from './due-deliveries.ts';
import { Lanes } from './lanes.ts';
import { freeLostLeases, freeUnknownLeases, handBackLeases } from './leases.ts';
import { LogBuffer } from './log/log-buffer.ts';
import { entryOf } from './log/logged-attempts.ts';
import { ResultBuffer } from './result-buffer.ts';
import { AttemptSender, type Room, readClaimed } from './send-attempt.ts';
import { dismissDeliveries } from './withdraw-deliveries.ts';
import { WorkerUpkeep } from './worker.ts';
import type { WorkerPresence } from './worker-presence.ts';

export interface DispatcherOptions {
  queue: QueueConnections;
  presence: WorkerPresence;
  /** The guarded agent. */
  agent: HttpDispatcher;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** `DELIVERIES=held`: nothing is claimed. */
  held?: boolean | undefined;
  /** Attempts in flight that are younger than a second; `WEBHOOK_CONCURRENCY`. */
  concurrency: number;
  timing?: Partial<DispatchTiming>;
}

export interface DispatchTiming {
  attemptLimitMs: number;
  /** An attempt older than this counts in the slow lane. */
  slowAfterMs: number;
  /** The worker looks by itself this often. */
  sweepEveryMs: number;
}

const usualTiming: DispatchTiming = {
  attemptLimitMs: limits.deliveryTimeoutSeconds * 1000,
  slowAfterMs: slowAttemptAfterMs,
  sweepEveryMs: queueLookedAtEveryMs,
};
/** The share of the attempts in flight that must have ended before a further claim is worth its statement. */
const worthALook = 0.4;
/** With so many attempts in flight, results wait a moment to be written together. */
const busyFrom = 20;
/** A free place is filled after this time even if too few attempts have ended. */
const longestEmptyMs = 3;
/** So many attempts start in one turn of the event loop; a new connection takes a third of a millisecond. */
const startedAtOnce = 10;
/** Bytes of all envelopes in flight. */
const { inFlightBytes: mostBytes } = limits;

/**
 * Sends what is due: claims in batches across webhooks, sends, and writes results in bulk. It looks when it is woken
 * and, because a wake-up is only a hint, by itself every second.
 */
export class DeliveryDispatcher {
  readonly #options: DispatcherOptions;
  readonly #timing: DispatchTiming;
  readonly #lanes: Lanes;
  readonly #due: DueDeliveries;
  readonly #results: ResultBuffer;
  readonly #logBuffer: LogBuffer;
  readonly #inFlight: AttemptsInFlight;
  readonly #upkeep: WorkerUpkeep;
  readonly #lookTrouble: ErrorThrottle;
  /** Ids of the deliveries whose lease is ours and known: in flight, or not yet written. */
  readonly #held = new Set<string>();
  #looking: Promise<void> | undefined;
  #again = false;
  /** The last look left something that may be sent as soon as an attempt ends. */
  #more = false;
  /** Attempts that have ended since the last claim, and when they are looked after at the latest. */
  #ended = 0;
  #nextLook: NodeJS.Timeout | undefined;
  /** A look for due deliveries was skipped, because results could not be written. */
  #waitsForResults = false;
  #leasesToCheck = true;
  /** A claim's answer may have been lost, so that leases of ours are not known here. */
  #lostTrack = false;
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;
  #endObservation: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    const { queue, presence, agent, secrets, clock, log, metrics, held, concurrency, timing } = options;
    this.#options = options;
    this.#timing = { ...usualTiming, ...timing };
    this.#lanes = new Lanes(concurrency);
    this.#due = new DueDeliveries({
      sql: queue.claims,
      workerId: presence.workerId,
      clock,
      lanes: this.#lanes,
      onRested: () => this.wake(),
    });
    this.#upkeep = new WorkerUpkeep({ queue, presence, clock, log, held });
    this.#lookTrouble = new ErrorThrottle({
      log,
      level: 'warn',
      begins: 'Looking for due deliveries fails; it is repeated',
      ends: 'Due deliveries are found again',
    });
    this.#inFlight = new AttemptsInFlight({
      sender: new AttemptSender({ agent, secrets, limitMs: this.#timing.attemptLimitMs }),
      lanes: this.#lanes,
      clock,
      log,
      slowAfterMs: this.#timing.slowAfterMs,
      onSlow: () => {
        if (this.#more) this.wake();
      },
      onEnded: (attempt) => {
        this.#results.add(attempt);
        this.#ended += 1;
        this.#fillPlaces();
      },
    });
    this.#logBuffer = new LogBuffer({ sql: queue.log, log });
    this.#results = new ResultBuffer({
      sql: queue.results,
      workerId: presence.workerId,
      log,
      moreToCome: () => this.#lanes.counts.fast >= busyFrom,
      beforeJudging: () => this.#upkeep.noteSilence(),
      onRecorded: (verdicts, released) => {
        for (const { delivery } of verdicts.keys()) this.#held.delete(delivery.id);
        const made = [...verdicts].filter(([, { fate }]) => fate !== 'held');
        for (const [attempt, verdict] of made) metrics.countAttempt(attempt, verdict);
        this.#logBuffer.add(made.map(([attempt, verdict]) => entryOf(attempt, verdict.dueAt)));
        if (released || this.#waitsForResults) this.wake();
      },
    });
  }

  start(): void {
    this.#endObservation = this.#options.metrics.observeDispatcher(() => ({
      ...this.#lanes.counts,
      logWaiting: this.#logBuffer.waiting,
      logDropped: this.#logBuffer.dropped,
    }));
    this.#sweep();
    this.#timer = setInterval(() => this.#sweep(), this.#timing.sweepEveryMs);
  }

  /** Looks for due deliveries. Returns at once; calls during a look become one further look. Tells whether it can send. */
  wake(): boolean {
    if (!this.#mayClaim()) return false;
    if (this.#looking) this.#again = true;
    else this.#looking = this.#look();
    return this.#lanes.free > 0;
  }

  /** The database is there again: shows at once that this worker lives, before others take its work over. */
  reconnected(): void {
    this.#results.hurry();
    if (!this.#stopping) this.#sweep();
  }

  /** Sends nothing new, lets what runs finish within the limit, then hands the rest back. */
  async stop(limitMs: number): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#timer);
    this.#due.stop();
    clearTimeout(this.#nextLook);
    await this.#looking;
    await this.#upkeep.finish();
    await this.#inFlight.stop(limitMs);
    await this.#results.finish();
    await this.#handBack();
    await this.#logBuffer.finish(logWrittenAtStopMs);
    this.#endObservation?.();
  }

  /**
   * Tried twice, because a connection that was lost unnoticed fails once. If the database is gone, other workers take
   * the deliveries over.
   */
  async #handBack(): Promise<void> {
    const { queue, presence, log } = this.#options;
    for (let tries = 1; tries <= 2; tries += 1) {
      try {
        await handBackLeases(queue.results, presence.workerId);
        return;
      } catch (error) {
        log.warn({ error }, 'Deliveries could not be handed back; other workers take them over');
      }
    }
  }

  #sweep(): void {
    this.#leasesToCheck = true;
    this.wake();
    // Beside the look, so that trouble there cannot keep deliveries waiting.
    this.#upkeep.start();
  }

  async #look(): Promise<void> {
    do {
      this.#again = false;
      this.#lanes.endRests(this.#options.clock.now().getTime());
      this.#noneEnded();
      try {
        await this.#checkLeases();
        while (this.#mayClaim() && (await this.#claimAndSend())) {
          // There may be more.
        }
        this.#lookTrouble.over();
      } catch (error) {
        this.#leasesToCheck = true;
        this.#lostTrack = true;
        this.#lookTrouble.met(error);
      }
    } while (this.#again && this.#mayClaim());
    this.#looking = undefined;
    this.#fillPlaces();
  }

  /** Looks again when enough places are free for a claim to be worth its while, or a moment after one is. */
  #fillPlaces(): void {
    if (!this.#more || this.#ended === 0 || this.#looking) return;
    if (this.#ended >= this.#lanes.counts.fast * worthALook) this.wake();
    else {
      this.#nextLook ??= setTimeout(() => {
        this.#nextLook = undefined;
        this.wake();
      }, longestEmptyMs);
    }
  }

  #noneEnded(): void {
    this.#ended = 0;
    clearTimeout(this.#nextLook);
    this.#nextLook = undefined;
  }

  /** A worker whose results are not written takes no leases over either: what they are of would be sent once more. */
  #mayClaim(): boolean {
    this.#waitsForResults = !this.#results.keepsUp;
    return !this.#stopping && !this.#waitsForResults && this.#options.held !== true;
  }

  /** Called within a look alone, so that no claim of ours runs meanwhile. */
  async #checkLeases(): Promise<void> {
    if (!this.#leasesToCheck) return;
    const { queue, presence, log } = this.#options;
    let freed = await freeLostLeases(queue.claims, presence.workerId);
    if (this.#lostTrack) {
      const unknown = await freeUnknownLeases(queue.claims, presence.workerId, this.#held);
      freed += unknown.freed;
      this.#lostTrack = !unknown.all;
    }
    this.#leasesToCheck = false;
    if (freed > 0) log.info({ deliveries: freed }, 'Took over deliveries that a lost worker held');
  }

  /** Answers whether to claim again at once. */
  async #claimAndSend(): Promise<boolean> {
    this.#more = true;
    this.#noneEnded();
    // First those that are known to be quick, so that nobody else's trouble is in their way.
    const quick = await this.#due.claimOfQuick();
    await this.#send(quick.leased);
    const others = await this.#due.claimOfOthers();
    await this.#send(others.leased);
    const extents = [quick.extent, others.extent];
    // What ended meanwhile may have made room that these claims did not see.
    this.#more = extents.some((extent) => extent !== 'all') || this.#lanes.someFull || this.#ended > 0;
    return extents.includes('a full batch');
  }

  /**
   * Sends all of them, as many at once as there is room for; what is not sent when the dispatcher stops is handed back
   * by `stop`.
   */
  async #send(leased: readonly LeasedDelivery[]): Promise<void> {
    for (let left = leased; left.length > 0 && !this.#stopping; ) {
      const { bytes } = this.#inFlight;
      const anyEnd = this.#inFlight.anyEnd();
      const read = await this.#sendFirst(left, { bytes: mostBytes - bytes, atLeastOne: bytes === 0 });
      if (read === 0) await anyEnd;
      left = left.slice(read);
    }
  }

  /** Answers how many there was room for. */
  async #sendFirst(leased: readonly LeasedDelivery[], room: Room): Promise<number> {
    const { queue, clock, log } = this.#options;
    const now = clock.now().toISOString();
    const { claimed, events, read } = await readClaimed(queue.claims, leased, now, room);
    const active = claimed.filter((each) => each.webhook_standing === 'active');
    if (active.length < claimed.length) await dismissDeliveries({ sql: queue.results, log }, claimed, now);
    for (const [index, delivery] of active.entries()) {
      this.#held.add(delivery.id);
      this.#inFlight.start(delivery, events.get(delivery.event_id));
      if (index % startedAtOnce === startedAtOnce - 1) await nextTurn();
    }
    return read;
  }
}
