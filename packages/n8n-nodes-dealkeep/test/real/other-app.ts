import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { waitFor } from './wait-for.ts';

export interface OtherApp {
  readonly url: string;
  /** What was sent to it next; waits for it. */
  next(): Promise<unknown>;
  close(): Promise<void>;
}

const patience = 20_000;

/** Any app that a workflow sends something to: a chat, a mailing list. */
export async function startOtherApp(): Promise<OtherApp> {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    response.setHeader('content-type', 'application/json');
    response.end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    next: async () =>
      JSON.parse(await waitFor('something to be sent to the other app', patience, () => received.shift())),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
