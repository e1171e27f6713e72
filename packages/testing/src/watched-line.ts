import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { MessageReader, type Step } from './message-reader.ts';

/** One instant of a conversation with the database. */
export interface Instant extends Step {
  /**
   * The first statement of its transaction, which tells one commit from another; empty outside and at the beginning.
   */
  readonly opening: string;
  /** Of the same statement, state and opening since the watch began: 1 for the first. */
  readonly occurrence: number;
}

/** Where a conversation stands still. */
export interface Stop extends Instant {
  /** What went over the line since the watch began, this instant not included. */
  readonly passed: readonly Instant[];
  /** The process of the database that serves this connection. */
  readonly backend: number;
  /** Ends the connection at both ends. */
  cut(): void;
  /** Lets it go on. */
  resume(): void;
}

/**
 * A TCP line to PostgreSQL that understands where a statement ends, and can stand still at any instant between two
 * of them: before a statement reaches the database, or before its answer comes back.
 */
export class WatchedLine {
  /** The database's address through this line. */
  readonly url: string;
  #passed: Instant[] = [];
  #wanted: (instant: Instant) => boolean = () => false;
  #reached: (stop: Stop) => void = () => {};

  private constructor(url: string) {
    this.url = url;
  }

  /** @param atEnd when it is closed: with the test, unless a file's tests share it (`afterAll`) */
  static async open(
    target: string,
    atEnd: (close: () => void) => void = onTestFinished,
  ): Promise<WatchedLine> {
    const { hostname, port } = new URL(target);
    const server = createServer((near) => line.#join(near, connect(Number(port), hostname)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(target);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const line = new WatchedLine(url.href);
    atEnd(() => void server.close());
    return line;
  }

  /** Stands still, once, at the first instant from now on that is wanted. */
  stopAt(wanted: (instant: Instant) => boolean): Promise<Stop> {
    this.#passed = [];
    this.#wanted = wanted;
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }

  /** Stands still at nothing any more. */
  letPass(): void {
    this.#wanted = () => false;
  }

  /** The statements that come while work runs, in their order. */
  async statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    this.letPass();
    this.#passed = [];
    await work();
    return this.#passed.filter(({ state }) => state === 'asked').map(({ statement }) => statement);
  }

  #instantOf({ statement, state }: Step, opening: string): Instant {
    const earlier = this.#passed.filter(
      (each) => each.statement === statement && each.state === state && each.opening === opening,
    );
    return { statement, state, opening, occurrence: earlier.length + 1 };
  }

  #join(near: Socket, far: Socket): void {
    const reader = new MessageReader();
    const both = [near, far];
    // As both ends do: else each piece of a `copy` would wait 40 ms for the one before it to be confirmed.
    for (const socket of both) socket.setNoDelay(true);
    let begun = false;
    let opening = '';
    const pass = (step: Step, send: () => void): Promise<void> | void => {
      if (step.state === 'asked') {
        if (begun) opening = step.statement;
        begun = /^begin\b/.test(step.statement);
      }
      const instant = this.#instantOf(step, opening);
      if (step.state === 'answered' && /^(commit|rollback)$/.test(step.statement)) opening = '';
      if (!this.#wanted(instant)) {
        this.#passed.push(instant);
        return send();
      }
      this.#wanted = () => false;
      return new Promise((resume) => {
        this.#reached({
          ...instant,
          passed: [...this.#passed],
          backend: reader.backend,
          cut: () => both.forEach((socket) => void socket.destroy()),
          resume: () => {
            send();
            resume();
          },
        });
      });
    };
    for (const [socket, other, parts] of [
      [near, far, reader.asked],
      [far, near, reader.answered],
    ] as const) {
      let turn = Promise.resolve();
      socket.on('data', (chunk: Buffer) => {
        turn = turn.then(async () => {
          for (const { bytes, step } of parts(chunk)) {
            const send = (): void => void (other.destroyed || other.write(bytes));
            if (step) await pass(step, send);
            else send();
          }
        });
      });
      socket.on('error', () => other.destroy());
      // Its last words go before the end; what stands still does not outlive the asker.
      socket.once('end', () => void turn.then(() => other.end()));
    }
    near.once('close', () => far.destroy());
  }
}
