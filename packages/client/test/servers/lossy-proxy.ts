import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

/**
 * A connection that loses answers: requests reach the API and are carried out, but what it answers to the first
 * `losses` of them never arrives.
 */
export async function lossyProxy(baseUrl: string, losses: number) {
  const target = new URL(baseUrl);
  const statuses: number[] = [];
  const { origin } = await listen(async (request, response) => {
    const { method = 'GET', url = '' } = request;
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'idempotency-key']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const content = await text(request);
    const answered = await fetch(new URL(url, target.origin), {
      method,
      headers,
      ...(content === '' ? {} : { body: content }),
    });
    const body = await answered.text();
    statuses.push(answered.status);
    if (statuses.length <= losses) {
      response.socket?.destroy();
      return;
    }
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(body);
  });
  return {
    baseUrl: `${origin}${target.pathname}`,
    /** What the API answered to each request, lost ones included. */
    statuses,
  };
}
