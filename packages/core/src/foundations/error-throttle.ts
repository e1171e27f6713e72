import type { Log } from './log.ts';

interface ErrorThrottleOptions {
  log: Log;
  level: 'warn' | 'error';
  /** Said when it begins, with the error. */
  begins: string;
  /** Said when it is over. */
  ends: string;
  /** Told with each of its lines. */
  fields?: object;
}

/** Trouble that may last: told when it begins and when it is over, not each time that something is tried again. */
export class ErrorThrottle {
  readonly #options: ErrorThrottleOptions;
  #lasts = false;

  constructor(options: ErrorThrottleOptions) {
    this.#options = options;
  }

  get lasts(): boolean {
    return this.#lasts;
  }

  /** @param againInMs the pause before it is tried again, told each time to whoever looks closely */
  met(error: unknown, againInMs?: number): void {
    const { log, level, begins, fields } = this.#options;
    if (!this.#lasts) log[level]({ error, ...fields }, begins);
    if (againInMs !== undefined) log.debug({ again_in_ms: againInMs, ...fields }, begins);
    this.#lasts = true;
  }

  over(): void {
    const { log, ends, fields } = this.#options;
    if (this.#lasts) log.info({ ...fields }, ends);
    this.#lasts = false;
  }
}
