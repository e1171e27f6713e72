import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();

test('a stage shows its ten leads changed last, counts all, and leads to all', async () => {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const api = dealkeep.as(organization.key);
  for (let number = 1; number <= 11; number += 1)
    await api.post('/leads', { name: `Lead no. ${number}.`, value: 10 });
  const { html } = await browser.get('/leads/board');
  const [, stage = ''] = html.split('<section aria-label="New">');
  const shown = stage.split('</section>')[0] ?? '';
  expect(shown.match(/<article/g)).toHaveLength(10);
  expect(textOf(shown)).toContain('11 · €110.00');
  expect(shown).toContain('Lead no. 11.');
  expect(shown).not.toContain('Lead no. 1.');
  const all = /<a href="([^"]*)">All of this stage/.exec(shown)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await browser.get(all)).html).toContain('Lead no. 1.');
});
