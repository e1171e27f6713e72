import { randomUUIDv7 } from 'node:crypto';
import { describeDeliveryFailure } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { unsignedHeldForMs } from '../operating-limits.ts';
import type { RequestOutcome } from '../outgoing/index.ts';
import { UnreadableSecret } from '../secrets.ts';
import type { Lanes } from './lanes.ts';
import type { AttemptSender, ClaimedDelivery, ReadEvent } from './send-attempt.ts';
import type { FinishedAttempt } from './settle-deliveries.ts';

export interface AttemptsInFlightOptions {
  sender: AttemptSender;
  lanes: Lanes;
  clock: Clock;
  log: Log;
  /** An attempt older than this counts in the slow lane. */
  slowAfterMs: number;
  /** An attempt takes long and has left its fast place. */
  onSlow(): void;
  /** An attempt is over; one that was stopped is none. */
  onEnded(attempt: FinishedAttempt): void;
}

/** An attempt at a webhook of which nothing is known gives its fast place up sooner: thousands may hang. */
const trialMs = 250;

/** The attempts that run at this moment, each in its place of the lanes. */
export class AttemptsInFlight {
  readonly #options: AttemptsInFlightOptions;
  #bytes = 0;
  #ended = Promise.withResolvers<void>();

  constructor(options: AttemptsInFlightOptions) {
    this.#options = options;
  }

  /** Bytes of the envelopes that are being sent. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Fulfilled when any attempt ends. */
  anyEnd(): Promise<void> {
    return this.#ended.promise;
  }

  /** Returns at once. */
  start(delivery: ClaimedDelivery, event: ReadEvent | undefined): void {
    void this.#run(delivery, event);
  }

  /** Lets what runs finish within the limit, then ends the rest. */
  async stop(limitMs: number): Promise<void> {
    await this.#allLeft(limitMs);
    this.#options.sender.stop();
    await this.#allLeft(limitMs);
  }

  async #allLeft(limitMs: number): Promise<void> {
    const { lanes } = this.#options;
    const end = performance.now() + limitMs;
    while (lanes.size > 0 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #run(delivery: ClaimedDelivery, event: ReadEvent | undefined): Promise<void> {
    const { lanes, clock, slowAfterMs, onSlow, onEnded } = this.#options;
    const place = lanes.enter(delivery.webhook_id);
    const slowTimer = setTimeout(
      () => {
        place.slowDown();
        onSlow();
      },
      place.isTrial ? Math.min(trialMs, slowAfterMs) : slowAfterMs,
    );
    const startedAt = clock.now();
    this.#bytes += event?.bytes ?? 0;
    const { outcome, isUnreadable } = await this.#outcomeOf(delivery, event, startedAt);
    this.#bytes -= event?.bytes ?? 0;
    clearTimeout(slowTimer);
    place.leave();
    this.#ended.resolve();
    this.#ended = Promise.withResolvers();
    if (outcome.outcome === 'failed' && outcome.reason === 'stopped') return;
    const endedAt = clock.now();
    // Everything else that waits for this webhook would fail the same way, so the webhook rests.
    if (isUnreadable) lanes.rest(delivery.webhook_id, endedAt.getTime() + unsignedHeldForMs);
    onEnded({ id: randomUUIDv7(), delivery, eventType: event?.type, startedAt, endedAt, outcome });
  }

  async #outcomeOf(
    delivery: ClaimedDelivery,
    event: ReadEvent | undefined,
    startedAt: Date,
  ): Promise<{ outcome: RequestOutcome; isUnreadable: boolean }> {
    const { sender, log } = this.#options;
    try {
      if (!event) throw new Error('The event of a delivery does not exist');
      return { outcome: await sender.send(delivery, event, startedAt), isUnreadable: false };
    } catch (error) {
      const { event_id, webhook_id } = delivery;
      log.error(
        { error, event_id, webhook_id },
        'A delivery cannot be sent; it is held, and tried again in a minute',
      );
      const message = describeDeliveryFailure('not_sent').en;
      const outcome = { outcome: 'failed', reason: 'not_sent', message, durationMs: 0 } as const;
      return { outcome, isUnreadable: error instanceof UnreadableSecret };
    }
  }
}
