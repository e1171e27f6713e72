import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeDeliveryFailure, limits } from '@dealkeep/contract';
import type { Dispatcher } from 'undici';
import type { DeliveryJobs, WebhookKey } from '../../../change/queue/delivery-jobs.ts';
import type { WorkerPresence } from '../../../change/queue/worker-presence.ts';
import type { Clock } from '../../../foundations/clock.ts';
import type { Batches } from '../../../foundations/database/batches.ts';
import type { QueueConnections } from '../../../foundations/database/connect-queue.ts';
import type { Log } from '../../../foundations/log.ts';
import type { Metrics } from '../../../foundations/metrics/metrics.ts';
import {
  deliveriesGatheredForMs,
  logWrittenAtStopMs,
  nearRetryMs,
  queueLookedAtEveryMs,
  runLingersMs,
  runMs,
  slowAttemptAfterMs,
  trialMs,
  unsignedHeldForMs,
} from '../../../foundations/operating-limits.ts';
import type { RequestOutcome } from '../../../foundations/outgoing/index.ts';
import { Pause } from '../../../foundations/pause.ts';
import { type Secrets, UnreadableSecret } from '../../../foundations/secrets.ts';
import { type AttemptEntry, entryOf, logBuffer } from '../log/logged-attempts.ts';
import { AttemptSlots } from '../send/attempt-slots.ts';
import { isDelivered, type JudgedAttempt } from '../send/judge-attempt.ts';
import { AttemptSender } from '../send/send-attempt.ts';
import type { Leased } from './lease.ts';
import { LeaseRounds } from './lease-rounds.ts';
import { handBackLeases } from './lost-leases.ts';
import { ResultBuffer } from './result-buffer.ts';
import { Sweep } from './sweep.ts';
import { WorkerUpkeep } from './worker-upkeep.ts';

export interface DeliveryRunsOptions {
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
  /** A job with nothing left to send waits this long for more. */
  lingersMs: number;
  /** Results, and entries of the log, wait this long at most for others that are written with them. */
  gatheredForMs: { readonly results: number; readonly log: number };
}

/** With so many attempts in flight, a round of leases waits for several runs. */
const busyFrom = 20;

/** A job under way: what its webhook gets in it. */
class JobRun {
  /** Something may be due that is not leased. */
  mayHaveMore = true;
  isEnded = false;
  /** What is leased and not sent yet. */
  readonly waiting: Leased[] = [];
  /** When others are to have their runs, by the uptime of the machine. */
  endsAt = performance.now() + runMs;
  /** Ended when something changes that it decides by. */
  readonly pause = new Pause();

  /** Looks once more. */
  notice(): void {
    this.mayHaveMore = true;
    this.pause.end();
  }

  end(): void {
    this.isEnded = true;
    this.pause.end();
  }
}

/**
 * What a worker does with the jobs of deliveries. A job is a run for its webhook: what is due for it is leased and
 * sent, as many at once as it bears, until nothing is due. An attempt that takes long goes on without its job.
 */
export class DeliveryRuns {
  readonly #options: DeliveryRunsOptions;
  readonly #timing: DeliveryTiming;
  readonly #slots: AttemptSlots;
  readonly #sender: AttemptSender;
  readonly #rounds: LeaseRounds;
  readonly #sweep: Sweep;
  readonly #results: ResultBuffer;
  readonly #log: Batches<AttemptEntry>;
  readonly #upkeep: WorkerUpkeep;
  readonly #runs = new Map<string, JobRun>();
  /** Turns that have nothing to send and wait for more. */
  #lingering = 0;
  /** Webhooks whose run has ended before everything that was due was leased, and that had no room for more. */
  readonly #owed = new Set<string>();
  /** Webhooks that wait for their pace, until its moment: a job would be found half a second later. */
  readonly #paced = new Map<string, NodeJS.Timeout>();
  #sweepTimer: NodeJS.Timeout | undefined;
  #stopping = false;
  #endObservation: (() => void) | undefined;

