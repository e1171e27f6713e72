/** Share of the window's requests that is left for others: below it, requests are spread over the window's rest. */
const reserve = 0.1;

/**
 * Slows a long run of requests down before the rate limit refuses them, so that one node with a thousand items
 * leaves some requests of each window to the rest of the organization.
 */
export class Pace {
  #delay = 0;

  /** Milliseconds to wait before the next request. */
  get delay(): number {
    return this.#delay;
  }

  /** Learns from the `X-RateLimit-*` headers of an answer; without them the pace stays free. */
  observe(limit: unknown, remaining: unknown, resetSeconds: unknown): void {
    const [most, left, reset] = [Number(limit), Number(remaining), Number(resetSeconds)];
    const known = [limit, remaining, resetSeconds].every((value) => value !== undefined) && most > 0;
    const low = known && left <= most * reserve;
    this.#delay = low && reset > 0 ? Math.round((1000 * reset) / (left + 1)) : 0;
  }
}
