import type { Socket } from 'node:net';
import { serverAskedForMs, type TimeLimits } from '../operating-limits.ts';
import { DatabaseSilent } from './failures.ts';

/** What somebody waits for: a statement, or a step that postgres.js makes by itself (begin, savepoint, commit). */
interface Awaited {
  /** Whether it still waits for a connection. */
  waits(): boolean;
  /** Called when it is given up. */
  giveUp(error: DatabaseSilent): void;
}

interface Listened {
  bytes: number;
  /** The tick at which the last byte came. */
  heardAt: number;
}

interface Outstanding {
  readonly awaited: Awaited;
  /** Tick at which it was asked for. */
  readonly since: number;
  /** Made when it is given up. */
  settled?: PromiseWithResolvers<unknown>;
}

/** Ends the waiting for what has been answered, with the error if it is one. */
export type Settle = (error?: unknown) => void;

const tickMs = 250;

/**
 * Watches a pool for a server that no longer answers: stopped, out of reach without a word, or stuck. What is asked
 * for and not answered within the limit is given up, with the connections that have been silent for so long. When no
 * connection says anything, whatever else waits is given up as well, and whatever comes is refused at once, until
 * the server answers again; else requests that wait for each other would each wait for the whole limit.
 *
 * Time is counted in ticks of this process, so that a process that was itself stopped blames nobody.
 */
export class PoolWatch {
  readonly #limitTicks: number;
  readonly #silentTicks: number;
  readonly #probe: () => Promise<unknown>;
  readonly #sockets = new Map<Socket, Listened>();
  /** The oldest first. */
  readonly #outstanding = new Set<Outstanding>();
  #tick = 0;
  #timer: NodeJS.Timeout | undefined;
  #silent = false;
  /** Tick at which the running probe began. */
  #probing: number | undefined;

  /** @param probe asks the server for anything; it is not watched */
  constructor({ answerMs, statementMs }: TimeLimits, probe: () => Promise<unknown>) {
    this.#limitTicks = Math.ceil(answerMs / tickMs);
    this.#silentTicks = Math.ceil(statementMs / tickMs);
    this.#probe = probe;
  }

  /** A connection of the pool. */
  addSocket(socket: Socket): void {
    if (this.#limitTicks === 0) return;
    this.#sockets.set(socket, { bytes: 0, heardAt: this.#tick });
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Why nothing may be asked for just now; undefined: it may. */
  get refusal(): DatabaseSilent | undefined {
    return this.#silent ? new DatabaseSilent() : undefined;
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return [...this.#outstanding].filter(({ awaited }) => awaited.waits()).length;
  }

  /** Begins to watch for an answer; the caller calls what is returned when it is there. */
  expect(awaited: Awaited): Settle {
    const outstanding: Outstanding = { awaited, since: this.#tick };
    if (this.#limitTicks > 0) {
      this.#outstanding.add(outstanding);
      this.#start();
    }
    return (error) => {
      this.#outstanding.delete(outstanding);
      outstanding.settled?.resolve(error);
    };
  }

  /** No connection could be made because the server said nothing. */
  noteSilence(): void {
    if (this.#silent || this.#limitTicks === 0 || this.#isHeard()) return;
    this.#silent = true;
    this.#start();
    for (const each of this.#outstanding) if (each.awaited.waits()) this.#giveUp(each);
  }

  #start(): void {
    this.#timer ??= setInterval(() => this.#look(), tickMs).unref();
  }

  #look(): void {
    this.#tick += 1;
    for (const [socket, listened] of this.#sockets) {
      if (socket.bytesRead === listened.bytes) continue;
      listened.bytes = socket.bytesRead;
      listened.heardAt = this.#tick;
    }
    this.#giveUpOverdue();
    if (this.#silent) this.#ask();
    else if (this.#outstanding.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #giveUpOverdue(): void {
    let found = false;
    for (const each of this.#outstanding) {
      if (this.#tick - each.since < this.#limitTicks) break;
      this.#giveUp(each);
      found = true;
    }
    if (!found) return;
    this.#hangUp(this.#silentTicks);
    this.noteSilence();
  }

  /** Ends the connections on which nothing came for so long; postgres.js rejects what else waits on them. */
  #hangUp(silentTicks: number): void {
    for (const [socket, { heardAt }] of this.#sockets) {
      if (this.#tick - heardAt >= silentTicks) socket.destroy();
    }
  }

  #giveUp(outstanding: Outstanding): void {
    this.#outstanding.delete(outstanding);
    outstanding.settled = Promise.withResolvers();
    outstanding.awaited.giveUp(new DatabaseSilent(outstanding.settled.promise));
  }

  /** Whether any connection has said something of late. */
  #isHeard(): boolean {
    for (const { bytes, heardAt } of this.#sockets.values()) {
      if (bytes > 0 && this.#tick - heardAt < this.#silentTicks) return true;
    }
    return false;
  }

  #ask(): void {
    const patience = Math.ceil(serverAskedForMs / tickMs);
    if (this.#probing !== undefined) {
      if (this.#tick - this.#probing >= patience) this.#hangUp(patience);
      return;
    }
    this.#probing = this.#tick;
    this.#probe().then(
      () => {
        this.#silent = false;
        this.#probing = undefined;
      },
      (error) => {
        this.#probing = undefined;
        // An ended pool is asked no more.
        if (error instanceof Error && 'code' in error && error.code === 'CONNECTION_ENDED')
          this.#silent = false;
      },
    );
  }
}
