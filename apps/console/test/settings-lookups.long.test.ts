import { updateOrganization } from '@dealkeep/core/accounts';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { type LookupOwner, lists, lookupOwner } from './lookup-owner.ts';
import { problemBeside, textOf } from './page-parts.ts';
import { itKeepsEntries } from './simple-lookups.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;
const save = { do: 'save' };

// Most tests share an organization, with names of their own.
const [me, theirs] = [await lookupOwner(dealkeep), await lookupOwner(dealkeep)];

const simple = [
  ['lead-origins', { name: 'Podcast' }, { name: 'Radio' }],
  ['lost-reasons', { name: 'Moved away' }, { name: 'Closed down' }],
  ['activity-types', { name: 'Webinar' }, { name: 'Workshop' }],
  ['projects', { name: 'Move', status: 'active' }, { name: 'Moved', status: 'closed' }],
  [
    'booking-services',
    { name: 'Fitting', duration_minutes: '45', price: '12.50', currency: 'EUR' },
    { name: 'Long fitting', duration_minutes: '90', price: '25' },
  ],
  ['booking-staff', { name: 'Marek', email: 'marek@example.com' }, { name: 'Marek Urban' }],
] as const;

describe.each(simple)('%s', (...entry) => {
  itKeepsEntries(dealkeep, [me, theirs], entry);
});

describe('a name that is taken is told beside what the contract refuses', () => {
  const taken = 'There is already one with this name. Choose another.';

  test.each([
    ['tags', { name: 'First colour', color: '#2f7a5b' }, { color: 'green' }, 'color'],
    [
      'booking-services',
      { name: 'First ride', duration_minutes: '45', price: '12.50', currency: 'EUR' },
      { duration_minutes: '-5' },
      'duration_minutes',
    ],
    ['booking-staff', { name: 'First Eva', email: 'eva@example.com' }, { email: 'no address' }, 'email'],
  ] as const)('%s', async (path, fields, wrong, beside) => {
    await me.idOf(path, fields);
    const added = await me.add(path, { ...fields, ...wrong });
    const other = await me.idOf(path, { ...fields, name: `${fields.name} 2` });
    const changed = await me.step(path, other, 'edit', { ...wrong, name: fields.name });
    for (const { status, html } of [added, changed]) {
      expect([status, problemBeside(html, 'name')]).toEqual([422, taken]);
      expect(problemBeside(html, beside)).toBeDefined();
    }
    // Its own name is not taken, nor is another's in another organization.
    const kept = await me.step(path, other, 'edit', wrong);
    expect([kept.status, problemBeside(kept.html, 'name')]).toEqual([422, undefined]);
    const elsewhere = await theirs.add(path, { ...fields, ...wrong });
    expect([elsewhere.status, problemBeside(elsewhere.html, 'name')]).toEqual([422, undefined]);
  });
});

