import type { Database } from '../../database/connect.ts';
import type { Log } from '../../log.ts';
import { unwrittenLogEntries } from '../../operating-limits.ts';
import { Pause } from '../withdraw-deliveries.ts';
import { type AttemptEntry, insertAttempts } from './logged-attempts.ts';

interface LogBufferOptions {
  /** A connection of its own, so that a log that cannot be written keeps nothing else waiting. */
  sql: Database;
  log: Log;
}

const entriesAtOnce = 500;
/** Fewer than these wait a moment for others to be written with. */
const worthAStatementOfEntries = 250;
const entriesGatheredForMs = 10;
/** Pause before the same is written again after a failure. */
const againAfterMs = 1000;

/**
 * Writes the delivery log beside the deliveries, which go on when it cannot be written (a full disk, a lock, a missing
 * right). What waits is written once it can be again; of more than fits in memory the oldest goes.
 */
export class LogBuffer {
  readonly #options: LogBufferOptions;
  #waiting: AttemptEntry[] = [];
  #running: Promise<void> | undefined;
  readonly #pause = new Pause();
  #finishing = false;
  #dropped = 0;
  #failing = false;

  constructor(options: LogBufferOptions) {
    this.#options = options;
  }

  /** Entries that wait to be written. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Entries that were never written. */
  get dropped(): number {
    return this.#dropped;
  }

  add(entries: readonly AttemptEntry[]): void {
    // A run that finds nothing to do has ended before anybody can note that it runs.
    if (entries.length === 0) return;
    this.#waiting.push(...entries);
    this.#keepWithinBounds();
    this.#running ??= this.#run();
  }

  /** Waits until all is written, or for so long; what is left is dropped. */
  async finish(limitMs: number): Promise<void> {
    this.#finishing = true;
    this.#pause.end();
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.#running, end]);
    clearTimeout(timer);
    const left = this.#waiting.length;
    if (left > 0) this.#options.log.warn({ attempts: left }, 'The delivery log lacks the last attempts');
  }

  async #run(): Promise<void> {
    const { sql, log } = this.#options;
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < worthAStatementOfEntries && !this.#finishing)
        await this.#pause.take(entriesGatheredForMs);
      const batch = this.#waiting.slice(0, entriesAtOnce);
      try {
        await insertAttempts(sql, batch);
        // Removed by identity and not by number, because the oldest may have been dropped meanwhile.
        const written = new Set(batch);
        this.#waiting = this.#waiting.filter((entry) => !written.has(entry));
        if (this.#failing) log.info({}, 'The delivery log is written again');
        this.#failing = false;
      } catch (error) {
        if (!this.#failing) log.error({ error }, 'The delivery log cannot be written; deliveries go on');
        this.#failing = true;
        if (this.#finishing) break;
        await this.#pause.take(againAfterMs);
      }
    }
    // Here and not in a later turn, so that no entry is added in between and left lying.
    this.#running = undefined;
  }

  #keepWithinBounds(): void {
    const tooMany = this.#waiting.length - unwrittenLogEntries;
    if (tooMany <= 0) return;
    this.#waiting.splice(0, tooMany);
    if (this.#dropped === 0) this.#options.log.error({}, 'The delivery log loses attempts');
    this.#dropped += tooMany;
  }
}
