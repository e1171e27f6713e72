import { type Browser, eventually, type VisitedPage } from '@dealkeep/testing';
import { expect } from 'vitest';

export const utf8 = (text: string) => new TextEncoder().encode(text);

/** Sends a file; answers what comes after, which is the page of the import where it was taken. */
export async function upload(
  browser: Browser,
  list: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<VisitedPage> {
  const action = `${list}/import`;
  const sent = await browser.upload(await browser.get(action), action, { name: 'table.csv', bytes });
  return sent.location === undefined ? sent : browser.get(sent.location);
}

/** The address of the import that a page is about. */
export const addressOf = ({ html }: VisitedPage): string => /\/imports\/[0-9a-f-]{36}/.exec(html)?.[0] ?? '';

/** The page of an import, once no worker has it any more. */
export async function settled(browser: Browser, address: string): Promise<VisitedPage> {
  let page = await browser.get(address);
  await eventually(
    async () => {
      page = await browser.get(address);
      expect(page.headers.get('refresh')).toBeNull();
    },
    { interval: 100 },
  );
  return page;
}

/** Has its columns read as proposed, but for what is chosen otherwise; answers the preview. */
export async function check(browser: Browser, page: VisitedPage, chosen: Record<string, string> = {}) {
  const address = addressOf(page);
  const sent = await browser.submit(page, `${address}/columns`, chosen);
  expect([sent.status, sent.location]).toEqual([303, address]);
  return settled(browser, address);
}

export async function run(browser: Browser, page: VisitedPage) {
  const address = addressOf(page);
  const sent = await browser.submit(page, `${address}/run`, {});
  expect([sent.status, sent.location]).toEqual([303, address]);
  return settled(browser, address);
}

export const proposed = ({ html }: VisitedPage): string[] =>
  [...html.matchAll(/<select name="column-\d+".*?<\/select>/gs)].map(
    ([select]) => /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? '?',
  );

export const mainTextOf = ({ html }: VisitedPage): string =>
  html
    .replace(/[\s\S]*<main/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
