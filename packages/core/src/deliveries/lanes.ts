/** In flight at once for one webhook. */
export const perWebhook = 4;
/** Of attempts that take long. Beyond it, webhooks known to be slow get nothing. */
const mostInSlowLane = 2000;
const mostRemembered = 10_000;

/** A place in the lanes, taken by one attempt. */
export interface Place {
  /** The attempt takes long: it moves to the slow lane. */
  slowDown(): void;
  leave(): void;
}

/**
 * Who may send at once. An attempt that takes long leaves its fast place for the slow lane, and its webhook is held to
 * one at a time until an attempt is quick again, so that hanging receivers never delay the others.
 */
export class Lanes {
  readonly #fastPlaces: number;
  #fast = 0;
  #slow = 0;
  readonly #inFlight = new Map<string, number>();
  /** Webhooks whose last attempt took long, the longest known first. */
  readonly #slowWebhooks = new Set<string>();

  constructor(fastPlaces: number) {
    this.#fastPlaces = fastPlaces;
  }

  get size(): number {
    return this.#fast + this.#slow;
  }

  get counts(): { fast: number; slow: number; slowWebhooks: number } {
    return { fast: this.#fast, slow: this.#slow, slowWebhooks: this.#slowWebhooks.size };
  }

  /** How many more may be sent now. */
  get free(): number {
    return Math.max(0, this.#fastPlaces - this.#fast);
  }

  /** The webhooks of which less than `perWebhook` may be sent now, and how much. */
  room(): Map<string, number> {
    const room = new Map<string, number>();
    for (const [webhook, count] of this.#inFlight) room.set(webhook, this.#roomOf(webhook, count));
    for (const webhook of this.#slowWebhooks) {
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
    // Who was slow before takes no fast place at all.
    let isSlow = this.#slowWebhooks.has(webhook);
    let tookLong = false;
    if (isSlow) this.#slow += 1;
    else this.#fast += 1;
    return {
      slowDown: () => {
        tookLong = true;
        this.#remember(webhook);
        if (isSlow || this.#slow >= mostInSlowLane) return;
        isSlow = true;
        this.#fast -= 1;
        this.#slow += 1;
      },
      leave: () => {
        if (!tookLong) this.#slowWebhooks.delete(webhook);
        if (isSlow) this.#slow -= 1;
        else this.#fast -= 1;
        const left = (this.#inFlight.get(webhook) ?? 0) - 1;
        if (left > 0) this.#inFlight.set(webhook, left);
        else this.#inFlight.delete(webhook);
      },
    };
  }

  #roomOf(webhook: string, inFlight: number): number {
    if (!this.#slowWebhooks.has(webhook)) return Math.max(0, perWebhook - inFlight);
    return inFlight > 0 || this.#slow >= mostInSlowLane ? 0 : 1;
  }

  #remember(webhook: string): void {
    this.#slowWebhooks.delete(webhook);
    this.#slowWebhooks.add(webhook);
    const [oldest] = this.#slowWebhooks;
    if (this.#slowWebhooks.size > mostRemembered && oldest !== undefined) this.#slowWebhooks.delete(oldest);
  }
}
