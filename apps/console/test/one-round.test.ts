import { updateOrganization } from '@dealkeep/core/accounts';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';

import { changedMeanwhile, fromOffer, mendedInOneRound, required, taken } from './mended-in-one-round.ts';
import { type SignedInOwner, signedInOwner } from './signed-in-owner.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;
const save = { do: 'save' };

/** An owner who is signed in, in an organization of their own. */
const owner = () => signedInOwner(dealkeep);

const lists = '/settings/lists';

describe('a list to choose from', () => {
  const named = async (api: SignedInOwner['api'], name: string) => {
    const services: { id: string; name: string }[] = Object((await api.get('/booking-services')).json).data;
    return services.find((each) => each.name === name);
  };
  const ride = { name: 'Ride', duration_minutes: '45', price: '12.50', currency: 'EUR' };
  const wrong = { name: 'RIDE', price: '1,23', duration_minutes: '-5', currency: 'euro' };
  const said = {
    name: taken,
    price: /1\.23/,
    duration_minutes: 'This must be at least 1.',
    currency: /./,
  };
  const mended = { name: 'Longer ride', price: '123', duration_minutes: '90', currency: 'EUR' };

  test('a new entry: a number in doubt, a name that is taken, and what the contract refuses', async () => {
    const { browser, api } = await owner();
    const path = `${lists}/booking-services/new`;
    await browser.fill(path, path, { ...ride, ...save });
    await mendedInOneRound(browser, { path, wrong, said, mended });
    const { price } = Object(await named(api, 'Longer ride'));
    expect(price).toBe(123);
  });
});

describe('a person', () => {
  test('a change of a person that another tab was quicker with', async () => {
    const { browser, organization } = await owner();
    const path = `/settings/users/${organization.ownerId}/edit`;
    const stale = await browser.get(path);
    await browser.fill(path, path, { name: 'Quicker', ...save });
    const said = { name: required, role: fromOffer };
    const wrong = { name: ' ', role: 'Gone' };
    const mended = { name: 'Jana', role: 'owner' };
    await mendedInOneRound(browser, { path, wrong, said, mended, alerts: [changedMeanwhile] }, stale);
  });
});

test.each([
  ['/settings/account/edit', { name: 'Quicker' }, { name: ' ' }, { name: required }, { name: 'Jana' }],
  [
    '/settings/organization/edit',
    { name: 'Quicker' },
    { name: ' ', time_zone: 'Europe/Atlantis', currency: 'EURO' },
    { name: required, time_zone: /./, currency: /./ },
    { name: 'Tatra', time_zone: 'Europe/Bratislava', currency: 'EUR' },
  ],
] as const)(
  '%s: what is wrong, and that another tab was quicker',
  async (path, quicker, wrong, said, mended) => {
    const { browser } = await owner();
    const stale = await browser.get(path);
    await browser.fill(path, path, { ...quicker, ...save });
    await mendedInOneRound(browser, { path, wrong, said, mended, alerts: [changedMeanwhile] }, stale);
  },
);

test('an API key: what is wrong with it, and that there are too many', async () => {
  const { browser, organization } = await owner();
  const limited = (maxKeys: number) => updateOrganization(sql, organization.slug, { maxKeys });
  await limited(1);
  await mendedInOneRound(browser, {
    path: '/integrations/keys/new',
    wrong: { name: ' ', access: 'chosen', expires_at: '2020-01-01T08:00' },
    said: { name: required, scopes: /./, expires_at: 'This must lie in the future.' },
    alerts: ['maximum of 1 '],
    mended: { name: 'Reader', access: 'leads', expires_at: '' },
    meanwhile: () => limited(2),
  });
});

describe('a webhook', () => {
  const path = '/integrations/webhooks/new';
  const target_url = 'http://127.0.0.1:9/hook';
  const good = { name: 'Orders', target_url, events: 'order.created' };
  const gone = '0198a000-0000-7000-8000-000000000001';
  const wrong = { target_url: 'https://eva:secret@example.com', events: 'order.made', notify_user_ids: gone };
  const said = { target_url: /user name/, events: fromOffer, notify_user_ids: fromOffer };

  test('that another tab changed', async () => {
    const { browser, organization } = await owner();
    await browser.fill(path, path, { ...good, ...save });
    const [hook] = await sql<
      { id: string }[]
    >`select id from webhooks where organization_id = ${organization.id}`;
    const edit = `/integrations/webhooks/${hook?.id}/edit`;
    const stale = await browser.get(edit);
    await browser.fill(edit, edit, { name: 'Quicker', ...save });
    const round = { path: edit, wrong: { ...wrong, name: ' ' }, said: { ...said, name: required } };
    const mended = { ...good, notify_user_ids: organization.ownerId };
    await mendedInOneRound(browser, { ...round, mended, alerts: [changedMeanwhile] }, stale);
  });
});

describe('a record', () => {
  test('a lead that another tab changed, and a number in doubt', async () => {
    const { browser, api } = await owner();
    const { data: lead } = await api.post('/leads', { name: 'Ten bikes' });
    const path = `/leads/${lead.id}/edit`;
    const stale = await browser.get(path);
    await browser.fill(path, path, { note: 'Quicker', ...save });
    const wrong = { name: '', value: '1,23', expected_close_date: 'soon' };
    const said = { name: /needs a name/, value: /1\.23/, expected_close_date: 'This is not a date.' };
    const mended = { name: 'Ten bikes', value: '123', expected_close_date: '2030-01-01' };
    await mendedInOneRound(browser, { path, wrong, said, mended, alerts: [changedMeanwhile] }, stale);
  });
});
