import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOAuthApp } from '@dealkeep/core/accounts';
import { ownerPassword, startDealkeep } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { expect, onTestFinished, test } from 'vitest';

const dealkeep = await startDealkeep({ worker: false });
const organization = await dealkeep.createOrganization();
const browser = await startChromium();

/** An application's own site: a page that opens a window to connect, and one that tells it what came of it. */
async function application(host: string): Promise<string> {
  const pages: Record<string, string> = {
    '/': '<title>waiting</title><script>addEventListener("message", ({ data }) => { document.title = data; });</script>',
    '/callback':
      '<script>opener.postMessage(new URLSearchParams(location.search).get("state"), "*");</script>',
  };
  const server = createServer(({ url = '/' }, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(pages[url.replace(/\?.*/, '')] ?? '');
  });
  server.listen(0, host === '[::1]' ? '::1' : '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'an application on another site (%s) connects in a window of its own, and learns when it is done',
  async (host) => {
    const origin = await application(host);
    const redirect_uri = `${origin}/callback`;
    const app = await createOAuthApp(dealkeep.core, {
      name: 'Acme',
      redirectUris: [redirect_uri],
      scopes: ['leads:read'],
    });
    const question = new URLSearchParams({
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri,
      state: `done on ${host}`,
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
    });
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(origin);
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`void open('${dealkeep.origin}/oauth/authorize?${question}', 'connect', 'popup')`),
    ]);
    await popup.getByLabel('E-mail').fill(organization.ownerEmail);
    await popup.getByLabel('Password').fill(ownerPassword);
    await popup.getByRole('button', { name: 'Sign in' }).click();
    await popup.getByRole('button', { name: 'Allow' }).click();
    await expect.poll(() => page.title(), { timeout: 20_000 }).toBe(`done on ${host}`);
  },
);
