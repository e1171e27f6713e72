import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { isSocketFolder } from '../database-address.ts';
import { NeverTaken } from '../outage.ts';

/**
 * A socket that tells an error when it closes, not before. In between, postgres.js 3.4.9 gives further statements to
 * the dead connection, and never tells what became of them (#1215). Nor does it tell what PgBouncer said before it
 * closed.
 */
class DatabaseSocket extends Socket {
  #error: unknown;
  #lastHeard: unknown;

  constructor() {
    // postgres.js asks before each statement whether the socket has room, as it asks about the connection (#1189).
    // What waits to be written waits in memory in any case.
    super(writesAll);
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'data') [this.#lastHeard] = values;
    if (event === 'error') {
      this.#error = values[0];
      return true;
    }
    if (event === 'close') {
      const error = NeverTaken.saidBy(this.#lastHeard) ?? this.#error;
      if (error !== undefined) super.emit('error', error);
    }
    return super.emit(event, ...values);
  }

  /**
   * postgres.js pauses it while whoever reads a `copy … to stdout` is slow, and has it wait for ever then for a
   * server that waits to be read.
   */
  override end(...last: unknown[]): this {
    Reflect.apply(super.end, this, last);
    if (this.isPaused()) this.destroySoon();
    return this;
  }
}

/** Known to Node's streams, not to the types of its sockets. */
const writesAll: object = { writableHighWaterMark: Number.MAX_SAFE_INTEGER };

/**
 * The same for sockets that postgres.js makes over ours. Node gives them one measure for both ways, and what is read
 * would fill it where a backup goes to a slow disk: so it is large, and has an end.
 */
export const encryptedSockets: ConnectionOptions & { highWaterMark: number } = {
  highWaterMark: 16 * 1024 ** 2,
};

/** What postgres.js writes at once; what is shorter waits, at most until this turn of the event loop ends. */
const writtenAtOnce = 1024;

/**
 * Has a socket write what is long at the end of this turn, too, together with what is asked for behind it: the last
 * statement of a change with its commit. Each write is a call of the system and may wake the server.
 *
 * @param socket that connects already: Node gives it its own `write` when it begins to
 */
function gatherWrites(socket: Socket): void {
  const { write } = socket;
  const end = (): void => void setImmediate(() => socket.uncork());
  Object.assign(socket, {
    write(...written: Parameters<typeof write>): boolean {
      if (written[0].length >= writtenAtOnce && socket.writableCorked === 0) {
        socket.cork();
        // By then postgres.js, which waits for such an end as well, has what was asked for in promises.
        process.nextTick(end);
      }
      return Reflect.apply(write, socket, written);
    },
  });
}

/**
 * The pause before the same host of several is tried again, so that a pool does not try without end while none
 * serves.
 */
const hostTriedAgainMs = 200;

/**
 * Connects to the database, to one host of several after the other (#815). What fails is told by the socket.
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
      // As libpq does: else the end of a `copy … from stdin` waits 40 ms for the server to confirm what came before
      // it.
      socket.setNoDelay(true);
      gatherWrites(socket);
      made(socket);
      socket.once('close', () => leftAt.set(at, performance.now()));
      // The host that the certificate must name: postgres.js reads `host`, Node reads `_host` where it is an IP
      // address.
      return Object.assign(socket, { host, _host: host });
    };
    const left = leftAt.get(at);
    if (hosts.length === 1 || left === undefined) return connect();
    const pause = left + hostTriedAgainMs - performance.now();
    return pause > 0 ? sleep(pause).then(connect) : connect();
  };
}
