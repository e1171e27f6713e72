import { LRUCache } from 'lru-cache';
import { attemptsPerWebhook } from '../../../foundations/operating-limits.ts';
import {
  attemptsAhead,
  attemptsToStart,
  type Busyness,
  type Ended,
  type Known,
  type Pace,
  paceAfter,
} from '../decide.ts';

const rememberedWebhooks = 10_000;

type KnownPace = { -readonly [Name in keyof Pace]: Pace[Name] };

const unknownPace = (): KnownPace => ({
  inFlight: 0,
  most: attemptsPerWebhook,
  known: 'nothing',
  arrivesLate: false,
  restsUntil: 0,
});

/** Taken by one attempt. */
export interface AttemptSlot {
  /** Nothing was known of the webhook yet. */
  readonly isTrial: boolean;
  /** The attempt takes long. */
  slowDown(): void;
  leave(ended: Ended): void;
}

/**
 * The attempts in flight, and what is known of their webhooks. A webhook that answers quickly gets more and more
 * while it is busy, and fewer when it slows; one whose attempt takes long gets one at a time until one is quick
 * again. Attempts that take long, and those at webhooks of which nothing is known, are counted apart, so that
 * thousands that hang take no slot from the others, nor from those that answer late, but well.
 */
export class AttemptSlots {
  readonly #fastSlots: number;
  readonly #taken = { quick: 0, nothing: 0, slow: 0 };
  /** Webhooks to which something is on its way. */
  readonly #busy = new Map<string, KnownPace>();
  /** Those and the last ones to which something was. */
  readonly #paces = new LRUCache<string, KnownPace>({ max: rememberedWebhooks });

  constructor(fastSlots: number) {
    this.#fastSlots = fastSlots;
  }

  get size(): number {
    return this.fast + this.#taken.slow;
  }

  get counts(): { fast: number; slow: number; slowWebhooks: number } {
    const slowWebhooks = [...this.#paces.values()].filter(({ known }) => known === 'slow').length;
    return { fast: this.fast, slow: this.#taken.slow, slowWebhooks };
  }

  /** Attempts in flight that have not taken long. */
  get fast(): number {
    return this.#taken.quick + this.#taken.nothing;
  }

  known(webhook: string): Known {
    return this.#paceOf(webhook).known;
  }

  inFlight(webhook: string): number {
    return this.#busy.get(webhook)?.inFlight ?? 0;
  }

  /** How many more may be sent to a webhook now. */
  roomOf(webhook: string, now: number): number {
    return attemptsToStart(this.#paceOf(webhook), this.#busyness, now);
  }

  /** How many may be leased ahead for it. */
  aheadOf(webhook: string): number {
    return attemptsAhead(this.#paceOf(webhook), this.#busyness);
  }

  enter(webhook: string): AttemptSlot {
    const pace = this.#paceOf(webhook);
    this.#busy.set(webhook, pace);
    pace.inFlight += 1;
    let lane = pace.known;
    let tookLong = false;
    this.#taken[lane] += 1;
    return {
      isTrial: lane === 'nothing',
      slowDown: () => {
        tookLong = true;
        pace.known = 'slow';
        this.#taken[lane] -= 1;
        lane = 'slow';
        this.#taken.slow += 1;
      },
      leave: (ended) => {
        this.#taken[lane] -= 1;
        if (tookLong) pace.arrivesLate = ended.delivered;
        else Object.assign(pace, paceAfter(pace, ended));
        pace.inFlight -= 1;
        if (pace.inFlight === 0) this.#busy.delete(webhook);
      },
    };
  }

  /** The webhook gets nothing until then. */
  rest(webhook: string, until: number): void {
    this.#paceOf(webhook).restsUntil = until;
  }

  get #busyness(): Busyness {
    return { fastSlots: this.#fastSlots, taken: this.#taken, webhooks: this.#busy.size };
  }

  #paceOf(webhook: string): KnownPace {
    const pace = this.#busy.get(webhook) ?? this.#paces.get(webhook) ?? unknownPace();
    if (this.#paces.peek(webhook) !== pace) this.#paces.set(webhook, pace);
    return pace;
  }
}
