import { LRUCache } from 'lru-cache';
import {
  attemptsPerQuickWebhook,
  attemptsPerWebhook,
  quickAnswerMs,
  slowAttemptsInFlight,
  slowOrUnknownAttemptsInFlight,
  unknownAttemptsInFlight,
  unsignedHeldForMs,
} from '../../../foundations/operating-limits.ts';

const rememberedWebhooks = 10_000;

/** What is known of a webhook, and what is on its way to it. */
class Pace {
  inFlight = 0;
  /** So many may be in flight at once. */
  most = attemptsPerWebhook;
  known: 'nothing' | 'quick' | 'slow' = 'nothing';
  /** The last attempt that took long arrived all the same. */
  arrivesLate = false;
  /** It gets nothing until then, by the clock. */
  restsUntil = 0;
}

/** How an attempt ended. */
interface Ended {
  durationMs: number;
  delivered: boolean;
}

/** Taken by one attempt. */
export interface AttemptSlot {
  /** Nothing was known of the webhook yet. */
  readonly isTrial: boolean;
  /** The attempt takes long. */
  slowDown(): void;
  leave(ended: Ended): void;
}

/**
 * Decides how many attempts may run at once. A webhook that answers quickly gets more and more while it is busy, and
 * fewer when it slows; one whose attempt takes long gets one at a time until one is quick again. Attempts that take
 * long, and those at webhooks of which nothing is known, are counted apart, so that thousands that hang take no slot
 * from the others, nor from those that answer late, but well.
 */
export class AttemptSlots {
  readonly #fastSlots: number;
  /** Attempts in flight, by what was known of their webhooks; those that have come to take long are slow. */
  readonly #taken = { quick: 0, nothing: 0, slow: 0 };
  /** Webhooks to which something is on its way. */
  readonly #busy = new Map<string, Pace>();
  /** Those and the last ones to which something was. */
  readonly #paces = new LRUCache<string, Pace>({ max: rememberedWebhooks });

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

  known(webhook: string): Pace['known'] {
    return this.#paceOf(webhook).known;
  }

  inFlight(webhook: string): number {
    return this.#busy.get(webhook)?.inFlight ?? 0;
  }

  /** How many more may be sent to a webhook now. */
  roomOf(webhook: string, now: number): number {
    const { inFlight, most, known, arrivesLate, restsUntil } = this.#paceOf(webhook);
    // Farther off it is by a clock that was set back since.
    if (restsUntil > now && restsUntil - now <= unsignedHeldForMs) return 0;
    const { quick, nothing: unknown, slow } = this.#taken;
    const slowSlots = arrivesLate ? slowOrUnknownAttemptsInFlight - unknown : slowAttemptsInFlight;
    if (known === 'slow') return inFlight > 0 || slow >= slowSlots ? 0 : 1;
    const sharers = inFlight > 0 ? this.#busy.size : this.#busy.size + 1;
    const fair = Math.max(attemptsPerWebhook, Math.floor(this.#fastSlots / sharers));
    const wanted = Math.min(most, fair) - inFlight;
    if (known === 'quick') {
      const free = this.#fastSlots - quick - Math.min(unknown, this.#fastSlots / 2);
      // Each gets one, however many share.
      return Math.max(inFlight > 0 ? 0 : 1, Math.min(wanted, Math.floor(free)));
    }
    const free = Math.min(unknownAttemptsInFlight - unknown, slowOrUnknownAttemptsInFlight - slow - unknown);
    // When many are tried, each is tried by one.
    return Math.max(0, Math.min(unknown < this.#fastSlots / 4 ? wanted : 1 - inFlight, free));
  }

  /**
   * How many may be leased ahead, so that a busy webhook that answers quickly waits for no statement: as many again,
   * and more where few webhooks are busy.
   */
  aheadOf(webhook: string): number {
    const { known, most } = this.#paceOf(webhook);
    if (known !== 'quick' || most === attemptsPerWebhook) return 0;
    const share = Math.floor(this.#fastSlots / Math.max(1, this.#busy.size));
    return Math.max(most, Math.min(most * 4, share));
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
        else adapt(pace, ended);
        pace.inFlight -= 1;
        if (pace.inFlight === 0) this.#busy.delete(webhook);
      },
    };
  }

  /** The webhook gets nothing until then. */
  rest(webhook: string, until: number): void {
    this.#paceOf(webhook).restsUntil = until;
  }

  #paceOf(webhook: string): Pace {
    const pace = this.#busy.get(webhook) ?? this.#paces.get(webhook) ?? new Pace();
    if (this.#paces.peek(webhook) !== pace) this.#paces.set(webhook, pace);
    return pace;
  }
}

/** After an attempt that did not take long. */
function adapt(pace: Pace, { durationMs, delivered }: Ended): void {
  if (pace.known !== 'quick') {
    pace.known = 'quick';
    pace.most = attemptsPerWebhook;
  } else if (!delivered || durationMs > quickAnswerMs) {
    pace.most = Math.max(attemptsPerWebhook, Math.floor(pace.most / 2));
  } else if (pace.inFlight * 2 >= pace.most) {
    pace.most = Math.min(attemptsPerQuickWebhook, pace.most + 1);
  }
}
