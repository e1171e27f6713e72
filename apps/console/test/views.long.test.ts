import { limits } from '@dealkeep/contract';
import { Browser, ManualClock, startDealkeep, type VisitedPage } from '@dealkeep/testing';

import { describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';
import { linkTo, viewsIn } from './views-in-list.ts';

const clock = new ManualClock('2026-10-05T20:00:00.000Z');
const dealkeep = await startDealkeep({ worker: false, clock });
const organization = await dealkeep.createOrganization();
await dealkeep.sql`update organizations set time_zone = 'Europe/Bratislava' where id = ${organization.id}`;
const owner = new Browser(dealkeep);
await owner.signIn(organization);
const save = { do: 'save' };

/** Somebody with a role, signed in. */
const person = (name: string, permissions = 'leads.view=all,tasks.view=all') =>
  signedInUser(dealkeep, organization, { name, permissions });

const newView = (kind: string, query: string) => `/views/new?${new URLSearchParams({ kind, query })}`;

/** Saves what a list shows with these filters. */
async function saveView(
  browser: Browser,
  { kind = 'lead', query, name, shared = 'false' }: Record<string, string> & { query: string; name: string },
): Promise<VisitedPage> {
  const form = await browser.get(newView(kind, query));
  return browser.submit(form, actionIn(form, '/views/new'), { name, shared, ...save });
}

/** The address that a form of a page is sent to, by how it begins. */
const actionIn = ({ html }: VisitedPage, begin: string): string =>
  (new RegExp(`action="(${begin}[^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

describe('a view that somebody saves', () => {
  test('is one of a hundred at most', async () => {
    const { browser, id } = await person('Collector');
    await dealkeep.sql`
      insert into saved_views (organization_id, id, user_id, kind, name, query, shared, created_at, updated_at)
      select ${organization.id}, gen_random_uuid(), ${id}, 'lead', 'View ' || n, 'sort=name', false, now(), now()
      from generate_series(1, ${limits.viewsPerUser}) n`;
    const refused = await saveView(browser, { name: 'One more', query: 'sort=value' });
    expect([refused.status, textOf(refused.html)]).toEqual([409, expect.stringContaining('100 views')]);
  });
});

describe('views that everybody has', () => {
  test('all open, whatever kind of records they are of', async () => {
    for (const path of [
      'companies',
      'contacts',
      'clients',
      'leads',
      'activities',
      'tasks',
      'invoices',
      'quotes',
      'bookings',
      'orders',
      'products',
    ]) {
      const list = await owner.get(`/${path}`);
      for (const name of viewsIn(list).names) {
        const view = await owner.get(linkTo(list, name));
        expect([path, name, view.status, viewsIn(view).current]).toEqual([path, name, 200, name]);
      }
    }
  });
});
