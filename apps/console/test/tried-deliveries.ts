import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Browser, createManualWebhook, type TestDealkeep } from '@dealkeep/testing';
import { afterAll, expect } from 'vitest';
import { textOf } from './page-parts.ts';

export const log = '/integrations/deliveries';

/**
 * Owners who are signed in, each with a webhook that does well and one that fails; for the file that asks for them.
 */
export async function triedDeliveries(dealkeep: TestDealkeep) {
  /** Answers below /broken with 500, else well. */
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/broken' ? 500 : 200).end('the <b>workflow</b> is off');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  afterAll(() => void receiver.close());
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

  return async () => {
    const organization = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const hook = (name: string, path: string) =>
      createManualWebhook(dealkeep.core, organization, {
        name,
        target_url: `${address}${path}`,
        events: ['lead.created', 'task.created'],
      });
    const [good, broken] = [await hook('Team chat', '/ok'), await hook('Accounting', '/broken')];
    const api = dealkeep.as(organization.key);
    const attempts = () => dealkeep.sql`select from attempts where organization_id = ${organization.id}`;
    /** Waits until so many attempts are in the log. */
    const tried = async (count: number): Promise<void> => {
      await expect.poll(async () => (await attempts()).length).toBeGreaterThanOrEqual(count);
    };
    const shown = async (query = ''): Promise<string> => (await browser.get(`${log}${query}`)).html;
    return { organization, browser, api, good, broken, tried, shown };
  };
}

/** The rows of the list, as text. */
export const rowsOf = (html: string): string[] =>
  (html.split('<tbody>')[1]?.split('</tbody>')[0] ?? '').split('</tr>').slice(0, -1).map(textOf);
export const tabsOf = (html: string): string =>
  textOf(html.split('class="tabs"')[1]?.split('<ul>')[1]?.split('</nav>')[0] ?? '');
export const keysOf = (html: string): string[] =>
  [...html.matchAll(/name="delivery" value="([^"]*)"/g)].map(([, key = '']) => key);
