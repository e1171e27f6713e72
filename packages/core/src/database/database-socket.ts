import { Socket } from 'node:net';
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

/**
 * Connects to the database, to one host of several after the other. What fails is told by the socket.
 *
 * @param made hears of every socket
 */
export function databaseSockets(
  made: (socket: Socket) => void,
): (server: { host: string[]; port: number[] }) => Socket {
  let attempts = 0;
  return ({ host: hosts, port: ports }) => {
    const at = attempts % hosts.length;
    attempts += 1;
    const host = hosts[at] ?? 'localhost';
    const port = ports[at] ?? 5432;
    const socket = new DatabaseSocket();
    if (isSocketFolder({ host, port })) socket.connect(`${host}/.s.PGSQL.${port}`);
    else socket.connect(port, host);
    made(socket);
    // postgres.js looks here for the name that a certificate is checked for.
    return Object.assign(socket, { host });
  };
}

/**
 * Longer than 1 KiB, as part of a connection's first message: postgres.js 3.4.9 then sends it at once. A shorter one
 * waits for a timer, and where a connection broke while something waited for it, that timer never comes again: every
 * later connection in that place would say nothing, and time out (porsager/postgres#1209).
 */
export const blanks = ' '.repeat(1024);
