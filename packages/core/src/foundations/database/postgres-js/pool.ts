import { outageAwaitedMs, serverAskedForMs, type TimeLimits } from '../../operating-limits.ts';
import type { DatabaseHost } from '../database-address.ts';
import { DatabaseSilent, LostConnection } from '../failures.ts';
import { Connection } from './connection.ts';
import { Asked, type Query, type Waiting } from './statement.ts';

export interface PoolOptions {
  /** As `postgres` takes them. */
  readonly settings: object;
  /** Of several, the first that can be reached and takes writes. */
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  /** Connections at most. */
  readonly connections: number;
  readonly limits: TimeLimits;
  /**
   * Nothing may be sent behind a statement until it is answered. Behind PgBouncer, postgres.js first asks for the
   * types of a statement, which belongs to no transaction yet, so PgBouncer could give the server to somebody else
   * as soon as the statement before is answered.
   */
  readonly alone: boolean;
}

/** Waits for a connection of its own. */
interface Reserving extends Waiting {
  reserve(connection: Connection): void;
}

const tickMs = 250;
/** A restart takes some tenths of a second. */
const openedAgainMs = 100;

/** What is said by the system, PostgreSQL or PgBouncer (by 08P01 alone) where one of them is being restarted. */
const refusals = 'ECONNREFUSED ECONNRESET EPIPE CONNECTION_CLOSED 57P01 57P02 57P03 08P01'.split(' ');

/**
 * Connections, and what waits for them.
 *
 * What is not answered within its limit is given up, with the connections that have been silent for as long as the
 * server may take for a statement. When none says anything, whatever else waits is given up as well, and whatever
 * comes is refused at once until the server answers again; else requests that wait for each other would each wait
 * for the whole limit. Time is counted in ticks of this process, so that a process that was itself stopped blames
 * nobody.
 *
 * While a pool that has worked can make no connection, the server is being restarted, and what was not sent yet
 * waits for it; but for a short time only. Once that is over, whatever comes is refused at once, as long as it stays
 * away.
 */
export class Pool {
  readonly #options: PoolOptions;
  readonly #limitTicks: number;
  readonly #silentTicks: number;
  readonly #connections: Connection[] = [];
  readonly #opening = new Set<Connection>();
  #waiting: (Asked | Reserving)[] = [];
  #hostAt = 0;
  #hasWorked = false;
  /** Milliseconds of `performance.now()`: no connection can be made since. */
  #awaySince: number | undefined;
  /** Until then no connection is made. */
  #pause: NodeJS.Timeout | undefined;
  #tick = 0;
  #watch: NodeJS.Timeout | undefined;
  #isSilent = false;
  #ending: Promise<void> | undefined;
  readonly #nothingRuns = Promise.withResolvers<void>();

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#limitTicks = Math.ceil(options.limits.answerMs / tickMs);
    this.#silentTicks = Math.ceil(options.limits.statementMs / tickMs);
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** The present tick. */
  get now(): number {
    return this.#tick;
  }

  /** Runs a statement on any connection. */
  readonly ask = (query: Query): void => {
    const refusal = this.#refusal;
    if (refusal) query.reject(refusal);
    else this.#take(new Asked(query, this.#tick));
  };

  /** A connection for one caller alone, who gives it back by `release`. */
  reserve(): Promise<Connection> {
    const refusal = this.#refusal;
    if (refusal) return Promise.reject(refusal);
    return new Promise((reserve, refuse) => this.#take({ since: this.#tick, reserve, refuse }));
  }

  release(connection: Connection): void {
    connection.isReserved = false;
    this.#onFree();
  }

  /**
   * Ends once nothing runs any more; nothing else is taken meanwhile.
   *
   * @param timeout seconds after which what runs is ended by force; never when absent
   */
  end({ timeout }: { readonly timeout?: number } = {}): Promise<void> {
    this.#ending ??= this.#end(timeout);
    return this.#ending;
  }

  get #refusal(): Error | undefined {
    if (this.#ending) return Object.assign(new Error('The pool has ended'), { code: 'CONNECTION_ENDED' });
    return this.#isSilent ? new DatabaseSilent() : undefined;
  }

  get #isIdle(): boolean {
    return (
      this.#waiting.length === 0 && !this.#connections.some((each) => each.isReserved || each.asked.size > 0)
    );
  }

