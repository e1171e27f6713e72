import { LRUCache } from 'lru-cache';
import {
  attemptsPerWebhook,
  slowAttemptsInFlight,
  slowOrUnknownAttemptsInFlight,
  unknownAttemptsInFlight,
} from '../operating-limits.ts';

const rememberedWebhooks = 10_000;
/** Webhooks that are known to be quick are asked for one by one; more of them would make that slow. */
const mostKnownQuick = 500;

/** A place in the lanes, taken by one attempt. */
export interface Place {
  /** Nothing was known of the webhook yet. */
  readonly isTrial: boolean;
  /** The attempt takes long: it moves to the slow lane. */
  slowDown(): void;
  leave(): void;
}

/**
 * Decides which attempts may run at once. An attempt that takes long leaves its fast place for the slow lane, and its
 * webhook is held to one at a time until an attempt is quick again, so that hanging receivers never delay the others.
 * Webhooks of which nothing is known yet take half of the fast places at most, however many are tried, so that
 * thousands that hang never delay the quick ones; and a slow lane that is full keeps none of them waiting.
 */
export class Lanes {
  readonly #fastPlaces: number;
  #fast = 0;
  #slow = 0;
  readonly #inFlight = new Map<string, number>();
  /** Webhooks whose last attempt took long. */
  readonly #slowWebhooks = new LRUCache<string, true>({ max: rememberedWebhooks });
  /** Webhooks whose last attempt was quick. */
  readonly #quickWebhooks = new LRUCache<string, true>({ max: mostKnownQuick });
  /** Webhooks that get nothing for a while, and until when. */
  readonly #resting = new LRUCache<string, number>({ max: rememberedWebhooks });
  /** Fast places taken by webhooks that are known neither as slow nor as quick. */
  #unknown = 0;

  constructor(fastPlaces: number) {
    this.#fastPlaces = fastPlaces;
  }

  get size(): number {
    return this.#fast + this.#slow;
  }

  get counts(): { fast: number; slow: number; slowWebhooks: number } {
    return { fast: this.#fast, slow: this.#slow, slowWebhooks: this.#slowWebhooks.size };
  }

  /** How many more may be sent now to webhooks that are known to be quick. */
  get free(): number {
    const unknown = Math.min(this.#unknown, Math.floor(this.#fastPlaces / 2));
    return Math.max(0, this.#fastPlaces - (this.#fast - this.#unknown) - unknown);
  }

  /** How many more may be sent now to others. */
  get freeForUnknown(): number {
    return Math.max(
      0,
      Math.min(
        unknownAttemptsInFlight - this.#unknown,
        slowOrUnknownAttemptsInFlight - this.#slow - this.#unknown,
      ),
    );
  }

  /** For one webhook of which nothing is known; one at a time when there are many. */
  get perUnknown(): number {
    return this.#unknown < this.#fastPlaces / 4 ? attemptsPerWebhook : 1;
  }

  /** The webhooks known to be quick, and how much may be sent to each now. */
  quickRoom(): Map<string, number> {
    return new Map(
      Array.from(this.#quickWebhooks.keys(), (webhook) => [
        webhook,
        this.#roomOf(webhook, this.#inFlight.get(webhook) ?? 0),
      ]),
    );
  }

  /** Whether some webhook may get no more until one of its attempts ends. */
  get someFull(): boolean {
    return [...this.#inFlight.keys()].some((webhook) => this.isFull(webhook));
  }

  /** The webhooks of which less than `attemptsPerWebhook` may be sent now, and how much. */
  room(): Map<string, number> {
    const room = new Map<string, number>();
    for (const [webhook, count] of this.#inFlight) room.set(webhook, this.#roomOf(webhook, count));
    for (const webhook of this.#resting.keys()) room.set(webhook, 0);
    for (const webhook of this.#slowWebhooks.keys()) {
      room.set(webhook, this.#roomOf(webhook, this.#inFlight.get(webhook) ?? 0));
    }
    return room;
  }

  /** Whether the webhook may get no more until one of its attempts ends. */
  isFull(webhook: string): boolean {
    return this.#roomOf(webhook, this.#inFlight.get(webhook) ?? 0) === 0;
  }

  enter(webhook: string): Place {
    this.#inFlight.set(webhook, (this.#inFlight.get(webhook) ?? 0) + 1);
    // A webhook that was slow before takes no fast place at all.
    let isSlow = this.#slowWebhooks.has(webhook);
    let isUnknown = !isSlow && !this.#quickWebhooks.has(webhook);
    let tookLong = false;
    if (isSlow) this.#slow += 1;
    else this.#fast += 1;
    if (isUnknown) this.#unknown += 1;
    const becomeKnown = (): void => {
      if (isUnknown) this.#unknown -= 1;
      isUnknown = false;
    };
    return {
      isTrial: isUnknown,
      slowDown: () => {
        tookLong = true;
        this.#quickWebhooks.delete(webhook);
        this.#slowWebhooks.set(webhook, true);
        if (isSlow) return;
        isSlow = true;
        becomeKnown();
        this.#fast -= 1;
        this.#slow += 1;
      },
      leave: () => {
        becomeKnown();
        if (!tookLong) {
          this.#slowWebhooks.delete(webhook);
          this.#quickWebhooks.set(webhook, true);
        }
        if (isSlow) this.#slow -= 1;
        else this.#fast -= 1;
        const left = (this.#inFlight.get(webhook) ?? 0) - 1;
        if (left > 0) this.#inFlight.set(webhook, left);
        else this.#inFlight.delete(webhook);
      },
    };
  }

  /** The webhook gets nothing until then, by the clock of `endRests`. */
  rest(webhook: string, until: number): void {
    this.#quickWebhooks.delete(webhook);
    this.#resting.set(webhook, until);
  }

  /** Ends the rests that are over. */
  endRests(now: number): void {
    for (const [webhook, until] of [...this.#resting]) if (until <= now) this.#resting.delete(webhook);
  }

  #roomOf(webhook: string, inFlight: number): number {
    if (this.#resting.has(webhook)) return 0;
    if (!this.#slowWebhooks.has(webhook)) return Math.max(0, attemptsPerWebhook - inFlight);
    return inFlight > 0 || this.#slow >= slowAttemptsInFlight ? 0 : 1;
  }
}
