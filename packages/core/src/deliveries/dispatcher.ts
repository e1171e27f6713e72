import { limits } from '@dealkeep/contract';
import type { Dispatcher as HttpDispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import type { Log } from '../log.ts';
import { type RequestOutcome, sendRequest } from '../outgoing/index.ts';
import type { Secrets } from '../secrets.ts';
import { type ClaimedDelivery, claimDeliveries, nextDue, readEnvelopes } from './claim.ts';
import { type FinishedAttempt, recordAttempts } from './record-attempts.ts';
import { deliveryHeaders, type SigningKeys, signingKeys } from './sign.ts';
import { freeLeasesOfDeadWorkers, type WorkerPresence } from './worker-presence.ts';

export interface DispatcherOptions {
  sql: Database;
  presence: WorkerPresence;
  /** The guarded agent. */
  agent: HttpDispatcher;
  secrets: Secrets;
  clock: Clock;
  log: Log;
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
  slowAfterMs: 1000,
  sweepEveryMs: 1000,
};
/** In flight at once for one webhook; a slow one gets one. */
const perWebhook = 4;
const mostInSlowLane = 2000;
const largestBatch = 100;
/** Longer than any attempt and the writing of its result. */
const leaseMs = 30_000;
const mostSigningKeys = 10_000;
/** Pause before results are written again after the database failed. */
const recordAgainMs = 500;

/**
 * Sends what is due. It claims in batches across webhooks, sends, and writes results in bulk. An attempt that takes
 * longer than a second leaves its fast slot for the slow lane, and its webhook is held to one at a time, so that
 * hanging receivers never delay the others (design: measured facts on deliveries).
 */
export class DeliveryDispatcher {
  readonly #options: DispatcherOptions;
  readonly #timing: DispatchTiming;
  readonly #inFlight = new Map<string, { count: number; slow: number }>();
  readonly #signingKeys = new Map<string, SigningKeys>();
  readonly #stop = new AbortController();
  #fast = 0;
  #slow = 0;
  #finished: FinishedAttempt[] = [];
  #recording: Promise<void> | undefined;
  #round: Promise<void> | undefined;
  #again = false;
  #nextDue: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#timing = { ...usualTiming, ...options.timing };
  }

  start(): void {
    const sweep = async (): Promise<void> => {
      try {
        await this.#options.presence.renew();
        const freed = await freeLeasesOfDeadWorkers(this.#options.sql, this.#now());
        if (freed > 0)
          this.#options.log.info({ deliveries: freed }, 'Took over the deliveries of a lost worker');
      } catch (error) {
        this.#options.log.warn({ error }, 'The sweep for due deliveries failed; it is repeated');
      }
      this.wake();
      if (!this.#stopping) this.#sweep = setTimeout(sweep, this.#timing.sweepEveryMs);
    };
    void sweep();
  }

  /** Looks for due deliveries soon. Returns at once; calls during a look become one further look. */
  wake(): void {
    if (this.#stopping) return;
    if (this.#round) {
      this.#again = true;
      return;
    }
    this.#round = this.#look().finally(() => {
      this.#round = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Sends nothing new, lets what runs finish within the limit, then hands the rest back. */
  async stop(limitMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#sweep);
    clearTimeout(this.#nextDue);
    await this.#round;
    const end = Date.now() + limitMs;
    while (this.#fast + this.#slow > 0 && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.#stop.abort();
    while (this.#fast + this.#slow > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await this.#recording;
    await this.#options.sql`
      update deliveries set worker_id = null, due_at = ${this.#now()}
      where worker_id = ${this.#options.presence.workerId}`;
    await this.#options.presence.leave();
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }

  async #look(): Promise<void> {
    this.#again = false;
    const { sql, log } = this.#options;
    try {
      for (;;) {
        const room = Math.min(
          this.#options.concurrency - this.#fast,
          mostInSlowLane - this.#slow,
          largestBatch,
        );
        if (room <= 0 || this.#stopping) return;
        const claimed = await this.#claim(room);
        if (claimed.length === 0) break;
        await this.#send(claimed);
      }
      const due = await nextDue(sql);
      if (due) this.#wakeAt(due);
    } catch (error) {
      log.warn({ error }, 'Looking for due deliveries failed; it is repeated');
    }
  }

  #wakeAt(due: Date): void {
    const wait = due.getTime() - this.#options.clock.now().getTime();
    clearTimeout(this.#nextDue);
    if (wait < this.#timing.sweepEveryMs) this.#nextDue = setTimeout(() => this.wake(), Math.max(wait, 1));
  }

  #claim(most: number): Promise<ClaimedDelivery[]> {
    const { sql, presence, clock } = this.#options;
    const now = clock.now();
    const taken = [...this.#inFlight].map(
      ([webhook, { count, slow }]) => [webhook, slow > 0 ? perWebhook : count] as const,
    );
    return claimDeliveries(sql, {
      workerId: presence.workerId,
      now: now.toISOString(),
      leaseEnd: new Date(now.getTime() + leaseMs).toISOString(),
      most,
      perWebhook,
      taken: new Map(taken),
    });
  }

  async #send(claimed: readonly ClaimedDelivery[]): Promise<void> {
    const envelopes = await readEnvelopes(this.#options.sql, claimed);
    for (const delivery of claimed) {
      const event = envelopes.get(delivery.event_id);
      void this.#attempt(delivery, event);
    }
  }

  async #attempt(
    delivery: ClaimedDelivery,
    event: { type: string; envelope: string } | undefined,
  ): Promise<void> {
    const { clock, log } = this.#options;
    const slots = this.#inFlight.get(delivery.webhook_id) ?? { count: 0, slow: 0 };
    this.#inFlight.set(delivery.webhook_id, slots);
    slots.count += 1;
    this.#fast += 1;
    let isSlow = false;
    const slowTimer = setTimeout(() => {
      isSlow = true;
      slots.slow += 1;
      this.#fast -= 1;
      this.#slow += 1;
      this.wake();
    }, this.#timing.slowAfterMs);

    const startedAt = clock.now();
    let outcome: RequestOutcome | undefined;
    try {
      outcome = event ? await this.#post(delivery, event, startedAt) : eventGone;
    } catch (error) {
      log.error(
        { error, event_id: delivery.event_id, webhook_id: delivery.webhook_id },
        'An attempt could not be made',
      );
      outcome = {
        outcome: 'failed',
        reason: 'connection_failed',
        message: 'could not be sent',
        durationMs: 0,
      };
    }

    clearTimeout(slowTimer);
    if (isSlow) {
      slots.slow -= 1;
      this.#slow -= 1;
    } else this.#fast -= 1;
    slots.count -= 1;
    if (slots.count === 0) this.#inFlight.delete(delivery.webhook_id);
    const stopped = outcome.outcome === 'failed' && outcome.reason === 'stopped';
    if (!stopped) {
      this.#finished.push({ delivery, startedAt, endedAt: clock.now(), outcome });
      this.#record();
    }
    this.wake();
  }

  #post(
    delivery: ClaimedDelivery,
    event: { type: string; envelope: string },
    startedAt: Date,
  ): Promise<RequestOutcome> {
    const headers = deliveryHeaders(this.#keysOf(delivery), {
      eventId: delivery.event_id,
      type: event.type,
      body: event.envelope,
      attempt: delivery.attempts + 1,
      timestamp: Math.floor(startedAt.getTime() / 1000),
    });
    return sendRequest(this.#options.agent, {
      url: new URL(delivery.target_url),
      headers,
      body: event.envelope,
      timeoutMs: this.#timing.attemptLimitMs,
      signal: this.#stop.signal,
    });
  }

  #keysOf({ secret }: ClaimedDelivery): SigningKeys {
    const sealed = secret.toString('base64');
    const known = this.#signingKeys.get(sealed);
    if (known) return known;
    const keys = signingKeys(this.#options.secrets.decrypt(secret));
    this.#signingKeys.set(sealed, keys);
    const [oldest] = this.#signingKeys.keys();
    if (this.#signingKeys.size > mostSigningKeys && oldest !== undefined) this.#signingKeys.delete(oldest);
    return keys;
  }

  /** Writes finished attempts; those that finish meanwhile are written together with the next. */
  #record(): void {
    this.#recording ??= this.#recordAll().finally(() => {
      this.#recording = undefined;
      if (this.#finished.length > 0) this.#record();
    });
  }

  async #recordAll(): Promise<void> {
    const { sql, presence, log } = this.#options;
    const batch = this.#finished.splice(0);
    try {
      const fates = await recordAttempts(sql, presence.workerId, batch);
      for (const [{ delivery, outcome }, fate] of fates) {
        const fields = {
          event_id: delivery.event_id,
          webhook_id: delivery.webhook_id,
          organization_id: delivery.organization_id,
          attempt: delivery.attempts + 1,
          ...(outcome.outcome === 'answered' ? { status: outcome.status } : { error: outcome.message }),
          duration_ms: outcome.durationMs,
        };
        log[fate === 'delivered' ? 'debug' : 'info'](fields, `Delivery: ${fate}`);
      }
      if (!this.#stopping) this.wake();
    } catch (error) {
      log.warn({ error, attempts: batch.length }, 'Results of deliveries could not be written; tried again');
      // When the worker stops first, or the leases end, they are sent again: at least once, never lost.
      if (this.#stopping) return;
      this.#finished.unshift(...batch);
      await new Promise((resolve) => setTimeout(resolve, recordAgainMs));
    }
  }
}

const eventGone: RequestOutcome = {
  outcome: 'failed',
  reason: 'connection_failed',
  message: 'the event is no longer kept',
  durationMs: 0,
};
