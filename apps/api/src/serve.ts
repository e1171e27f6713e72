import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import type { ApiEnvironment } from './api.ts';

export interface RunningServer {
  port: number;
  /** Stops accepting, lets what runs finish within the limit, then ends the rest. */
  stop(limitMs: number): Promise<void>;
}

/** Listens for HTTP. Rejects with the operating system's error, such as EADDRINUSE. */
export async function serve(
  app: Pick<Hono<ApiEnvironment>, 'fetch'>,
  address: { port: number; host: string },
): Promise<RunningServer> {
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: { requestTimeout: 60_000 } });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  return { port: bound.port, stop: (limitMs) => stop(server as Server, limitMs) };
}

function stop(server: Server, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = setTimeout(() => server.closeAllConnections(), limitMs);
    server.close(() => {
      clearTimeout(end);
      resolve();
    });
    server.closeIdleConnections();
  });
}
