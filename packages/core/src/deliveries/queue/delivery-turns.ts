import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeDeliveryFailure, limits } from '@dealkeep/contract';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../clock.ts';
import type { QueueConnections } from '../../database/connect-queue.ts';
import type { WorkerPresence } from '../../installation/worker-presence.ts';
import { WorkerUpkeep } from '../../installation/worker-upkeep.ts';
import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import {
  logWrittenAtStopMs,
  nearRetryMs,
  queueLookedAtEveryMs,
  slowAttemptAfterMs,
  trialMs,
  turnLingersMs,
  turnMs,
  unsignedHeldForMs,
} from '../../operating-limits.ts';
import type { RequestOutcome } from '../../outgoing/index.ts';
import { type Secrets, UnreadableSecret } from '../../secrets.ts';
import type { WebhookKey } from '../../webhooks/webhook-locks.ts';
import { LogBuffer } from '../log/log-buffer.ts';
import { entryOf } from '../log/logged-attempts.ts';
import { type FinishedAttempt, isDelivered, type Verdict } from '../send/judge-attempt.ts';
import { Places } from '../send/places.ts';
import { AttemptSender } from '../send/send-attempt.ts';
import type { DeliveryJobs } from './delivery-jobs.ts';
import type { Leased } from './lease.ts';
import { LeaseRounds } from './lease-rounds.ts';
import { handBackLeases } from './lost-leases.ts';
import { ResultBuffer } from './result-buffer.ts';
import { Turn } from './turn.ts';

export interface DeliveryTurnsOptions {
  queue: QueueConnections;
  /** As `Core.distributed`. */
  distributed?: boolean | undefined;
  presence: WorkerPresence;
  jobs: DeliveryJobs;
  /** The guarded agent. */
  agent: Dispatcher;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** `DELIVERIES=held`: nothing is sent. */
  held?: boolean | undefined;
  /** Attempts in flight that do not take long; `WEBHOOK_CONCURRENCY`. */
  concurrency: number;
  /** Jobs that are run at once. */
  slots: number;
  timing?: Partial<DeliveryTiming>;
}

export interface DeliveryTiming {
  attemptLimitMs: number;
  /** An attempt older than this takes long. */
  slowAfterMs: number;
  /** The worker sweeps this often. */
  sweepEveryMs: number;
}

/** With so many attempts in flight, a round of leases waits for several of them. */
const busyFrom = 20;

/**
 * What a worker does with the jobs of deliveries. A job is a turn of its webhook: what is due for it is leased and sent,
 * as many at once as it bears, until nothing is due. An attempt that takes long goes on without its job.
 */
export class DeliveryTurns {
  readonly #options: DeliveryTurnsOptions;
  readonly #timing: DeliveryTiming;
  readonly #places: Places;
  readonly #sender: AttemptSender;
  readonly #rounds: LeaseRounds;
  readonly #results: ResultBuffer;
  readonly #logBuffer: LogBuffer;
  readonly #upkeep: WorkerUpkeep;
  readonly #turns = new Map<string, Turn>();
  /** Webhooks whose turn has ended before everything that was due was leased, and that have no room for more. */
  readonly #owed = new Map<string, string>();
  #sweepTimer: NodeJS.Timeout | undefined;
  /** Something could not be leased because results could not be written. */
  #waitsForResults = false;
  #stopping = false;
  #endObservation: (() => void) | undefined;

