import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Browser, VisitedPage } from '@dealkeep/testing';
import { afterAll } from 'vitest';

export const keysPath = '/integrations/keys';
export const hooksPath = '/integrations/webhooks';

export const secretOn = ({ html }: VisitedPage): string =>
  /id="secret"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? '';

/** A subscriber for the tests of a file; answers 200, or what it was told. */
export async function startSubscriber() {
  let answer = 200;
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(answer).end('noted');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  afterAll(() => void receiver.close());
  const address = receiver.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  const target_url = `http://127.0.0.1:${address.port}/hook`;

  /** A webhook made by hand in the console; answers its address and its secret. */
  async function manualWebhook(browser: Browser, fields: Record<string, string> = {}) {
    const made = await browser.fill(`${hooksPath}/new`, `${hooksPath}/new`, {
      name: 'Warehouse',
      target_url,
      events: 'lead.created',
      do: 'save',
      ...fields,
    });
    const address = new RegExp(`${hooksPath}/[0-9a-f-]{36}`).exec(made.html)?.[0] ?? '';
    return { made, address, secret: secretOn(made) };
  }

  const answers = (status: number): void => {
    answer = status;
  };
  return { target_url, manualWebhook, answers };
}
