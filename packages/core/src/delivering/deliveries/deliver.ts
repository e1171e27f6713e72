import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeDeliveryFailure, limits } from '@dealkeep/contract';
import type { Dispatcher } from 'undici';
import type { DeliveryJobs, WebhookKey } from '../../change/queue/delivery-jobs.ts';
import type { WorkerPresence } from '../../change/queue/worker-presence.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Batches } from '../../foundations/database/batches.ts';
import type { QueueConnections } from '../../foundations/database/connect-queue.ts';
import type { Placement } from '../../foundations/database/placement.ts';
import type { Log } from '../../foundations/log.ts';
import type { Metrics } from '../../foundations/metrics/metrics.ts';
import {
  deliveriesGatheredForMs,
  logWrittenAtStopMs,
  queueLookedAtEveryMs,
  runLingersMs,
  runMs,
  slowAttemptAfterMs,
  trialMs,
  unsignedHeldForMs,
} from '../../foundations/operating-limits.ts';
import type { RequestOutcome } from '../../foundations/outgoing/index.ts';
import { type Secrets, UnreadableSecret } from '../../foundations/secrets.ts';
import { tellWithdrawn } from '../webhooks/withdraw-deliveries.ts';
import { AttemptSender, addressOf } from './attempt-sender.ts';
import { isTooLate, jobOfRetryInMs } from './decide.ts';
import { type FinishedAttempt, isDelivered, type JudgedAttempt, judgeAttempt } from './judge.ts';
import { dueEvents } from './lease/due-events.ts';
import { handBackLeases } from './lease/free-leases.ts';
import type { Leased } from './lease/lease.ts';
import { LeaseRounds } from './lease/lease-rounds.ts';
import type { DeliveryStage } from './stages.ts';
import { AttemptSlots } from './state/attempt-slots.ts';
import { DueJobs } from './state/due-jobs.ts';
import { HeldLeases } from './state/held-leases.ts';
import { type JobRun, JobRuns } from './state/job-runs.ts';
import { Sweep } from './upkeep/sweep.ts';
import { WorkerUpkeep } from './upkeep/worker-upkeep.ts';
import { type AttemptEntry, entryOf, logBuffer } from './write/attempt-log.ts';
import { ResultBuffer } from './write/result-buffer.ts';
import { settleDeliveries } from './write/settle-deliveries.ts';

// How an event leaves, in the order in which it does: run of a job → lease → sign → send → judge → write. What is
// decided on the way stands in `decide.ts` and `judge.ts`, what is remembered in `state`, the statements in `lease`
// and `write`, and what a worker does by the clock in `upkeep`.

export interface DeliveryRunsOptions {
  queue: QueueConnections;
  placement: Placement;
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

/**
 * What a worker does with the jobs of deliveries. A job is a run for its webhook: what is due for it is leased and
 * sent, as many at once as it bears, until nothing is due. An attempt that takes long goes on without its job.
 */
export class DeliveryRuns {
  readonly #options: DeliveryRunsOptions & { readonly timing: DeliveryTiming };
  readonly #slots: AttemptSlots;
  readonly #runs: JobRuns;
  readonly #leases = new HeldLeases();
  readonly #jobs: DueJobs;
  readonly #rounds: LeaseRounds;
  readonly #sender: AttemptSender;
  readonly #results: ResultBuffer;
  readonly #log: Batches<AttemptEntry>;
  readonly #upkeep: WorkerUpkeep;
  #keptUp: NodeJS.Timeout | undefined;
  #endObservation: (() => void) | undefined;

