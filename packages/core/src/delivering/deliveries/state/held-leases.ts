import { limits } from '@dealkeep/contract';
import { Pause } from '../../../foundations/pause.ts';
import type { Leased } from '../lease/lease.ts';

/**
 * The leases that are this worker's and known, until their result is written or they are given back; and how much of
 * envelopes there is in memory.
 */
export class HeldLeases {
  readonly #ids = new Set<string>();
  /** Of the envelopes that are being sent or wait for it. */
  #bytes = 0;
  readonly #full = new Pause();
  #isDoubted = false;

  /** Of the deliveries. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** How much there is room for of further envelopes. */
  get freeBytes(): number {
    return limits.inFlightBytes - this.#bytes;
  }

  /** No envelope is being sent or waits for it. */
  get hasNothingToSend(): boolean {
    return this.#bytes === 0;
  }

  take({ delivery, event }: Leased): void {
    this.#ids.add(delivery.id);
    this.#bytes += event?.bytes ?? 0;
  }

  /** It is sent: its envelope takes no room any more. */
  sent({ event }: Pick<Leased, 'event'>): void {
    this.#bytes -= event?.bytes ?? 0;
    this.#full.end();
  }

  /** Its lease has ended. */
  over({ id }: Leased['delivery']): void {
    this.#ids.delete(id);
  }

  /** Waits until an envelope is sent. */
  async someSent(longestMs: number): Promise<void> {
    if (!this.hasNothingToSend) await this.#full.take(longestMs);
  }

  /** Ends that wait. */
  waitNoMore(): void {
    this.#full.end();
  }

  /**
   * An answer may have been lost, or what was not sent could not be given back; or the database is another one now
   * that lacks what was written last, as a standby that took over: leases whose results were written are there
   * again.
   */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** Whether there may be leases of this worker that are not known here; whoever asks looks for them. */
  takeDoubt(): boolean {
    const isDoubted = this.#isDoubted;
    this.#isDoubted = false;
    return isDoubted;
  }
}
