import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { answerMalformed, type Fetch, malformedAnswer } from './answer-malformed.ts';

export interface RunningServer {
  port: number;
  /** Stops accepting, lets what runs finish within the limit, then ends the rest. */
  stop(limitMs: number): Promise<void>;
}

export interface ServeAddress {
  port: number;
  host: string;
  /** Milliseconds within which a request must have come whole, its body included; 60 s when absent. */
  patienceMs?: number;
}

/**
 * Listens for HTTP. Whoever sends a request more slowly than the patience allows, is answered BAD_REQUEST and cut off,
 * at most half as long again after that. Rejects with the operating system's error, such as EADDRINUSE.
 */
export async function serve(
  { fetch }: { fetch: Fetch },
  { port, host, patienceMs = 60_000 }: ServeAddress,
): Promise<RunningServer> {
  // HTTP/1.0 has no Host header, and some health checks still speak it; nothing here depends on it.
  const listener = getRequestListener(fetch, {
    hostname: 'localhost',
    errorHandler: () => malformedAnswer(fetch, 'request.malformed'),
  });
  const limits = { requestTimeout: patienceMs, connectionsCheckingInterval: patienceMs / 2 };
  const server = createServer(limits, listener);
  server.on('clientError', (error, socket) => answerMalformed(fetch, error, socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
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
