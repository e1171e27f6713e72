import { limits } from '@dealkeep/contract';
import { Browser, sharedDealkeep } from '@dealkeep/testing';

import { expect, test } from 'vitest';
import { answer, press } from './bulk-bar.ts';
import { textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const owner = new Browser(dealkeep);
await owner.signIn(organization);

test('all that the filters show are taken, across pages, up to the limit and not beyond', async () => {
  const many = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(many);
  const count = limits.selectedRecords + 5;
  await dealkeep.sql`
    insert into tasks (organization_id, id, title, priority, assignee_ids, created_at, updated_at)
    select ${many.id}, gen_random_uuid(), 'Many ' || n, 'normal', '{}', now(), now() from generate_series(1, ${count}) n`;
  await dealkeep.sql`
    insert into tasks (organization_id, id, title, priority, assignee_ids, created_at, updated_at)
    values (${many.id}, gen_random_uuid(), 'Something else', 'normal', '{}', now(), now())`;
  const asking = await press(browser, '/tasks?q=Many', 'archive', { all: 'true' });
  expect(textOf(asking.html)).toMatch(/Archive: 500 selected.*More than 500 fit the filters/);
  const done = await answer(browser, asking, {});
  expect(done.location).toBe('/tasks?q=Many&done=bulk-archive&count=500');
  const rows = await dealkeep.sql<{ title: string }[]>`
    select title from tasks where organization_id = ${many.id} and archived_at is null`;
  expect(rows).toHaveLength(6);
  expect(rows.map(({ title }) => title)).toContain('Something else');
});