  constructor(options: DeliveryRunsOptions) {
    const { queue, presence, jobs, agent, secrets, clock, log, concurrency, slots: atOnce } = options;
    const { workerId } = presence;
    const timing = {
      attemptLimitMs: limits.deliveryTimeoutSeconds * 1000,
      slowAfterMs: slowAttemptAfterMs,
      sweepEveryMs: queueLookedAtEveryMs,
      lingersMs: runLingersMs,
      gatheredForMs: deliveriesGatheredForMs,
      ...options.timing,
    };
    this.#options = { ...options, timing };
    const slots = new AttemptSlots(concurrency);
    const runs = new JobRuns({ slots, clock, atOnce });
    this.#slots = slots;
    this.#runs = runs;
    this.#jobs = new DueJobs({ jobs, runs });
    this.#sender = new AttemptSender({ agent, secrets, limitMs: timing.attemptLimitMs });
    const { results: gatheredForMs, log: logGatheredForMs } = timing.gatheredForMs;
    this.#results = new ResultBuffer({ log, gatheredForMs, write: (batch) => this.#write(batch) });
    this.#log = logBuffer({ sql: queue.log, log, gatheredForMs: logGatheredForMs });
    const state = { queue, workerId, clock, log, runs, leases: this.#leases };
    const sweep = new Sweep({ ...state, jobs: this.#jobs });
    const { placement, held } = options;
    const events = dueEvents(placement);
    this.#rounds = new LeaseRounds({ ...state, slots, results: this.#results, sweep, events, held });
    this.#upkeep = new WorkerUpkeep(options);
  }

  /** A job: sends what is due for a webhook. Resolves when the job is done with. */
  async take(key: WebhookKey): Promise<void> {
    const { webhook_id: webhook } = key;
    if (this.#runs.isStopping || this.#runs.lookAgain(webhook)) return;
    const run = this.#runs.begin(webhook);
    await this.#run(key, run);
    if (run.waiting.length > 0) {
      run.mayHaveMore = true;
      await this.#rounds.giveBack(run.waiting.splice(0));
    }
    this.#runs.over(webhook);
    if (run.mayHaveMore) this.#jobs.addOrOwe(key);
  }

  async #run(key: WebhookKey, run: JobRun): Promise<void> {
    const { lingersMs } = this.#options.timing;
    while (!run.isEnded) {
      this.#sendWaiting(key.webhook_id, run);
      const step = this.#runs.nextStep(key.webhook_id, run);
      if (step === 'end') return;
      if (step === 'wait') await run.pause(runMs);
      if (step === 'lease' && !(await this.#lease(key, run))) return;
      if (step === 'linger') {
        await this.#runs.linger(run, lingersMs);
        if (!run.mayHaveMore) return;
        run.beginAnew();
      }
    }
  }

  /** Answers false when nothing can be leased now. */
  async #lease(key: WebhookKey, run: JobRun): Promise<boolean> {
    run.mayHaveMore = false;
    const lease = await this.#rounds.lease(key.webhook_id);
    if (!lease) {
      // The database may be away; this is how it is known to be back.
      if (!this.#runs.isStopping) this.#showLife();
      // Without its room it is owed the rest; else the sweep comes back to it, when leases can be had again.
      run.mayHaveMore = this.#runs.roomToLease(key.webhook_id) === 0;
      return false;
    }
    run.waiting.push(...lease.leased);
    if (lease.hasMore) run.mayHaveMore = true;
    else run.beginAnew();
    if (lease.againInMs !== undefined) this.#jobs.addIn(key, lease.againInMs);
    return true;
  }

  #sendWaiting(webhook: string, run: JobRun): void {
    const { waiting } = run;
    while (waiting.length > 0 && this.#runs.roomToStart(webhook) > 0) {
      const next = waiting.shift();
      if (next && isTooLate(next, this.#now())) {
        run.mayHaveMore = true;
        void this.#rounds.giveBack([next]);
      } else if (next) void this.#attempt(next);
    }
  }

  /** Sign, send and judge; the result is written with others. */
  async #attempt(leased: Leased): Promise<void> {
    const { clock, timing } = this.#options;
    const { delivery, event } = leased;
    const webhook = delivery.webhook_id;
    const slot = this.#slots.enter(webhook);
    const slow = (): void => {
      slot.slowDown();
      this.#runs.of(webhook)?.goOn();
    };
    const slowTimer = setTimeout(
      slow,
      slot.isTrial ? Math.min(trialMs, timing.slowAfterMs) : timing.slowAfterMs,
    );
    const startedAt = clock.now();
    const outcome = await this.#signAndSend(leased, startedAt);
    clearTimeout(slowTimer);
    slot.leave({ durationMs: outcome.durationMs, delivered: isDelivered(outcome) });
    this.#leases.sent(leased);
    const run = this.#runs.of(webhook);
    if (run) {
      this.#sendWaiting(webhook, run);
      run.goOn();
    } else this.#jobs.payOwed(delivery);
    if (outcome.outcome === 'failed' && outcome.reason === 'stopped') return;
    const eventType = event?.type;
    const id = randomUUIDv7();
    const attempt: FinishedAttempt = { id, delivery, eventType, startedAt, endedAt: clock.now(), outcome };
    this.#results.add([{ ...attempt, ...judgeAttempt(attempt, Math.random()) }]);
  }

  async #signAndSend({ delivery, event }: Leased, startedAt: Date): Promise<RequestOutcome> {
    let stage: DeliveryStage = 'lease';
    try {
      if (!event) throw new Error('The event of a delivery does not exist');
      stage = 'sign';
      const request = this.#sender.sign(delivery, event, startedAt);
      stage = 'send';
      return await this.#sender.send(request);
    } catch (error) {
      const { event_id, webhook_id } = delivery;
      this.#options.log.error(
        { error, stage, event_id, webhook_id },
        'A delivery cannot be sent; it is held, and tried again in a minute',
      );
      // Everything else that waits for this webhook would fail the same way, so the webhook rests.
      if (error instanceof UnreadableSecret) this.#slots.rest(webhook_id, this.#now() + unsignedHeldForMs);
      const message = describeDeliveryFailure('not_sent').en;
      return { outcome: 'failed', reason: 'not_sent', message, durationMs: 0 };
    }
  }

  /** Ends the leases of a batch of attempts. Answers those that somebody has locked; they are written again. */
  async #write(batch: readonly JudgedAttempt[]): Promise<readonly JudgedAttempt[]> {
    const { queue, presence, jobs, metrics, log } = this.#options;
    // Before the health of webhooks is judged by the time that has passed.
    await this.#upkeep.noteSilence();
    const settled = await settleDeliveries(queue.results, presence.workerId, batch);
    const made = settled.written.filter(({ fate }) => fate !== 'held');
    for (const attempt of made) metrics.countAttempt(attempt);
    this.#log.add(made.map((attempt) => entryOf(attempt, attempt.dueAt)));
    for (const { delivery, dueAt } of settled.written) {
      const { organization_id, webhook_id } = delivery;
      this.#leases.over(delivery);
      const inMs = jobOfRetryInMs(dueAt, this.#now());
      if (inMs !== undefined) jobs.addLater({ organization_id, webhook_id, inMs });
    }
    for (const { organization_id, webhook_id } of settled.released) jobs.add(organization_id, [webhook_id]);
    for (const attempt of made) tellAttempt(log, attempt);
    tellWithdrawn(log, settled.withdrawn);
    return settled.unwritten;
  }

  // What a worker does by the clock.

  start(): void {
    const { jobs, metrics, timing } = this.#options;
    this.#endObservation = metrics.observeDeliveries(() => ({
      ...this.#slots.counts,
      logWaiting: this.#log.size,
      logDropped: this.#log.dropped,
    }));
    jobs.localWorker = (webhook) => this.#runs.lookAgain(webhook);
    this.#keepUp();
    this.#keptUp = setInterval(() => this.#keepUp(), timing.sweepEveryMs);
  }