describe('what records have', () => {
  const kept = [
    [
      'lead-origins',
      async ({ api, listed }: LookupOwner) => {
        const origin_id = String((await listed('/lead-origins')).get('Referral')?.['id']);
        const lead = (await api.post('/leads', { name: 'Ten bikes', origin_id })).data;
        return {
          id: origin_id,
          name: 'Referral',
          counts: 'Leads: 1',
          still: async () => (await api.get(`/leads/${lead.id}`)).data.origin?.name,
          again: () => api.post('/leads', { name: 'Another', origin_id }),
          field: 'origin_id',
        };
      },
    ],
    [
      'lost-reasons',
      async ({ api, listed }: LookupOwner) => {
        const lost_reason_id = String((await listed('/lost-reasons')).get('Price')?.['id']);
        const [lead, next] = [
          await api.post('/leads', { name: 'Lost' }),
          await api.post('/leads', { name: 'Next' }),
        ];
        await api.post(`/leads/${lead.data.id}/archive`, { lost_reason_id });
        return {
          id: lost_reason_id,
          name: 'Price',
          counts: 'Leads: 1',
          still: async () => (await api.get(`/leads/${lead.data.id}`)).data.lost_reason?.name,
          again: () => api.post(`/leads/${next.data.id}/archive`, { lost_reason_id }),
          field: 'lost_reason_id',
        };
      },
    ],
    [
      'activity-types',
      async ({ api, listed }: LookupOwner) => {
        const type_id = String((await listed('/activity-types')).get('Meeting')?.['id']);
        const activity = { name: 'Talk', start_at: '2026-11-01T10:00:00Z', type_id };
        const { id } = (await api.post('/activities', activity)).data;
        return {
          id: type_id,
          name: 'Meeting',
          counts: 'Activities: 1',
          still: async () => (await api.get(`/activities/${id}`)).data.type?.name,
          again: () => api.post('/activities', activity),
          field: 'type_id',
        };
      },
    ],
    [
      'projects',
      async ({ api, idOf }: LookupOwner) => {
        const project_id = await idOf('projects', { name: 'Autumn fair', status: 'active' });
        const { id } = (await api.post('/tasks', { title: 'Pack', project_id })).data;
        return {
          id: project_id,
          name: 'Autumn fair',
          counts: 'Tasks: 1',
          still: async () => (await api.get(`/tasks/${id}`)).data.project?.name,
          again: () => api.post('/tasks', { title: 'Unpack', project_id }),
          field: 'project_id',
        };
      },
    ],
    [
      'booking-services',
      async ({ api, idOf }: LookupOwner) => {
        const service = { name: 'Servicing', duration_minutes: '45', currency: 'EUR' };
        const service_id = await idOf('booking-services', service);
        const booking = { service_id, starts_at: '2026-11-01T10:00:00Z', customer: { name: 'Eva' } };
        const { id } = (await api.post('/bookings', booking)).data;
        return {
          id: service_id,
          name: 'Servicing',
          counts: 'Bookings: 1',
          still: async () => (await api.get(`/bookings/${id}`)).data.service?.name,
          again: () => api.post('/bookings', booking),
          field: 'service_id',
        };
      },
    ],
    [
      'booking-staff',
      async ({ api, idOf }: LookupOwner) => {
        const service = { name: 'Repair', duration_minutes: '45', currency: 'EUR' };
        const service_id = await idOf('booking-services', service);
        const staff_id = await idOf('booking-staff', { name: 'Peter' });
        const at = (starts_at: string) => ({ service_id, staff_id, starts_at, customer: { name: 'Eva' } });
        const { id } = (await api.post('/bookings', at('2026-11-01T10:00:00Z'))).data;
        return {
          id: staff_id,
          name: 'Peter',
          counts: 'Bookings: 1',
          still: async () => (await api.get(`/bookings/${id}`)).data.staff?.name,
          again: () => api.post('/bookings', at('2026-11-02T10:00:00Z')),
          field: 'staff_id',
        };
      },
    ],
  ] as const;

  test.each(kept)(
    '%s: it is archived, the records keep it, nobody can choose it, and it can be brought back',
    async (path, use) => {
      const { id, name, counts, still, again, field } = await use(me);
      const address = `${lists}/${path}/${id}/remove`;
      const asking = await me.browser.get(address);
      expect(textOf(asking.html)).toContain(`Archive: ${name}`);
      expect(textOf(asking.html)).toContain(counts);
      const done = await me.browser.submit(asking, address, save);
      expect(done.location).toBe(`${lists}/${path}?done=archived`);
      expect((await me.listed(`/${path}`)).has(name)).toBe(false);
      expect(await still()).toBe(name);
      expect((await again()).fields).toEqual({ [field]: 'not_found' });

      const page = await me.browser.get(`${lists}/${path}`);
      const restore = `${lists}/${path}/${id}/restore`;
      expect((await me.browser.submit(page, restore, {})).location).toBe(`${lists}/${path}?done=restored`);
      expect((await me.listed(`/${path}`)).has(name)).toBe(true);
      expect((await again()).status).toBeLessThan(300);
    },
  );

  test('a lead that has an archived origin can be changed, and sent with it again', async () => {
    const origin_id = String((await me.listed('/lead-origins')).get('Phone call')?.['id']);
    const { id } = (await me.api.post('/leads', { name: 'Ten bikes', origin_id })).data;
    await me.step('lead-origins', origin_id, 'remove');
    const patched = await me.api.patch(`/leads/${id}`, { name: 'Twelve bikes', origin_id });
    expect([patched.data.name, patched.data.origin?.name]).toEqual(['Twelve bikes', 'Phone call']);
    const saved = await me.browser.fill(`/leads/${id}/edit`, `/leads/${id}/edit`, { name: 'Ten', ...save });
    expect(saved.status).toBe(303);
    expect((await me.api.get(`/leads/${id}`)).data.origin?.name).toBe('Phone call');
  });

  test('an archived one is not brought back beside another of its name', async () => {
    const origin_id = String((await me.listed('/lead-origins')).get('Trade fair')?.['id']);
    await me.api.post('/leads', { name: 'Ten bikes', origin_id });
    await me.step('lead-origins', origin_id, 'remove');
    await me.add('lead-origins', { name: 'Trade fair' });
    const page = await me.browser.get(`${lists}/lead-origins`);
    const refused = await me.browser.submit(page, `${lists}/lead-origins/${origin_id}/restore`, {});
    expect([refused.status, textOf(refused.html)]).toEqual([
      409,
      expect.stringContaining('There is already one named'),
    ]);
  });

  test('records that came since the page was opened are told', async () => {
    const origin_id = String((await me.listed('/lead-origins')).get('Web form')?.['id']);
    const address = `${lists}/lead-origins/${origin_id}/remove`;
    const asking = await me.browser.get(address);
    await me.api.post('/leads', { name: 'Ten bikes', origin_id });
    const told = await me.browser.submit(asking, address, save);
    expect([told.status, textOf(told.html)]).toEqual([409, expect.stringContaining('Leads: 1')]);
    expect((await me.listed('/lead-origins')).has('Web form')).toBe(true);
  });

  test('custom fields stand in groups, and stay when their group is removed', async () => {
    await me.add('custom-field-groups', { name: 'Marketing' });
    const [group] = await sql<{ id: string }[]>`
      select id from custom_field_groups where organization_id = ${me.organization.id}`;
    await me.idOf('custom-fields', { name: 'Team', type: 'number', group_id: group?.id ?? '' });
    const groupOf = async () => (await me.listed('/custom-fields')).get('Team')?.['group'];
    expect(await groupOf()).toEqual({ id: group?.id, name: 'Marketing' });
    expect(textOf((await me.browser.get(`${lists}/custom-fields`)).html)).toContain('Marketing');
    const path = 'custom-field-groups';
    expect(textOf((await me.browser.get(`${lists}/${path}/${group?.id}/remove`)).html)).toContain(
      'Custom Fields: 1',
    );
    await me.step(path, group?.id, 'remove');
    expect(await groupOf()).toBeNull();
    await theirs.add(path, { name: 'Elsewhere' });
    const [other] = await sql<{ id: string }[]>`
      select id from custom_field_groups where organization_id = ${theirs.organization.id}`;
    const refused = await me.add('custom-fields', { name: 'Other', type: 'text', group_id: other?.id ?? '' });
    expect([refused.status, problemBeside(refused.html, 'group_id')]).toEqual([422, expect.any(String)]);
  });
});

