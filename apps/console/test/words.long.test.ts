import { seedDemo } from '@dealkeep/core/installation';
import { Browser, sharedDealkeep, type VisitedPage } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { crawl } from './real/crawl.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
await seedDemo(dealkeep.core, organization.slug, 'small');
const { data: company } = await api.post('/companies', { name: 'Acme' });
await api.post('/orders', {
  customer: { name: 'Peter', company_uuid: company.id },
  items: [{ sku: 'B-1', unit_price: 1200, quantity: 1 }],
});
await api.post('/webhooks', { target_url: 'http://127.0.0.1:4567/', event: 'lead.won', name: 'Won' });
const browser = new Browser(dealkeep);
await browser.signIn(organization);
const pages = await crawl(browser, ['/', '/settings/account']);

/** What people read of a page: no code, no sample, no address. */
const readBy = ({ html }: VisitedPage): string => {
  const said = [...html.matchAll(/ (?:title|placeholder|aria-label|label)="([^"]*)"/g)].map(
    ([, text]) => text,
  );
  const body = html.replaceAll(/<(script|code|pre|datalist)\b.*?<\/\1>/gs, ' ');
  const words = `${textOf(body)} ${said.join(' ')}`.split(' ');
  return words.filter((word) => !/https?:\/\/|@|evt_/.test(word)).join(' ');
};

/** Names of fields and the words of those who write programs. */
const ofTheApi =
  /\b[a-z]+(?:_[a-z]+)+\b|\b(?:UUID|JSON|GET|POST|NUL|boolean|undefined|null)\b|\{\w+\}|YYYY|RRRR/g;

/** What a form is sent with: nothing, and what fits nowhere. */
function spoiled(form: string): Record<string, string> {
  const tags = [...form.matchAll(/<(?:input|textarea|select)\b[^>]*>/g)].map(([tag]) => tag);
  return Object.fromEntries(
    tags.flatMap((tag) => {
      const name = / name="([^"]*)"/.exec(tag)?.[1];
      if (name === undefined || / type="(?:hidden|checkbox|radio|search)"/.test(tag)) return [];
      return [[name.replaceAll('&quot;', '"'), tag.startsWith('<select') ? 'nonsense' : 'x'.repeat(6000)]];
    }),
  );
}

describe.each(['en', 'sk'] as const)('in %s, no word of the API', (language) => {
  test('stands on any page, nor in what any form says of what is wrong', {
    timeout: 300_000,
  }, async () => {
    await browser.get(`/?language=${language}`);
    const found: string[] = [];
    const look = (where: string, page: VisitedPage): void => {
      for (const word of new Set(readBy(page).match(ofTheApi))) found.push(`${where}: ${word}`);
    };
    let refused = 0;
    for (const [shape, path] of pages) {
      if (/developers/.test(shape)) continue;
      const page = await browser.get(path);
      look(shape, page);
      for (const [form] of page.html.matchAll(/<form\b[^>]*class="card"[^>]*method="post".*?<\/form>/gs)) {
        const action = / action="([^"]*)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? '';
        const fields = spoiled(form);
        if (Object.keys(fields).length === 0) continue;
        const blank = Object.fromEntries(Object.keys(fields).map((name) => [name, '']));
        for (const filled of /new$/.test(action) ? [fields, blank] : [fields]) {
          const answer = await browser.submit(page, action, { ...filled, do: 'save' });
          if (answer.status >= 400) refused += 1;
          look(`${shape} refused`, answer);
        }
      }
    }
    expect(found).toEqual([]);
    expect(refused).toBeGreaterThan(50);
    await browser.get('/?language=en');
  });
});