  #keepUp(): void {
    this.#rounds.sweep();
    // The sweep passes by webhooks whose oldest delivery is leased, which these are for long.
    for (const webhook of this.#results.refusedOf) this.#jobs.add(webhook);
    // Beside it, so that trouble there cannot keep deliveries waiting.
    this.#showLife();
  }

  #showLife(): void {
    void this.#upkeep.round().then((isBack) => {
      if (isBack) this.reconnected();
    });
  }

  /** The database is there again: shows at once that this worker lives, before others take its work over. */
  reconnected(): void {
    this.#results.hurry();
    if (this.#runs.isStopping) return;
    this.#leases.doubt();
    this.#keepUp();
  }

  /** All runs end, what they have sent goes on: the runner of their jobs ends. */
  endRuns(): void {
    this.#runs.endAll();
  }

  /** Sends nothing new, lets what runs finish within the limit, then hands the rest back. */
  async stop(limitMs: number): Promise<void> {
    const { queue, presence, jobs, log } = this.#options;
    jobs.localWorker = undefined;
    clearInterval(this.#keptUp);
    this.#runs.stop();
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

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}

/** One line for each attempt, so that the log tells an event's story by its id. */
function tellAttempt(log: Log, { delivery, outcome, fate, dueAt }: JudgedAttempt): void {
  const fields = {
    event_id: delivery.event_id,
    webhook_id: delivery.webhook_id,
    delivery_id: delivery.id,
    organization_id: delivery.organization_id,
    // No more of the address: paths and queries often hold secrets.
    host: addressOf(delivery.target_url).host,
    attempt: delivery.number,
    ...(delivery.by_hand ? { by_hand: true } : {}),
    ...(outcome.outcome === 'answered' ? { status: outcome.status } : { error: outcome.message }),
    duration_ms: outcome.durationMs,
    ...(dueAt === null ? {} : { next_attempt_at: dueAt }),
  };
  log.info(fields, `Delivery: ${fate}`);
}
