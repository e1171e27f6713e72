import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();
const { sql } = dealkeep;
await sql`
  update tasks set assignee_ids = array[${organization.ownerId}]::uuid[], due_date = current_date - 1
  where organization_id = ${organization.id}
    and id in (select id from tasks where organization_id = ${organization.id} and archived_at is null
                 and completed_at is null order by id limit 3)`;

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('the first page shows how business does and what is to be done', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    await signIn(visit, organization);
    await visit.open('/');
    for (const part of ['pipeline', 'won', 'overdue', 'my-tasks', 'bookings-today', 'trouble', 'guide']) {
      expect(await visit.page.isVisible(`#${part}`), part).toBe(true);
    }
    await visit.judge('home');
  });
});

test.each(['with JavaScript', 'without'])(
  'a task is completed and taken back on the page, by keys, %s',
  async (how) => {
    const options = how === 'without' ? { javaScriptEnabled: false } : {};
    const visit = await visitor(chromium, dealkeep.origin, undefined, options);
    await signIn(visit, organization);
    const { page } = visit;
    const rows = page.locator('section:has(#my-tasks) .to-do li');
    const before = await rows.count();
    await rows.first().locator('button').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/completed=/);
    expect(await rows.count()).toBe(before - 1);
    await page.locator('.notice button').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${dealkeep.origin}/`);
    expect(await rows.count()).toBe(before);
  },
);

test('the first steps are hidden and come back', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  await signIn(visit, organization);
  const { page } = visit;
  await page.locator('section:has(#guide) button:has-text("Hide")').click();
  await page.waitForURL(/done=hidden/);
  expect(await page.locator('#guide').count()).toBe(0);
  await visit.judge('home-without-first-steps');
  await page.locator('button:has-text("Show the first steps")').click();
  await page.waitForSelector('#guide');
});
