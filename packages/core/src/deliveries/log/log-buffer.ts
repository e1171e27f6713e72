import type { Database } from '../../database/connect.ts';
import { ErrorThrottle } from '../../error-throttle.ts';
import type { Log } from '../../log.ts';
import { unwrittenLogEntries } from '../../operating-limits.ts';
import { Batches } from '../queue/batches.ts';
import { type AttemptEntry, insertAttempts } from './logged-attempts.ts';

interface LogBufferOptions {
  /** A connection of its own, so that a log that cannot be written keeps nothing else waiting. */
  sql: Database;
  log: Log;
}

/**
 * Writes the delivery log beside the deliveries, which go on when it cannot be written (a full disk, a lock, a missing
 * right). What waits is written once it can be again; of more than fits in memory the oldest goes.
 */
export class LogBuffer extends Batches<AttemptEntry> {
  #dropped = 0;

  constructor({ sql, log }: LogBufferOptions) {
    super({
      atOnce: 500,
      gathered: { count: 250, forMs: 200 },
      pauseMs: { first: 1000, longest: 1000 },
      write: async (batch) => {
        await insertAttempts(sql, batch);
        return [];
      },
      trouble: new ErrorThrottle({
        log,
        level: 'error',
        begins: 'The delivery log cannot be written; deliveries go on',
        ends: 'The delivery log is written again',
      }),
      most: {
        count: unwrittenLogEntries,
        onDropped: (count) => {
          if (this.#dropped === 0) log.error({}, 'The delivery log loses attempts');
          this.#dropped += count;
        },
      },
    });
  }

  /** Entries that were never written. */
  get dropped(): number {
    return this.#dropped;
  }
}
