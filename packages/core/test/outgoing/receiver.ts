import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Certificate } from '@dealkeep/testing/certificates';
import { onTestFinished } from 'vitest';

export interface Receiver {
  readonly port: number;
  readonly url: URL;
  /** Every connection that was ever accepted, and the bodies of the requests that arrived whole. */
  readonly connections: Socket[];
  readonly bodies: string[];
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const sayOk: Answer = (response) => response.end('ok');

/** An http receiver on an address of this machine; closed, with its connections, when the test ends. */
export async function startReceiver(
  answer: Answer = sayOk,
  address = '127.0.0.1',
  port = 0,
): Promise<Receiver> {
  const bodies: string[] = [];
  const server = createHttpServer(recording(bodies, answer));
  return { ...(await listen(server, 'http', address, port)), bodies };
}

/** An https receiver with this certificate. */
export async function startSecureReceiver(
  certificate: Certificate,
  answer: Answer = sayOk,
  address = '127.0.0.1',
): Promise<Receiver> {
  const bodies: string[] = [];
  const server = createHttpsServer({ ...certificate }, recording(bodies, answer));
  return { ...(await listen(server, 'https', address, 0)), bodies };
}

/** A receiver that speaks bytes: `onRequest` is called with the connection once something has arrived. */
export async function startRawReceiver(onRequest: (socket: Socket) => void): Promise<Receiver> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => onRequest(socket));
  });
  return { ...(await listen(server, 'http', '127.0.0.1', 0)), bodies: [] };
}

function recording(bodies: string[], answer: Answer) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    bodies.push(await text(request));
    answer(response, request);
  };
}

async function listen(
  server: Server,
  scheme: string,
  host: string,
  port: number,
): Promise<Omit<Receiver, 'bodies'>> {
  const connections: Socket[] = [];
  server.on('connection', (socket: Socket) => connections.push(socket));
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of connections) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
  return { port: address.port, url: new URL(`${scheme}://${host}:${address.port}/hook`), connections };
}
