import { updateOrganization } from '@dealkeep/core';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { type LookupOwner, lists, lookupOwner, tokenOn } from './lookup-owner.ts';
import { problemBeside, textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;
const save = { do: 'save' };

// Signing in is slow on purpose, so most tests share an organization, with names of their own.
const [me, theirs] = [await lookupOwner(dealkeep), await lookupOwner(dealkeep)];

const simple = [
  ['lead-origins', { name: 'Podcast' }, { name: 'Radio' }],
  ['lost-reasons', { name: 'Moved away' }, { name: 'Closed down' }],
  ['activity-types', { name: 'Webinar' }, { name: 'Workshop' }],
  ['tags', { name: 'Big', color: '#2f7a5b' }, { name: 'Huge', color: '#a63d40' }],
  [
    'custom-fields',
    { name: 'Size', type: 'number', required: 'true', description: 'Of the shop' },
    { name: 'Since', type: 'date', required: 'false' },
  ],
  ['projects', { name: 'Move', status: 'active' }, { name: 'Moved', status: 'closed' }],
  [
    'booking-services',
    { name: 'Fitting', duration_minutes: '45', price: '12.50', currency: 'EUR' },
    { name: 'Long fitting', duration_minutes: '90', price: '25' },
  ],
  ['booking-staff', { name: 'Marek', email: 'marek@example.com' }, { name: 'Marek Urban' }],
] as const;

/** As the API shows what was typed. */
const shown = (fields: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === 'required') return [name, value === 'true'];
      const number = ['duration_minutes', 'price'].includes(name);
      return [name, number ? Number(value) : value];
    }),
  );