  get #mayGrow(): boolean {
    const { length } = this.#connections;
    return this.#pause === undefined && length + this.#opening.size < this.#options.connections;
  }

  #take(one: Asked | Reserving): void {
    if (this.#limitTicks > 0) this.#watch ??= setInterval(() => this.#look(), tickMs).unref();
    const connection = this.#free();
    if (connection) hand(one, connection);
    else {
      this.#waiting.push(one);
      this.#grow();
    }
  }

  /** The connection that can take something now and has the least to do. */
  #free(): Connection | undefined {
    let least: Connection | undefined;
    for (const each of this.#connections) {
      if (each.isReserved) continue;
      if (each.asked.size === 0) return each;
      if (!least || each.asked.size < least.asked.size) least = each;
    }
    return this.#options.alone || this.#mayGrow ? undefined : least;
  }

  /** @param most so many at most */
  #serve(most = this.#waiting.length): void {
    for (let served = 0; served < most; served += 1) {
      const connection = this.#waiting.length > 0 ? this.#free() : undefined;
      const next = connection && this.#waiting.shift();
      if (!connection || !next) break;
      hand(next, connection);
    }
    this.#grow();
  }

  readonly #onFree = (): void => {
    if (this.#waiting.length > 0) this.#serve();
    else if (this.#ending && this.#isIdle) this.#nothingRuns.resolve();
  };

  readonly #onGone = (connection: Connection): void => {
    const at = this.#connections.indexOf(connection);
    if (at >= 0) this.#connections.splice(at, 1);
    // What waits on it has not been told yet.
    queueMicrotask(() => {
      this.#grow();
      this.#onFree();
    });
  };

  readonly #onNeverTaken = (asked: Asked): void => {
    asked.withdraw();
    this.#waiting.push(asked);
  };

  #grow(): void {
    while (this.#mayGrow && this.#opening.size < this.#waiting.length) void this.#open();
  }

  async #open(): Promise<void> {
    const { settings, hosts, limits } = this.#options;
    const asked = { connectMs: serverAskedForMs, answerMs: serverAskedForMs };
    const events = { onFree: this.#onFree, onGone: this.#onGone, onNeverTaken: this.#onNeverTaken };
    let failure: unknown;
    for (const _ of hosts) {
      if (this.#ending && this.#waiting.length === 0) break;
      const host = hosts[this.#hostAt % hosts.length] ?? hosts[0];
      const connection = new Connection({
        settings,
        host,
        isToWrite: hosts.length > 1,
        limits: this.#isSilent ? asked : limits,
        events,
      });
      this.#opening.add(connection);
      try {
        await connection.opened;
        return this.#opened(connection);
      } catch (error) {
        failure = error;
        this.#hostAt += 1;
      } finally {
        this.#opening.delete(connection);
      }
    }
    this.#notOpened(failure);
  }

  #opened(connection: Connection): void {
    this.#hasWorked = true;
    this.#awaySince = undefined;
    this.#isSilent = false;
    this.#opening.delete(connection);
    connection.look(this.#tick);
    this.#connections.push(connection);
    // The others that are being made have their share.
    this.#serve(Math.ceil(this.#waiting.length / (this.#opening.size + 1)));
  }

  #notOpened(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'CONNECT_TIMEOUT') this.#noteSilence();
    const others = this.#connections.length + this.#opening.size;
    if (others === 0 && !this.#mayPass(code)) for (const each of this.#waiting.splice(0)) each.refuse(error);
    if (this.#waiting.length > 0) {
      this.#pause ??= setTimeout(() => {
        this.#pause = undefined;
        this.#serve();
      }, openedAgainMs);
    }
    this.#onFree();
  }

  #mayPass(code: string): boolean {
    if (!this.#hasWorked || !refusals.includes(code)) return false;
    this.#awaySince ??= performance.now();
    return performance.now() - this.#awaySince < outageAwaitedMs;
  }

  #look(): void {
    this.#tick += 1;
    for (const each of this.#connections) each.look(this.#tick);
    if (this.#giveUpOverdue()) {
      this.#hangUp(this.#silentTicks);
      this.#noteSilence();
    }
    if (this.#isSilent && !this.#ending) this.#askServer();
    else if (this.#isIdle) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
  }

  #giveUpOverdue(): boolean {
    const isOverdue = ({ since }: Waiting): boolean => this.#tick - since >= this.#limitTicks;
    const overdue: Waiting[] = this.#waiting.filter(isOverdue);
    this.#waiting = this.#waiting.filter((each) => !isOverdue(each));
    for (const connection of this.#connections) {
      for (const asked of connection.asked) {
        if (!isOverdue(asked)) break;
        if (!asked.isRefused) overdue.push(asked);
      }
    }
    for (const each of overdue) each.refuse(new DatabaseSilent());
    return overdue.length > 0;
  }

  /** Ends the connections on which nothing came for so long, and those whose transaction is given up. */
  #hangUp(silentTicks: number): void {
    for (const each of [...this.#connections]) {
      const [first] = each.asked;
      if (each.isReserved && first?.isRefused) each.close(new DatabaseSilent());
      else if (this.#tick - each.heardAt >= silentTicks) each.close(new LostConnection());
    }
  }

  #noteSilence(): void {
    const isHeard = this.#connections.some(({ heardAt }) => this.#tick - heardAt < this.#silentTicks);
    if (this.#isSilent || this.#limitTicks === 0 || isHeard) return;
    this.#isSilent = true;
    for (const each of this.#waiting.splice(0)) each.refuse(new DatabaseSilent());
  }

  #askServer(): void {
    if (this.#opening.size > 0) return;
    if (!this.#mayGrow) this.#hangUp(Math.ceil(serverAskedForMs / tickMs));
    else void this.#open();
  }

  async #end(timeout: number | undefined): Promise<void> {
    const { promise: nothingRuns, resolve } = this.#nothingRuns;
    const timer = timeout === undefined ? undefined : setTimeout(resolve, timeout * 1000);
    if (!this.#isIdle) await nothingRuns;
    clearTimeout(timer);
    clearTimeout(this.#pause);
    clearInterval(this.#watch);
    const forced = new LostConnection('CONNECTION_DESTROYED');
    for (const each of this.#waiting.splice(0)) each.refuse(forced);
    for (const each of this.#opening) each.close(forced);
    const ended = this.#connections.splice(0).map((each) => {
      if (!each.isReserved && each.asked.size === 0) return each.end();
      each.close(forced);
      return undefined;
    });
    await Promise.all(ended);
  }
}

function hand(one: Asked | Reserving, connection: Connection): void {
  if (one instanceof Asked) connection.ask(one);
  else {
    connection.isReserved = true;
    one.reserve(connection);
  }
}
