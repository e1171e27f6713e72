import { inConsole, sharedDealkeep, type TestOrganization } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addPipeline } from './console-edits.ts';

const dealkeep = await sharedDealkeep();

type Kind = 'text' | 'number' | 'date' | 'checkbox' | 'choice';

/** Adds a custom field as owners do. */
const addField = (
  organization: TestOrganization,
  name: string,
  type: Kind,
  more: { required?: boolean; choices?: readonly string[] } = {},
): Promise<unknown> =>
  inConsole(dealkeep.core, organization, 'custom-fields.add', { name, type, required: false, ...more });

async function openLabelled() {
  const business = await openBusiness(dealkeep);
  const { organization } = business;
  await addField(organization, 'Segment', 'choice', { choices: ['Retail', 'Wholesale'] });
  await addField(organization, 'Employees', 'number');
  await addField(organization, 'Founded', 'date');
  await addField(organization, 'Partner', 'checkbox');
  await addField(organization, 'Motto', 'text');
  return business;
}

const values = {
  Segment: 'Retail',
  Employees: '12.50',
  Founded: '1999-12-31',
  Partner: 'true',
  Motto: 'Vždy vpred',
};

/** The failing fields of an answer by their paths. */
const failing = ({ error }: { error: { detail?: unknown } }): Record<string, string> =>
  Object.fromEntries(
    (Object(error.detail).fields as { path: string; code: string }[]).map(({ path, code }) => [path, code]),
  );

const kinds = [
  ['company', '/companies', { name: 'Acme' }],
  ['lead', '/leads', { name: 'Acme' }],
] as const;

