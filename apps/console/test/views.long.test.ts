import { limits } from '@dealkeep/contract';
import { Browser, ManualClock, startDealkeep } from '@dealkeep/testing';

import { describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';
import { linkTo, saveView, viewsIn } from './views-in-list.ts';

const clock = new ManualClock('2026-10-05T20:00:00.000Z');
const dealkeep = await startDealkeep({ worker: false, clock });
const organization = await dealkeep.createOrganization();
await dealkeep.sql`update organizations set time_zone = 'Europe/Bratislava' where id = ${organization.id}`;
const owner = new Browser(dealkeep);
await owner.signIn(organization);

/** Somebody with a role, signed in. */
const person = (name: string, permissions = 'leads.view=all,tasks.view=all') =>
  signedInUser(dealkeep, organization, { name, permissions });

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
