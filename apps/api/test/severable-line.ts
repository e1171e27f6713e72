import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { growOlder } from '@dealkeep/testing';

/** A TCP line to another address that can be cut and mended: a database that goes away and comes back. */
export class SeverableLine {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** The address of the target, through this line. */
  async url(): Promise<string> {
    await this.mend();
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${this.#port}`;
    return url.href;
  }

  async mend(): Promise<void> {
    this.#server = createServer((near) => {
      const far = connect(Number(this.#target.port), this.#target.hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.once('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address() as AddressInfo;
    this.#port = address.port;
  }

  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/**
 * What is answered to something that was asked while the line is cut. For a few seconds this process hopes that the
 * database comes back; they pass at once.
 */
export async function answeredWhileCut<Result>(asked: Promise<Result>): Promise<Result> {
  const passing = setInterval(() => growOlder(1000), 20);
  try {
    return await asked;
  } finally {
    clearInterval(passing);
  }
}