  constructor(options: DeliveryTurnsOptions) {
    const { queue, presence, jobs, agent, secrets, clock, log, held, concurrency, timing } = options;
    const { workerId } = presence;
    this.#options = options;
    this.#timing = {
      attemptLimitMs: limits.deliveryTimeoutSeconds * 1000,
      slowAfterMs: slowAttemptAfterMs,
      sweepEveryMs: queueLookedAtEveryMs,
      ...timing,
    };
    this.#places = new Places(concurrency);
    this.#sender = new AttemptSender({ agent, secrets, limitMs: this.#timing.attemptLimitMs });
    this.#upkeep = new WorkerUpkeep({
      queue,
      presence,
      clock,
      log,
      held,
      onBack: () => this.reconnected(),
    });
    this.#rounds = new LeaseRounds({
      queue,
      distributed: options.distributed,
      workerId,
      jobs,
      clock,
      log,
      roomOf: (webhook) => this.#roomOf(webhook),
      isBusy: () => this.#places.fast >= busyFrom,
      maySend: () => {
        this.#waitsForResults = !this.#results.keepsUp;
        return held !== true && !this.#stopping && !this.#waitsForResults;
      },
      // What is leased already and waits is not sent under a pause.
      onPauses: () => this.endTurns(),
    });
    this.#logBuffer = new LogBuffer({ sql: queue.log, log });
    this.#results = new ResultBuffer({
      sql: queue.results,
      workerId,
      log,
      beforeJudging: () => this.#upkeep.noteSilence(),
      onRecorded: (verdicts, released) => this.#onRecorded(verdicts, released),
    });
  }

  start(): void {
    this.#endObservation = this.#options.metrics.observeDeliveries(() => ({
      ...this.#places.counts,
      logWaiting: this.#logBuffer.size,
      logDropped: this.#logBuffer.dropped,
    }));
    this.#options.jobs.setLocalWorker((webhook) => this.#lookAgain(webhook));
    this.#keepUp();
    this.#sweepTimer = setInterval(() => this.#keepUp(), this.#timing.sweepEveryMs);
  }

  /** The database is there again: shows at once that this worker lives, before others take its work over. */
  reconnected(): void {
    this.#results.hurry();
    if (this.#stopping) return;
    this.#rounds.mayLackResults();
    this.#rounds.sweepAll();
    this.#keepUp();
  }

  /** A job: sends what is due for a webhook. Resolves when the job is done with. */
  async take(key: WebhookKey): Promise<void> {
    const { organization_id, webhook_id: webhook } = key;
    if (this.#stopping || this.#lookAgain(webhook)) return;
    const turn = new Turn();
    this.#turns.set(webhook, turn);
    await this.#run(key, turn);
    if (turn.waiting.length > 0) {
      turn.mayHaveMore = true;
      await this.#rounds.giveBack(turn.waiting.splice(0));
    }
    this.#turns.delete(webhook);
    if (!turn.mayHaveMore || this.#stopping) return;
    if (this.#roomOf(webhook) > 0) this.#options.jobs.add(organization_id, [webhook]);
    else this.#owed.set(webhook, organization_id);
  }

  /** All turns end, what they have sent goes on: the runner of their jobs ends, or something is paused. */
  endTurns(): void {
    for (const turn of this.#turns.values()) {
      turn.isEnded = true;
      turn.change();
    }
  }

  /** Sends nothing new, lets what runs finish within the limit, then hands the rest back. */
  async stop(limitMs: number): Promise<void> {
    const { jobs, queue, presence, log } = this.#options;
    this.#stopping = true;
    jobs.setLocalWorker(undefined);
    clearInterval(this.#sweepTimer);
    this.endTurns();
    await this.#rounds.finish();
    await this.#upkeep.finish();
    await this.#allEnded(limitMs);
    this.#sender.stop();
    await this.#allEnded(limitMs);
    await this.#results.finish();
    await handBackLeases(queue.results, presence.workerId).catch((error) => {
      log.warn({ error }, 'Deliveries could not be handed back; other workers take them over');
    });
    await Promise.race([this.#logBuffer.finish(), sleep(logWrittenAtStopMs, undefined, { ref: false })]);
    const attempts = this.#logBuffer.size;
    if (attempts > 0) log.warn({ attempts }, 'The delivery log lacks the last attempts');
    this.#endObservation?.();
  }

  async #allEnded(limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    while (this.#places.size > 0 && performance.now() < end) await sleep(5);
  }

  /** A turn that runs looks once more. Answers false when there is none. */
  #lookAgain(webhook: string): boolean {
    const turn = this.#turns.get(webhook);
    if (turn === undefined) return false;
    turn.mayHaveMore = true;
    turn.change();
    return true;
  }

  async #run(key: WebhookKey, turn: Turn): Promise<void> {
    const { webhook_id: webhook } = key;
    while (!turn.isEnded) {
      this.#sendWaiting(webhook, turn);
      const inFlight = this.#places.inFlight(webhook);
      const isOver = turn.mayHaveMore && performance.now() > turn.endsAt;
      if (turn.mayHaveMore && !isOver && this.#roomOf(webhook) > 0) {
        turn.mayHaveMore = false;
        const lease = await this.#rounds.lease(webhook);
        if (!lease) {
          // The database may be away; this is how it is known to be back.
          if (!this.#stopping) this.#upkeep.start();
          // Without its room it is owed the rest; else the sweep comes back to it, when leases can be had again.
          turn.mayHaveMore = this.#roomOf(webhook) === 0;
          return;
        }
        turn.waiting.push(...lease.leased);
        if (lease.hasMore) turn.mayHaveMore = true;
        if (lease.againInMs !== undefined) this.#options.jobs.addIn(key, lease.againInMs);
      } else if (inFlight > 0) {
        // What is in flight goes on without it.
        if ((isOver && turn.waiting.length === 0) || !this.#mayWait(webhook)) return;
        await turn.changed();
      } else {
        // When more may be due, it rests, or too many like it are in flight.
        if (turn.mayHaveMore || turn.waiting.length > 0 || this.#isCrowded) return;
        await turn.changed(turnLingersMs);
        if (!turn.mayHaveMore) return;
        turn.endsAt = performance.now() + turnMs;
      }
    }
  }

  /** How much may be leased for a webhook now: what it has room for, and as much again ahead where it is quick. */
  #roomOf(webhook: string): number {
    const waiting = this.#turns.get(webhook)?.waiting.length ?? 0;
    const ahead = this.#places.aheadOf(webhook);
    if (waiting * 2 > ahead) return 0;
    return this.#places.roomOf(webhook, this.#now()) + ahead - waiting;
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  /** Whether a turn may wait for its attempts: one whose attempts take long gives its job back, they go on without it. */
  #mayWait(webhook: string): boolean {
    const known = this.#places.known(webhook);
    return known === 'quick' || (known === 'nothing' && !this.#isCrowded);
  }

  /** Half of the slots are taken. */
  get #isCrowded(): boolean {
    return this.#turns.size > this.#options.slots / 2;
  }

  #sendWaiting(webhook: string, turn: Turn): void {
    const { waiting } = turn;
    while (waiting.length > 0 && this.#places.roomOf(webhook, this.#now()) > 0) {
      const next = waiting.shift();
      if (next?.startBy !== undefined && next.startBy < this.#now()) {
        turn.mayHaveMore = true;
        void this.#rounds.giveBack([next]);
      } else if (next) void this.#send(next);
    }
  }

  async #send(leased: Leased): Promise<void> {
    const { clock } = this.#options;
    const { delivery, event } = leased;
    const webhook = delivery.webhook_id;
    const { slowAfterMs } = this.#timing;
    const place = this.#places.enter(webhook);
    const slowTimer = setTimeout(
      () => {
        place.slowDown();
        this.#turns.get(webhook)?.change();
      },
      place.isTrial ? Math.min(trialMs, slowAfterMs) : slowAfterMs,
    );
    const startedAt = clock.now();
    const outcome = await this.#outcomeOf(leased, startedAt);
    clearTimeout(slowTimer);
    place.leave({ durationMs: outcome.durationMs, delivered: isDelivered(outcome) });
    this.#rounds.sent(leased);
    const turn = this.#turns.get(webhook);
    if (turn) {
      this.#sendWaiting(webhook, turn);
      turn.change();
    } else {
      this.#payOwed(webhook);
    }
    if (outcome.outcome === 'failed' && outcome.reason === 'stopped') return;
    const endedAt = clock.now();
    const eventType = event?.type;
    this.#results.add([{ id: randomUUIDv7(), delivery, eventType, startedAt, endedAt, outcome }]);
  }

  async #outcomeOf({ delivery, event }: Leased, startedAt: Date): Promise<RequestOutcome> {
    try {
      if (!event) throw new Error('The event of a delivery does not exist');
      return await this.#sender.send(delivery, event, startedAt);
    } catch (error) {
      const { event_id, webhook_id } = delivery;
      this.#options.log.error(
        { error, event_id, webhook_id },
        'A delivery cannot be sent; it is held, and tried again in a minute',
      );
      // Everything else that waits for this webhook would fail the same way, so the webhook rests.
      if (error instanceof UnreadableSecret) this.#places.rest(webhook_id, this.#now() + unsignedHeldForMs);
      const message = describeDeliveryFailure('not_sent').en;
      return { outcome: 'failed', reason: 'not_sent', message, durationMs: 0 };
    }
  }

  #onRecorded(verdicts: ReadonlyMap<FinishedAttempt, Verdict>, released: readonly WebhookKey[]): void {
    const { jobs, metrics } = this.#options;
    const made = [...verdicts].filter(([, { fate }]) => fate !== 'held');
    for (const [attempt, verdict] of made) metrics.countAttempt(attempt, verdict);
    this.#logBuffer.add(made.map(([attempt, verdict]) => entryOf(attempt, verdict.dueAt)));
    for (const [{ delivery }, { dueAt }] of verdicts) {
      this.#rounds.over(delivery);
      if (dueAt === null) continue;
      // A retry that is near has a job.
      const { organization_id, webhook_id } = delivery;
      const inMs = Math.max(0, Date.parse(dueAt) - this.#now());
      if (inMs <= nearRetryMs) jobs.addLater({ organization_id, webhook_id, inMs });
    }
    for (const { organization_id, webhook_id } of released) jobs.add(organization_id, [webhook_id]);
    if (this.#waitsForResults) this.#rounds.sweepAll();
  }

  /** What is owed to a webhook gets a job once there is room. */
  #payOwed(webhook: string): void {
    const organization = this.#owed.get(webhook);
    if (organization === undefined || this.#stopping || this.#roomOf(webhook) === 0) return;
    this.#owed.delete(webhook);
    this.#options.jobs.add(organization, [webhook]);
  }

  #keepUp(): void {
    this.#rounds.sweep();
    for (const webhook of this.#owed.keys()) this.#payOwed(webhook);
    // The sweep passes by webhooks whose oldest delivery is leased, which these are for long.
    for (const { organization_id, webhook_id } of this.#results.refusedOf) {
      this.#options.jobs.add(organization_id, [webhook_id]);
    }
    // Beside it, so that trouble there cannot keep deliveries waiting.
    this.#upkeep.start();
  }
}