  constructor(options: DeliveryRunsOptions) {
    const { queue, presence, agent, secrets, clock, log, held, concurrency, timing } = options;
    const { workerId } = presence;
    this.#options = options;
    this.#timing = {
      attemptLimitMs: limits.deliveryTimeoutSeconds * 1000,
      slowAfterMs: slowAttemptAfterMs,
      sweepEveryMs: queueLookedAtEveryMs,
      lingersMs: runLingersMs,
      gatheredForMs: deliveriesGatheredForMs,
      ...timing,
    };
    this.#slots = new AttemptSlots(concurrency);
    this.#sender = new AttemptSender({ agent, secrets, limitMs: this.#timing.attemptLimitMs });
    this.#upkeep = new WorkerUpkeep({ ...options, onBack: () => this.reconnected() });
    const common = { queue, workerId, clock, log };
    const maySend = (): boolean => held !== true && !this.#stopping && this.#results.keepsUp;
    this.#rounds = new LeaseRounds({
      ...common,
      distributed: options.distributed,
      roomOf: (webhook) => this.#roomOf(webhook),
      isQuick: (webhook) => this.#slots.known(webhook) === 'quick',
      isToGather: (asking) => this.#slots.fast >= busyFrom && this.#runs.size > asking,
      maySend,
      // A worker whose results are not written takes nothing over either: it would be sent once more.
      sweep: async () => maySend() && this.#sweep.go(),
      onDoubt: () => this.#sweep.doubt(),
    });
    this.#sweep = new Sweep({
      ...common,
      held: this.#rounds.held,
      // What is leased already and waits is not sent under a pause.
      onPauses: () => this.endRuns(),
      onFound: (found) => found.filter((webhook) => this.#addJob(webhook)).length,
    });
    const { gatheredForMs } = this.#timing;
    this.#log = logBuffer({ sql: queue.log, log, gatheredForMs: gatheredForMs.log });
    this.#results = new ResultBuffer({
      sql: queue.results,
      gatheredForMs: gatheredForMs.results,
      workerId,
      log,
      beforeJudging: () => this.#upkeep.noteSilence(),
      onRecorded: (written, released) => this.#onRecorded(written, released),
    });
  }

  start(): void {
    this.#endObservation = this.#options.metrics.observeDeliveries(() => ({
      ...this.#slots.counts,
      logWaiting: this.#log.size,
      logDropped: this.#log.dropped,
    }));
    this.#options.jobs.localWorker = (webhook) => this.#lookAgain(webhook);
    this.#keepUp();
    this.#sweepTimer = setInterval(() => this.#keepUp(), this.#timing.sweepEveryMs);
  }

  /** The database is there again: shows at once that this worker lives, before others take its work over. */
  reconnected(): void {
    this.#results.hurry();
    if (this.#stopping) return;
    this.#sweep.doubt();
    this.#keepUp();
  }

  /** A job: sends what is due for a webhook. Resolves when the job is done with. */
  async take(key: WebhookKey): Promise<void> {
    const { webhook_id: webhook } = key;
    if (this.#stopping || this.#lookAgain(webhook)) return;
    const run = new JobRun();
    this.#runs.set(webhook, run);
    await this.#run(key, run);
    if (run.waiting.length > 0) {
      run.mayHaveMore = true;
      await this.#rounds.giveBack(run.waiting.splice(0));
    }
    this.#runs.delete(webhook);
    if (run.mayHaveMore) this.#payOrOwe(key);
  }

  /** All runs end, what they have sent goes on: the runner of their jobs ends, or something is paused. */
  endRuns(): void {
    for (const run of this.#runs.values()) run.end();
  }

  /** Sends nothing new, lets what runs finish within the limit, then hands the rest back. */
  async stop(limitMs: number): Promise<void> {
    const { jobs, queue, presence, log } = this.#options;
    this.#stopping = true;
    jobs.localWorker = undefined;
    clearInterval(this.#sweepTimer);
    this.endRuns();
    await this.#rounds.finish();
    await this.#upkeep.finish();
    await this.#allEnded(limitMs);
    this.#sender.stop();
    await this.#allEnded(limitMs);
    await this.#results.finish();
    await handBackLeases(queue.results, presence.workerId).catch((error) => {
      log.warn({ error }, 'Deliveries could not be handed back; other workers take them over');
    });
    await Promise.race([this.#log.finish(), sleep(logWrittenAtStopMs, undefined, { ref: false })]);
    const attempts = this.#log.size;
    if (attempts > 0) log.warn({ attempts }, 'The delivery log lacks the last attempts');
    this.#endObservation?.();
  }

  async #allEnded(limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    while (this.#slots.size > 0 && performance.now() < end) await sleep(5);
  }

  /** A run that is under way looks once more. Answers false when there is none. */
  #lookAgain(webhook: string): boolean {
    const run = this.#runs.get(webhook);
    run?.notice();
    return run !== undefined;
  }

  async #run(key: WebhookKey, run: JobRun): Promise<void> {
    const { webhook_id: webhook } = key;
    while (!run.isEnded) {
      this.#sendWaiting(webhook, run);
      const inFlight = this.#slots.inFlight(webhook);
      const isOver = run.mayHaveMore && performance.now() > run.endsAt;
      if (run.mayHaveMore && !isOver && this.#roomOf(webhook) > 0) {
        if (!(await this.#lease(key, run))) return;
      } else if (inFlight > 0) {
        // What is in flight goes on without it.
        if ((isOver && run.waiting.length === 0) || !this.#mayWait(webhook)) return;
        await run.pause.take(runMs);
      } else {
        // When more may be due, it rests, or too many like it are in flight.
        if (run.mayHaveMore || run.waiting.length > 0 || !this.#mayLinger(webhook)) return;
        this.#lingering += 1;
        await run.pause.take(this.#timing.lingersMs);
        this.#lingering -= 1;
        if (!run.mayHaveMore) return;
        run.endsAt = performance.now() + runMs;
      }
    }
  }

  /** Answers false when nothing can be leased now. */
  async #lease(key: WebhookKey, run: JobRun): Promise<boolean> {
    run.mayHaveMore = false;
    const lease = await this.#rounds.lease(key.webhook_id);
    if (!lease) {
      // The database may be away; this is how it is known to be back.
      if (!this.#stopping) this.#upkeep.start();
      // Without its room it is owed the rest; else the sweep comes back to it, when leases can be had again.
      run.mayHaveMore = this.#roomOf(key.webhook_id) === 0;
      return false;
    }
    run.waiting.push(...lease.leased);
    if (lease.hasMore) run.mayHaveMore = true;
    // It has caught up: what comes from now on is not the backlog that others would wait for.
    else run.endsAt = performance.now() + runMs;
    if (lease.againInMs !== undefined) this.#addJobIn(key, lease.againInMs);
    return true;
  }

  /** How much may be leased for a webhook now: what it has room for, and as much again ahead where it is quick. */
  #roomOf(webhook: string): number {
    const waiting = this.#runs.get(webhook)?.waiting.length ?? 0;
    const ahead = this.#slots.aheadOf(webhook);
    if (waiting * 2 > ahead) return 0;
    return this.#slots.roomOf(webhook, this.#now()) + ahead - waiting;
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  /**
   * Whether a run may wait for its attempts: one whose attempts take long gives its job back, they go on without it.
   */
  #mayWait(webhook: string): boolean {
    const known = this.#slots.known(webhook);
    return known === 'quick' || (known === 'nothing' && !this.#isCrowded);
  }

  /**
   * Whether a run may wait for more to come. One whose webhook answers quickly may while those that wait take less
   * than half of the slots: its next delivery would stand behind the jobs of all others, which may be thousands that
   * hang.
   */
  #mayLinger(webhook: string): boolean {
    if (this.#slots.known(webhook) !== 'quick') return !this.#isCrowded;
    return this.#lingering < this.#options.slots / 2;
  }

  /** Half of the slots are taken. */
  get #isCrowded(): boolean {
    return this.#runs.size > this.#options.slots / 2;
  }

  #sendWaiting(webhook: string, run: JobRun): void {
    const { waiting } = run;
    while (waiting.length > 0 && this.#slots.roomOf(webhook, this.#now()) > 0) {
      const next = waiting.shift();
      if (next?.startBy !== undefined && next.startBy < this.#now()) {
        run.mayHaveMore = true;
        void this.#rounds.giveBack([next]);
      } else if (next) void this.#send(next);
    }
  }

  async #send(leased: Leased): Promise<void> {
    const { clock } = this.#options;
    const { delivery, event } = leased;
    const webhook = delivery.webhook_id;
    const { slowAfterMs } = this.#timing;
    const slot = this.#slots.enter(webhook);
    const slowTimer = setTimeout(
      () => {
        slot.slowDown();
        this.#runs.get(webhook)?.pause.end();
      },
      slot.isTrial ? Math.min(trialMs, slowAfterMs) : slowAfterMs,
    );
    const startedAt = clock.now();
    const outcome = await this.#outcomeOf(leased, startedAt);
    clearTimeout(slowTimer);
    slot.leave({ durationMs: outcome.durationMs, delivered: isDelivered(outcome) });
    this.#rounds.sent(leased);
    const run = this.#runs.get(webhook);
    if (run) {
      this.#sendWaiting(webhook, run);
      run.pause.end();
    } else if (this.#owed.delete(webhook)) {
      this.#payOrOwe(delivery);
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
      if (error instanceof UnreadableSecret) this.#slots.rest(webhook_id, this.#now() + unsignedHeldForMs);
      const message = describeDeliveryFailure('not_sent').en;
      return { outcome: 'failed', reason: 'not_sent', message, durationMs: 0 };
    }
  }

  #onRecorded(written: ReadonlySet<JudgedAttempt>, released: readonly WebhookKey[]): void {
    const { jobs, metrics } = this.#options;
    const made = [...written].filter(({ fate }) => fate !== 'held');
    for (const attempt of made) metrics.countAttempt(attempt);
    this.#log.add(made.map((attempt) => entryOf(attempt, attempt.dueAt)));
    for (const { delivery, dueAt } of written) {
      const { id, organization_id, webhook_id } = delivery;
      this.#rounds.held.delete(id);
      if (dueAt === null) continue;
      // A retry that is near has a job.
      const inMs = Math.max(0, Date.parse(dueAt) - this.#now());
      if (inMs <= nearRetryMs) jobs.addLater({ organization_id, webhook_id, inMs });
    }
    for (const { organization_id, webhook_id } of released) jobs.add(organization_id, [webhook_id]);
  }

  /** Where there is room for more of a webhook. Answers whether there is. */
  #addJob({ organization_id, webhook_id }: WebhookKey): boolean {
    if (this.#stopping) return true;
    if (this.#roomOf(webhook_id) === 0) return false;
    this.#options.jobs.add(organization_id, [webhook_id]);
    return true;
  }

  /** What there is no room for yet follows when an attempt ends, or is found by the sweep. */
  #payOrOwe(key: WebhookKey): void {
    if (!this.#addJob(key)) this.#owed.add(key.webhook_id);
  }

  /** When this process ends before, the sweep of another finds what is due. */
  #addJobIn(key: WebhookKey, inMs: number): void {
    const { webhook_id: webhook } = key;
    clearTimeout(this.#paced.get(webhook));
    const add = (): void => {
      this.#paced.delete(webhook);
      this.#addJob(key);
    };
    this.#paced.set(webhook, setTimeout(add, inMs).unref());
  }

  #keepUp(): void {
    this.#rounds.sweep();
    // The sweep passes by webhooks whose oldest delivery is leased, which these are for long.
    for (const webhook of this.#results.refusedOf) this.#addJob(webhook);
    // Beside it, so that trouble there cannot keep deliveries waiting.
    this.#upkeep.start();
  }
}