describe.each(kinds)('tags of a %s', (kind, path, least) => {
  test('are written on create, and a tag that does not exist is made', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await inConsole(dealkeep.core, organization, 'tags.add', { name: 'VIP' });
    const made = await api.post(path, { ...least, tags: ['VIP', 'Nový', 'vip', 'nový'] });
    expect([made.status, made.data.tags]).toEqual([201, ['VIP', 'Nový']]);
    expect((await api.get(`${path}/${made.data.id}`)).text).toBe(made.text);
    const names = (await api.get('/tags', { sort: 'name' })).page.data.map(({ name }) => name);
    expect(names).toEqual(['Nový', 'VIP']);
    const [event] = await dealkeep.eventsOf(organization);
    expect([event?.type, event?.data]).toEqual([`${kind}.created`, made.data]);
  });

  test('tags replaces the whole set on update, and tells it once', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { id } = (await api.post(path, { ...least, tags: ['A', 'B'] })).data;
    expect((await api.patch(`${path}/${id}`, { tags: ['B', 'C'] })).data.tags).toEqual(['B', 'C']);
    expect((await api.patch(`${path}/${id}`, { tags: [] })).data.tags).toEqual([]);
    const events = await dealkeep.eventsOf(organization);
    expect(events.map(({ type }) => type)).toEqual([`${kind}.created`, `${kind}.updated`, `${kind}.updated`]);
    expect(events[1]).toMatchObject({ changed_fields: ['tags'] });
  });

  test('add_tags and remove_tags change the set, and what they do not name stays', async () => {
    const { api } = await openBusiness(dealkeep);
    const { id } = (await api.post(path, { ...least, tags: ['A', 'B'] })).data;
    const changed = await api.patch(`${path}/${id}`, { add_tags: ['C', 'a'], remove_tags: ['B', 'Unknown'] });
    expect(changed.data.tags).toEqual(['A', 'C']);
    expect((await api.patch(`${path}/${id}`, { note: 'x' })).data.tags).toEqual(['A', 'C']);
  });

  test('add_tags and remove_tags do not stand beside tags, nor on create', async () => {
    const { api } = await openBusiness(dealkeep);
    const { id } = (await api.post(path, least)).data;
    const both = await api.patch(`${path}/${id}`, { tags: ['A'], add_tags: ['B'], remove_tags: ['C'] });
    expect(failing(both)).toEqual({ add_tags: 'either', remove_tags: 'either' });
    const created = await api.post(path, { ...least, add_tags: ['A'], remove_tags: ['A'] });
    expect(failing(created)).toEqual({ add_tags: 'unknown', remove_tags: 'unknown' });
    expect((await api.get('/tags')).page.data).toEqual([]);
  });

  test('are at most 50, however they come', async () => {
    const { api } = await openBusiness(dealkeep);
    const tags = Array.from({ length: 50 }, (_, number) => `Tag ${number}`);
    const { id } = (await api.post(path, { ...least, tags })).data;
    expect((await api.get(`${path}/${id}`)).data.tags).toHaveLength(50);
    expect(failing(await api.post(path, { ...least, tags: [...tags, 'More'] }))).toEqual({
      tags: 'too_many',
    });
    expect(failing(await api.patch(`${path}/${id}`, { add_tags: ['More'] }))).toEqual({
      add_tags: 'too_many_tags',
    });
    expect((await api.get('/tags', { q: 'More' })).page.data).toEqual([]);
  });

  test('an organization can forbid in its settings that programs make tags', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await inConsole(dealkeep.core, organization, 'tags.add', { name: 'VIP' });
    await inConsole(dealkeep.core, organization, 'organizations.update', { makes_tags: false });
    const refused = await api.post(path, { ...least, tags: ['VIP', 'Nový'] });
    expect([refused.status, failing(refused)]).toEqual([422, { 'tags[1]': 'no_such_tag' }]);
    const { id } = (await api.post(path, { ...least, tags: ['VIP'] })).data;
    expect(failing(await api.patch(`${path}/${id}`, { add_tags: ['Nový'] }))).toEqual({
      'add_tags[0]': 'no_such_tag',
    });
    expect((await api.get('/tags')).page.data.map(({ name }) => name)).toEqual(['VIP']);
  });

  test('a tag is not left behind by a change that is refused', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
    expect((await api.post(path, { ...least, tags: ['New'], owner_id: nobody })).status).toBe(422);
    expect((await api.patch(`${path}/${nobody}`, { tags: ['New'] })).outcome).toBe('404 NOT_FOUND');
    const { id } = (await api.post(path, least)).data;
    const refused = await api.patch(`${path}/${id}`, { add_tags: ['New'], owner_id: nobody });
    expect(failing(refused)).toEqual({ owner_id: 'not_found' });
    expect((await api.get('/tags')).page.data).toEqual([]);
    // What memory holds is what the database holds.
    await inConsole(dealkeep.core, organization, 'tags.add', { name: 'New' });
    expect((await api.patch(`${path}/${id}`, { add_tags: ['new'] })).data.tags).toEqual(['New']);
  });

  test('no more than 1000 are made in an organization; what is there can be given all the same', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await dealkeep.sql.begin(async (tx) => {
      await tx`
        insert into tags (organization_id, id, name, created_at, updated_at)
        select ${organization.id}, gen_random_uuid(), 'Tag ' || n, now(), now() from generate_series(1, 998) n`;
      await tx`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
    });
    const count = async () =>
      (await dealkeep.sql`select from tags where organization_id = ${organization.id}`).length;
    const { id } = (await api.post('/companies', { name: 'Acme', tags: ['Tag 1', 'New 999'] })).data;
    const refused = await api.post('/leads', { name: 'Bikes', tags: ['New 1000', 'New 1001', 'Tag 2'] });
    expect(refused.fields).toEqual({ tags: 'tags_used_up' });
    expect(refused.error.message).toContain('tags');
    const patched = await api.patch(`/companies/${id}`, { email: 'no', add_tags: ['New 1000', 'New 1001'] });
    expect(patched.fields).toEqual({ add_tags: 'tags_used_up', email: 'invalid_email' });
    expect(await count()).toBe(999);
    // Two at the same moment cannot both make the last one.
    const both = await Promise.all(
      ['One', 'Two'].map((tag) => api.post('/companies', { name: tag, tags: [tag] })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect(await count()).toBe(1000);
    expect((await api.patch(`/companies/${id}`, { tags: ['tag 7', 'NEW 999'] })).status).toBe(200);
    expect((await api.patch(`/companies/${id}`, { tags: ['Another'] })).fields).toEqual({
      tags: 'tags_used_up',
    });
  });

  test('many at once with one new tag make it once', async () => {
    const { api } = await openBusiness(dealkeep);
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, number) => api.post(path, { name: `${number}`, tags: ['Web', 'Fair'] })),
    );
    expect(made.map(({ status, data }) => [status, data.tags])).toEqual(
      made.map(() => [201, ['Web', 'Fair']]),
    );
    expect((await api.get('/tags', { sort: 'name' })).page.data.map(({ name }) => name)).toEqual([
      'Fair',
      'Web',
    ]);
    expect((await api.get(path, { tag: 'Fair' })).page.data).toHaveLength(12);
  });

  test('lists are filtered by tag', async () => {
    const { api } = await openBusiness(dealkeep);
    const { id } = (await api.post(path, { ...least, tags: ['A'] })).data;
    await api.post(path, { ...least, tags: ['B'] });
    expect((await api.get(path, { tag: 'A' })).page.data.map((each) => each.id)).toEqual([id]);
  });

  test('a name that is empty, too long or no text is refused by its place', async () => {
    const { api } = await openBusiness(dealkeep);
    const tags = ['', 'x'.repeat(256), 5, null, 'a\0'];
    expect(failing(await api.post(path, { ...least, tags }))).toEqual({
      'tags[0]': 'empty',
      'tags[1]': 'too_long',
      'tags[2]': 'invalid_type',
      'tags[3]': 'required',
      'tags[4]': 'invalid_characters',
    });
  });
});

test('tags of a lead that dedupe=company answers are not made', async () => {
  const { api } = await openBusiness(dealkeep);
  const body = { company: { name: 'Acme' }, dedupe: 'company' };
  const first = await api.post('/leads', { ...body, tags: ['Old'] });
  const again = await api.post('/leads', { ...body, tags: ['New'] });
  expect([again.status, again.data.id, again.data.tags]).toEqual([200, first.data.id, ['Old']]);
  expect((await api.get('/tags')).page.data.map(({ name }) => name)).toEqual(['Old']);
});

test('a lead gets its tags and its stage in one update', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const { id, stages } = await addPipeline({ dealkeep, organization }, 'Own', { New: 'open', Won: 'won' });
  const lead = (await api.post('/leads', { name: 'Acme', pipeline_id: id })).data;
  const moved = await api.patch(`/leads/${lead.id}`, { add_tags: ['Hot'], stage_id: stages['Won'] });
  expect(moved.data).toMatchObject({ tags: ['Hot'], status: 'won' });
  const types = (await dealkeep.eventsOf(organization)).map(({ type }) => type);
  expect(types).toEqual(['lead.created', 'lead.updated', 'lead.stage_changed', 'lead.won']);
});

describe('custom fields of a company', () => {
  test('are written on create and update; absent stays, null clears', async () => {
    const { api, organization } = await openLabelled();
    const made = await api.post('/companies', { name: 'Acme', custom_fields: values });
    expect([made.status, made.data.custom_fields]).toEqual([201, values]);
    const { id } = made.data;
    expect((await api.get(`/companies/${id}`)).text).toBe(made.text);
    const changed = await api.patch(`/companies/${id}`, {
      custom_fields: { Motto: null, Segment: 'Wholesale' },
    });
    const { Motto: _, ...kept } = { ...values, Segment: 'Wholesale' };
    expect(changed.data.custom_fields).toEqual(kept);
    expect((await api.patch(`/companies/${id}`, { name: 'Other' })).data.custom_fields).toEqual(kept);
    const events = await dealkeep.eventsOf(organization);
    expect(events.map(({ type }) => type)).toEqual(['company.created', 'company.updated', 'company.updated']);
    expect(events[1]).toMatchObject({ changed_fields: ['custom_fields'] });
  });

  test('that do not differ are no change', async () => {
    const { api } = await openLabelled();
    const made = await api.post('/companies', { name: 'Acme', custom_fields: values, tags: ['A', 'B'] });
    const again = await api.patch(`/companies/${made.data.id}`, { custom_fields: values, tags: ['B', 'A'] });
    expect(again.text).toBe(made.text);
  });

  test('an unknown name and a value that is not of the kind are 422, each by its name', async () => {
    const { api } = await openLabelled();
    const wrong = {
      Segment: 'Export',
      Employees: 'twelve',
      Founded: '31.12.1999',
      Partner: 'yes',
      Motto: 'x'.repeat(2001),
      Unknown: 'x',
    };
    const codes = {
      'custom_fields.Segment': 'invalid_choice',
      'custom_fields.Employees': 'invalid_type',
      'custom_fields.Founded': 'invalid_date',
      'custom_fields.Partner': 'invalid_choice',
      'custom_fields.Motto': 'too_long',
      'custom_fields.Unknown': 'unknown',
    };
    expect(failing(await api.post('/companies', { name: 'Acme', custom_fields: wrong }))).toEqual(codes);
    expect((await api.get('/companies')).page.data).toEqual([]);
    const { id } = (await api.post('/companies', { name: 'Acme' })).data;
    expect(failing(await api.patch(`/companies/${id}`, { custom_fields: wrong }))).toEqual(codes);
    expect(failing(await api.patch(`/companies/${id}`, { custom_fields: { Employees: 12 } }))).toEqual({
      'custom_fields.Employees': 'invalid_type',
    });
  });

  test('what is required cannot be cleared', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await addField(organization, 'Region', 'text', { required: true });
    const { id } = (await api.post('/companies', { name: 'Acme' })).data;
    for (const nothing of [null, '']) {
      expect(failing(await api.patch(`/companies/${id}`, { custom_fields: { Region: nothing } }))).toEqual({
        'custom_fields.Region': 'required',
      });
    }
  });

  test('all that is wrong with a body is told at once', async () => {
    const { api } = await openLabelled();
    const refused = await api.post('/companies', {
      email: 'nobody',
      owner_id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
      custom_fields: { Unknown: 'x' },
    });
    expect(failing(refused)).toEqual({
      name: 'required',
      email: 'invalid_email',
      owner_id: 'not_found',
      'custom_fields.Unknown': 'unknown',
    });
  });

  test('more than 500 at once are refused', async () => {
    const { api } = await openBusiness(dealkeep);
    const custom_fields = Object.fromEntries(Array.from({ length: 501 }, (_, number) => [number, 'x']));
    expect(failing(await api.post('/companies', { name: 'Acme', custom_fields }))).toEqual({
      custom_fields: 'too_many',
    });
  });

  test('companies are filtered by them', async () => {
    const { api } = await openLabelled();
    const one = (await api.post('/companies', { name: 'One', custom_fields: values })).data.id;
    const other = { ...values, Employees: '7', Segment: 'Wholesale' };
    const two = (await api.post('/companies', { name: 'Two', custom_fields: other })).data.id;
    const found = async (query: Record<string, string>) =>
      (await api.get('/companies', { sort: 'name', ...query })).page.data.map(({ id }) => id);
    expect(await found({ 'custom_field[Segment]': 'Retail' })).toEqual([one]);
    expect(await found({ 'custom_field[Employees]': '12.5' })).toEqual([one]);
    expect(await found({ 'custom_field[Founded]': '1999-12-31' })).toEqual([one, two]);
    expect(await found({ 'custom_field[Founded]': '1999-12-31', 'custom_field[Employees]': '7' })).toEqual([
      two,
    ]);
    expect(await found({ 'custom_field[Motto]': 'vpred' })).toEqual([]);
  });

  test('pages go on in any order of the filters', async () => {
    const { api } = await openLabelled();
    for (const name of ['One', 'Two']) await api.post('/companies', { name, custom_fields: values });
    const [partner, founded] = [
      { 'custom_field[Partner]': 'true' },
      { 'custom_field[Founded]': '1999-12-31' },
    ];
    const { next_cursor } = (await api.get('/companies', { ...partner, ...founded, limit: '1' })).page;
    const next = await api.get('/companies', {
      ...founded,
      ...partner,
      limit: '1',
      cursor: `${next_cursor}`,
    });
    expect(next.page.data.map(({ name }) => name)).toEqual(['One']);
  });

  test('a filter by an unknown field, or by a value that it cannot have, is 400', async () => {
    const { api } = await openLabelled();
    const outcome = async (query: Record<string, string>) => {
      const { status, error } = await api.get('/companies', query);
      return [status, error.code, error.detail];
    };
    const unknown = 'custom_field[Unknown]';
    expect(await outcome({ [unknown]: 'x' })).toEqual([400, 'UNSUPPORTED_FILTER', { parameter: unknown }]);
    const employees = 'custom_field[Employees]';
    expect(await outcome({ [employees]: 'x' })).toEqual([400, 'INVALID_PARAMETER', { parameter: employees }]);
    expect(await outcome({ custom_field: 'x' })).toEqual([
      400,
      'UNSUPPORTED_FILTER',
      { parameter: 'custom_field' },
    ]);
  });

  test('GET /custom-fields carries kind and choices, and type stays one of four', async () => {
    const { api } = await openLabelled();
    const { data } = (await api.get('/custom-fields', { sort: 'name' })).page;
    expect(data.map(({ name, type, kind, choices }) => ({ name, type, kind, choices }))).toEqual([
      { name: 'Employees', type: 'number', kind: 'number', choices: [] },
      { name: 'Founded', type: 'date', kind: 'date', choices: [] },
      { name: 'Motto', type: 'text', kind: 'text', choices: [] },
      { name: 'Partner', type: 'checkbox', kind: 'checkbox', choices: [] },
      { name: 'Segment', type: 'text', kind: 'choice', choices: ['Retail', 'Wholesale'] },
    ]);
  });

  test('a value that is no choice any more stays, and can be sent with its company', async () => {
    const { api, organization } = await openLabelled();
    const { id } = (await api.post('/companies', { name: 'Acme', custom_fields: values })).data;
    const [field] = (await api.get('/custom-fields', { q: 'Segment' })).page.data;
    await inConsole(dealkeep.core, organization, 'custom-fields.edit', {
      id: field?.id ?? '',
      choices: ['Wholesale'],
    });
    expect((await api.patch(`/companies/${id}`, { custom_fields: values })).data.custom_fields).toEqual(
      values,
    );
    const other = await api.post('/companies', { name: 'Other', custom_fields: { Segment: 'Retail' } });
    expect(failing(other)).toEqual({ 'custom_fields.Segment': 'invalid_choice' });
  });

  test('a choice needs choices, each once', async () => {
    const { organization } = await openBusiness(dealkeep);
    await expect(addField(organization, 'Empty', 'choice')).rejects.toMatchObject({
      fields: [{ path: 'choices', key: 'field.required' }],
    });
    await expect(
      addField(organization, 'Twice', 'choice', { choices: ['A', 'B', 'A'] }),
    ).rejects.toMatchObject({ fields: [{ path: 'choices[2]', key: 'field.duplicate' }] });
  });
});

describe('the console', () => {
  test('edits tags and custom fields as the API does: a choice is checked, a blank field is cleared', async () => {
    const { api, organization } = await openLabelled();
    const { id } = (await api.post('/companies', { name: 'Acme', custom_fields: values })).data;
    const edit = (custom_fields: object) =>
      inConsole(dealkeep.core, organization, 'companies.labels', { id, custom_fields });
    await expect(edit({ Segment: 'Export' })).rejects.toMatchObject({
      fields: [{ path: 'custom_fields.Segment', key: 'field.invalid_choice' }],
    });
    await edit({ Segment: 'Wholesale' });
    expect((await api.get(`/companies/${id}`)).data.custom_fields).toEqual({ Segment: 'Wholesale' });
  });

  test('does not make a tag again that was removed meanwhile', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    const lead = (await api.post('/leads', { name: 'Acme' })).data;
    for (const [operation, id] of [
      ['companies.labels', company.id],
      ['leads.tags', lead.id],
    ] as const) {
      await expect(
        inConsole(dealkeep.core, organization, operation, { id, tags: ['Gone'] }),
      ).rejects.toMatchObject({ fields: [{ path: 'tags', key: 'field.not_found' }] });
    }
  });
});
