import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSocketFolder } from './database-address.ts';

/**
 * A socket that tells an error when it closes, not before. In between, postgres.js 3.4.9 gives further statements to
 * the dead connection, and never tells what became of them (porsager/postgres#1215).
 */
class DatabaseSocket extends Socket {
  #error: unknown;

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'error') {
      this.#error = values[0];
      return true;
    }
    if (event === 'close' && this.#error !== undefined) super.emit('error', this.#error);
    return super.emit(event, ...values);
  }
}

/** A host of several is asked again this long after it was left, or a pool would call without a pause where none serves. */
const pauseMs = 200;

/**
 * Connects to the database, to one host of several after the other. What fails is told by the socket.
 *
 * @param made hears of every socket
 */
export function databaseSockets(
  made: (socket: Socket) => void,
): (server: { host: string[]; port: number[] }) => Socket | Promise<Socket> {
  let attempts = 0;
  const leftAt = new Map<number, number>();
  return ({ host: hosts, port: ports }) => {
    const at = attempts % hosts.length;
    attempts += 1;
    const host = hosts[at] ?? 'localhost';
    const port = ports[at] ?? 5432;
    const connect = (): Socket => {
      const socket = new DatabaseSocket();
      if (isSocketFolder({ host, port })) socket.connect(`${host}/.s.PGSQL.${port}`);
      else socket.connect(port, host);
      made(socket);
      socket.once('close', () => leftAt.set(at, performance.now()));
      // Whose name a certificate must bear: postgres.js looks for it here, and Node, if it is an address, there.
      return Object.assign(socket, { host, _host: host });
    };
    const left = leftAt.get(at);
    if (hosts.length === 1 || left === undefined) return connect();
    const pause = left + pauseMs - performance.now();
    return pause > 0 ? sleep(pause).then(connect) : connect();
  };
}

/**
 * Longer than 1 KiB, as part of a connection's first message: postgres.js 3.4.9 then sends it at once. A shorter one
 * waits for a timer, and where a connection broke while something waited for it, that timer never comes again: every
 * later connection in that place would say nothing, and time out (porsager/postgres#1209).
 */
export const blanks = ' '.repeat(1024);