test.each([
  ['tags', { name: '' }, 'name'],
  ['tags', { name: 'A', color: 'red' }, 'color'],
  ['booking-services', { name: 'A', duration_minutes: '0' }, 'duration_minutes'],
  ['booking-services', { name: 'A', duration_minutes: '60', price: '-1' }, 'price'],
  ['booking-services', { name: 'A', duration_minutes: '60', currency: 'euro' }, 'currency'],
  ['booking-staff', { name: 'A', email: 'nonsense' }, 'email'],
  ['custom-fields', { name: 'A', type: 'colour' }, 'type'],
])('%s: %j is refused beside the field and can be mended', async (path, fields, field) => {
  const before = (await me.listed(`/${path}`)).size;
  const refused = await me.add(path, fields);
  expect([refused.status, problemBeside(refused.html, field)]).toEqual([422, expect.any(String)]);
  expect(refused.html).toContain(`action="${lists}/${path}/new"`);
  expect((await me.listed(`/${path}`)).size).toBe(before);
});

const fresh = await lookupOwner(dealkeep);

test('of two tabs that save one entry at the same instant, the second is told', async () => {
  const id = await me.idOf('tags', { name: 'Contested' });
  const address = `${lists}/tags/${id}/edit`;
  const forms = await Promise.all([0, 1, 2, 3].map(() => me.browser.get(address)));
  const saves = forms.map((form, tab) =>
    me.browser.submit(form, address, { name: `By tab ${tab}`, ...save }),
  );
  const statuses = (await Promise.all(saves)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([303, 409, 409, 409]);
});

test('the overview explains each list and leads to it; an empty one says what it is for', async () => {
  const { browser } = fresh;
  const overview = await browser.get(lists);
  expect(overview.html).toContain(`<a href="${lists}" aria-current="page">`);
  for (const [path] of simple) {
    expect(overview.html).toContain(`href="${lists}/${path}"`);
    expect((await browser.get(`${lists}/${path}`)).status).toBe(200);
  }
  expect(textOf((await browser.get(`${lists}/tags`)).html)).toContain('There are none yet.');
  const slovak = await browser.get(lists, { 'Accept-Language': 'sk' });
  expect(textOf(slovak.html)).toContain('Zdroje príležitostí');
});

test('an address that holds no id is not found; nothing changes without a subscription', async () => {
  for (const path of ['tags/x/edit', 'tags/x/remove', 'pipelines/x', 'pipelines/x/stages/new', 'nonsense']) {
    expect((await fresh.browser.get(`${lists}/${path}`)).status, path).toBe(404);
  }
  await updateOrganization(sql, fresh.organization.slug, { subscription: 'lapsed' });
  expect((await fresh.add('tags', { name: 'Late' })).status).toBe(402);
});
