import { setTimeout as sleep } from 'node:timers/promises';
import { outageAwaitedMs } from '../operating-limits.ts';

/** A restart takes some tenths of a second; postgres.js connects to the same server no sooner than this, either. */
const connectionTriedAgainMs = 100;

/**
 * What is said where no connection can be made, by the system, PostgreSQL or PgBouncer, which says everything by
 * 08P01.
 */
const refusals = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'CONNECTION_CLOSED',
  '57P01',
  '57P02',
  '57P03',
  '08P01',
]);

/**
 * PgBouncer had no connection of PostgreSQL for what it was sent: it refuses whoever asks, until it has one again,
 * and ends their connections. So nothing of a statement was carried out, nor of a transaction that was to begin by
 * it.
 */
export class NeverTaken extends Error {
  override readonly name = 'NeverTaken';
  /** As postgres.js calls a connection that was ended. */
  readonly code = 'CONNECTION_CLOSED';

  /** @param heard what was heard last on a connection that has ended: is it this refusal, alone and whole? */
  static saidBy(heard: unknown): NeverTaken | undefined {
    if (!Buffer.isBuffer(heard) || heard[0] !== errorResponse || heard.length < 5) return undefined;
    const text = heard.length === 1 + heard.readUInt32BE(1) ? heard.toString('latin1', 5) : '';
    const [, message] = refusalOfPgBouncer.exec(text) ?? [];
    return message === undefined ? undefined : new NeverTaken(message);
  }
}

/** The type of that message: PostgreSQL's documentation, 54.7 Message Formats. */
const errorResponse = 'E'.charCodeAt(0);
const refusalOfPgBouncer = /^SFATAL\0.*\0M(server login has been failing[^\0]*)\0/s;

/**
 * A time in which a pool that has worked can make no connections: PostgreSQL or the pooler before it is being
 * restarted. What has not been sent yet waits for it, so that nobody's request fails by a restart; but for a short
 * time only, and once that is over whatever comes is refused at once, as long as the server stays away.
 */
export class Outage {
  /** Milliseconds of `performance.now()`; undefined while there is none. */
  #since: number | undefined;
  #hasWorked = false;

  /** A statement was answered. */
  over(): void {
    this.#hasWorked = true;
    this.#since = undefined;
  }

  /** Whether what failed so, and was never sent, is to be asked for again. */
  mayPass(error: unknown): boolean {
    if (!this.#hasWorked || !isRefusal(error)) return false;
    this.#since ??= performance.now();
    return performance.now() - this.#since < outageAwaitedMs;
  }

  pause(): Promise<void> {
    return sleep(connectionTriedAgainMs);
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && refusals.has(error.code);