describe.each(simple)('%s', (path, fields, changes) => {
  test('are added, changed and removed, and the API shows it at once', async () => {
    const id = await me.idOf(path, fields);
    expect((await me.listed(`/${path}`)).get(fields.name)).toMatchObject(shown(fields));
    expect((await me.browser.get(`${lists}/${path}`)).html).toContain(fields.name);

    const saved = await me.step(path, id, 'edit', changes);
    expect(saved.location).toContain('?done=saved');
    const after = await me.listed(`/${path}`);
    expect(after.get(changes.name)).toMatchObject({ id, ...shown(changes) });
    expect(after.has(fields.name)).toBe(false);

    const asking = await me.browser.get(`${lists}/${path}/${id}/remove`);
    expect(textOf(asking.html)).toContain('No record has it');
    expect((await me.step(path, id, 'remove')).location).toBe(`${lists}/${path}?done=removed`);
    expect((await me.listed(`/${path}`)).has(changes.name)).toBe(false);
    expect((await me.browser.get(`${lists}/${path}/${id}/edit`)).status).toBe(404);
    expect(await dealkeep.eventsOf(me.organization)).toEqual([]);
  });

  test('a name that is taken is refused beside the field, and of a form sent twice one is made', async () => {
    const address = `${lists}/${path}/new`;
    const form = await me.browser.get(address);
    const send = () => me.browser.submit(form, address, { ...fields, ...save });
    expect([(await send()).status, (await send()).status]).toEqual([303, 303]);
    const again = await me.add(path, { ...fields, name: fields.name.toUpperCase() });
    expect([again.status, problemBeside(again.html, 'name')]).toEqual([
      422,
      'There is already one with this name. Choose another.',
    ]);
    const id = await me.idOf(path, { ...fields, ...changes });
    const renamed = await me.step(path, id, 'edit', { name: fields.name });
    expect([renamed.status, problemBeside(renamed.html, 'name')]).toEqual([422, expect.any(String)]);
    const names = [...(await me.listed(`/${path}`)).keys()];
    expect(names.filter((name) => name === fields.name)).toHaveLength(1);
  });

  test('only what was done is said, whatever an address says', async () => {
    // The frame around it has a status of its own, for what is searched.
    const said = async (done: string) =>
      (await me.browser.get(`/settings/lists/tags?done=${done}`)).html.replace(/^.*<main/s, '');
    expect(await said('saved')).toContain('role="status"');
    for (const done of ['constructor', 'toString', '__proto__', 'nothing']) {
      expect(await said(done), done).not.toContain('role="status"');
    }
  });

  test('what another organization has does not exist', async () => {
    const id = await theirs.idOf(path, fields);
    const csrf_token = tokenOn(await me.browser.get(`${lists}/${path}/new`));
    for (const step of ['edit', 'remove']) {
      const address = `${lists}/${path}/${id}/${step}`;
      expect((await me.browser.get(address)).status, address).toBe(404);
      expect((await me.browser.post(address, { csrf_token, ...fields, ...save })).status, address).toBe(404);
    }
    expect((await theirs.listed(`/${path}`)).get(fields.name)).toMatchObject({ id });
  });

  test('an old form is told, and what is typed never becomes markup', async () => {
    const script = '<script>alert(1)</script>';
    const id = await me.idOf(path, { ...fields, name: script });
    const address = `${lists}/${path}/${id}/edit`;
    const [first, stale] = [await me.browser.get(address), await me.browser.get(address)];
    await me.browser.submit(first, address, { ...changes, name: `${script} 2`, ...save });
    const told = await me.browser.submit(stale, address, { name: 'Old', ...save });
    expect([told.status, textOf(told.html)]).toEqual([409, expect.stringContaining('changed this record')]);
    expect((await me.listed(`/${path}`)).has(`${script} 2`)).toBe(true);
    for (const page of [`${lists}/${path}`, address, `${lists}/${path}/${id}/remove`]) {
      expect((await me.browser.get(page)).html, page).not.toContain(script);
    }
  });
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

  test('a tag is taken out of the companies and leads that have it, and of no others', async () => {
    const [vip, big] = [await me.idOf('tags', { name: 'VIP' }), await me.idOf('tags', { name: 'Local' })];
    const company = (await me.api.post('/companies', { name: 'Tatra Bikes' })).data.id;
    const lead = (await me.api.post('/leads', { name: 'Ten bikes' })).data.id;
    await sql`update companies set tag_ids = ${[vip, big]} where id = ${company}`;
    await sql`update leads set tag_ids = ${[vip]} where id = ${lead}`;
    const page = textOf((await me.browser.get(`${lists}/tags/${vip}/remove`)).html);
    expect(page).toContain('Companies: 1');
    expect(page).toContain('Leads: 1');
    expect((await me.step('tags', vip, 'remove')).location).toBe(`${lists}/tags?done=removed`);
    expect((await me.api.get(`/companies/${company}`)).data.tags).toEqual(['Local']);
    expect((await me.api.get(`/leads/${lead}`)).data.tags).toEqual([]);
    expect(await sql`select tag_ids from leads where id = ${lead}`).toEqual([{ tag_ids: [] }]);
  });

  test('a custom field keeps its type while companies have values, and takes them along when it is removed', async () => {
    const id = await me.idOf('custom-fields', { name: 'Rooms', type: 'number' });
    const company = (await me.api.post('/companies', { name: 'Tatra Bikes' })).data.id;
    await sql`update companies set custom_fields = ${sql.json({ [id]: '12' })} where id = ${company}`;
    expect((await me.api.get(`/companies/${company}`)).data.custom_fields).toEqual({ Rooms: '12' });

    const refused = await me.step('custom-fields', id, 'edit', { type: 'date' });
    expect([refused.status, problemBeside(refused.html, 'type')]).toEqual([
      422,
      expect.stringContaining('(1)'),
    ]);
    await me.step('custom-fields', id, 'edit', { name: 'Shops' });
    expect((await me.api.get(`/companies/${company}`)).data.custom_fields).toEqual({ Shops: '12' });

    expect(textOf((await me.browser.get(`${lists}/custom-fields/${id}/remove`)).html)).toContain(
      'Companies: 1',
    );
    await me.step('custom-fields', id, 'remove');
    expect((await me.api.get(`/companies/${company}`)).data.custom_fields).toEqual({});
    expect(await sql`select custom_fields from companies where id = ${company}`).toEqual([
      { custom_fields: {} },
    ]);
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

test('whoever is no owner is neither led there nor let in', async () => {
  const { organization, api, listed } = theirs;
  const permissions = 'leads.view=all,leads.edit=all';
  const { browser } = await signedInUser(dealkeep, organization, { permissions });
  const page = await browser.get('/leads');
  expect(page.html).not.toContain(`href="${lists}"`);
  const id = (await listed('/lead-origins')).get('Referral')?.['id'];
  const origins = `${lists}/lead-origins`;
  const pipeline = (await api.get('/pipelines')).page.data[0]?.id;
  const pages = [
    lists,
    origins,
    `${origins}/new`,
    `${origins}/${id}/edit`,
    `${origins}/${id}/remove`,
    `${lists}/pipelines/${pipeline}`,
    `${lists}/pipelines/${pipeline}/stages/new`,
  ];
  for (const path of pages) expect((await browser.get(path)).status, path).toBe(403);
  const csrf_token = tokenOn(page);
  for (const path of [...pages.slice(2, 5), `${origins}/${id}/restore`, `${pages[6]}`]) {
    expect((await browser.post(path, { csrf_token, name: 'Mine', ...save })).status, path).toBe(403);
  }
  expect((await listed('/lead-origins')).has('Referral')).toBe(true);
});

test('an address that holds no id is not found; nothing changes without a subscription', async () => {
  for (const path of ['tags/x/edit', 'tags/x/remove', 'pipelines/x', 'pipelines/x/stages/new', 'nonsense']) {
    expect((await fresh.browser.get(`${lists}/${path}`)).status, path).toBe(404);
  }
  await updateOrganization(sql, fresh.organization.slug, { subscription: 'lapsed' });
  expect((await fresh.add('tags', { name: 'Late' })).status).toBe(402);
});
