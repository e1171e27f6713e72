/** Share of the window's requests that is left for others: below it, requests are spread over the window's rest. */
const reserve = 0.1;

interface Window {
  /** Requests that it lets pass. */
  readonly most: number;
  /** Requests that it still lets pass. */
  readonly left: number;
  /** Milliseconds until the next one. */
  readonly rest: number;
}

/**
 * Slows a long run of requests down before the rate limit refuses them, so that one node with a thousand items
 * leaves some requests of each window to the rest of the organization.
 */
export class Pace {
  #window: Window | undefined;

  /** Milliseconds to wait before a request that counts as so many. */
  delayOf(counts = 1): number {
    if (!this.#window) return 0;
    const { most, left, rest } = this.#window;
    if (left >= most * reserve + counts) return 0;
    // One that counts for more than is left would be refused until the next window.
    return Math.round(rest / (Math.floor(left / counts) + 1));
  }

  /** Learns from the `X-RateLimit-*` headers of an answer; without them the pace stays free. */
  observe(limit: unknown, remaining: unknown, resetSeconds: unknown): void {
    const [most, left, rest] = [Number(limit), Number(remaining), 1000 * Number(resetSeconds)];
    const known = [limit, remaining, resetSeconds].every((value) => value !== undefined);
    this.#window = known && most > 0 && rest > 0 ? { most, left, rest } : undefined;
  }
}
