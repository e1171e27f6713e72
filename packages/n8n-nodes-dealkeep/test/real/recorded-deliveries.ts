import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Api } from './api.ts';
import { freePort } from './n8n-server.ts';
import { waitFor } from './wait-for.ts';

export interface Delivery {
  headers: Record<string, string>;
  body: string;
}

/** A receiver of Dealkeep's deliveries, subscribed to the events, that keeps them with their headers. */
export async function recordDeliveries(
  api: Api,
  events: readonly string[],
): Promise<{ url: string; next(): Promise<Delivery>; stop(): Promise<void> }> {
  const received: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        headers: signedHeaders(request.headers),
        body: Buffer.concat(chunks).toString('utf8'),
      });
      response.end();
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${port}/`;
  if (events.length > 0) await api.create('/webhooks', { target_url: url, events });
  return {
    url,
    next: () => waitFor('a delivery', 20_000, () => received.shift()),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The headers that belong to the delivery; those of the connection are its own. */
function signedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && /^(webhook-|x-service-|content-type$|user-agent$)/.test(name))
      kept[name] = value;
  }
  return kept;
}
