import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { answerMalformed, type Fetch, malformedAnswer } from './answer-malformed.ts';

export interface RunningServer {
  port: number;
  /** Stops accepting, lets what runs finish within the limit, then ends the rest. */
  stop(limitMs: number): Promise<void>;
}

/** Listens for HTTP. Rejects with the operating system's error, such as EADDRINUSE. */
export async function serve(
  { fetch }: { fetch: Fetch },
  address: { port: number; host: string },
): Promise<RunningServer> {
  // HTTP/1.0 has no Host header, and some health checks still speak it; nothing here depends on it.
  const listener = getRequestListener(fetch, {
    hostname: 'localhost',
    errorHandler: () => malformedAnswer(fetch),
  });
  const server = createServer({ requestTimeout: 60_000 }, listener);
  server.on('clientError', (error, socket) => answerMalformed(fetch, error, socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  return { port: bound.port, stop: (limitMs) => stop(server, limitMs) };
}

function stop(server: Server, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = setTimeout(() => server.closeAllConnections(), limitMs);
    // A connection becomes idle when its request is answered, and its client would keep it for seconds.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    server.close(() => {
      clearTimeout(end);
      clearInterval(sweep);
      resolve();
    });
  });
}

const sweepMs = 50;
