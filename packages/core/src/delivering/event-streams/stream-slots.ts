import { createHash } from 'node:crypto';
import { connect, type Database } from '../../foundations/database/connect.ts';
import type { Log } from '../../foundations/log.ts';
import { streamsPerKey } from '../../foundations/operating-limits.ts';

/** Class of the advisory locks that are slots. */
const slotClass = 4712;

/** One of the places that a key has for its streams. */
export interface Slot {
  /** False once the lock has gone with its connection. */
  held(): boolean;
  release(): Promise<void>;
}

/**
 * The places for streams are advisory locks on one connection of this process: they are shared by all processes, and
 * free at once when the process dies, however it dies.
 */
export class StreamSlots {
  readonly #sql: Database;
  readonly #log: Log;
  readonly #taken = new Set<number>();
  /** Number of the server's process behind the connection; another one means that all locks are gone. */
  #backend: number | undefined;

  /** @param databaseUrl a direct address: behind PgBouncer in transaction mode, a lock would be anybody's */
  constructor({ databaseUrl, log }: { databaseUrl: string; log: Log }) {
    this.#log = log;
    this.#sql = connect(databaseUrl, {
      connections: 1,
      name: 'dealkeep streams',
      // In seconds, so that a process whose machine was cut off does not hold its slots for hours.
      settings: {
        tcp_keepalives_idle: '10',
        tcp_keepalives_interval: '5',
        tcp_keepalives_count: '3',
      },
    });
  }

  /** Undefined when the key has no place left. */
  async take(key: string): Promise<Slot | undefined> {
    for (let place = 1; place <= streamsPerKey; place += 1) {
      const number = numberOf(key, place);
      // Skipped, because PostgreSQL grants a connection a lock that it holds already.
      if (this.#taken.has(number)) continue;
      this.#taken.add(number);
      const backend = await this.#lock(number).catch((error) => {
        this.#taken.delete(number);
        throw error;
      });
      if (backend !== undefined) {
        return { held: () => this.#backend === backend, release: () => this.#release(number) };
      }
      this.#taken.delete(number);
    }
    return undefined;
  }

  /** Finds out whether the connection is still the one that has the locks. */
  async check(): Promise<void> {
    const [row] = await this.#sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    this.#backend = row?.pid;
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 1 });
  }

  async #lock(number: number): Promise<number | undefined> {
    const [row] = await this.#sql<{ pid: number; locked: boolean }[]>`
      select pg_backend_pid() as pid, pg_try_advisory_lock(${slotClass}, ${number}) as locked`;
    this.#backend = row?.pid;
    return row?.locked ? row.pid : undefined;
  }

  async #release(number: number): Promise<void> {
    try {
      await this.#sql`select pg_advisory_unlock(${slotClass}, ${number})`;
    } catch (error) {
      // The lock ends with the connection then.
      this.#log.debug({ error }, 'A slot could not be given back');
    } finally {
      this.#taken.delete(number);
    }
  }
}

const numberOf = (key: string, place: number): number =>
  createHash('sha256').update(`${key} ${place}`).digest().readInt32BE();
