import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './listen.ts';

export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A customer's receiver: answers 204 to everything and hands the deliveries on in the order in which they came. */
export async function hookReceiver() {
  const arrived: Delivery[] = [];
  let wake = () => {};
  const { origin } = await listen(async (request, response) => {
    arrived.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(204).end();
    wake();
  });
  return {
    targetUrl: `${origin}/dealkeep`,
    /** Waits for the next delivery. */
    async next(): Promise<Delivery> {
      for (;;) {
        const first = arrived.shift();
        if (first) return first;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
