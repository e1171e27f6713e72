import { inConsole, sharedDealkeep, type TestOrganization } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addPipeline } from './console-edits.ts';
import { failing, tryTags } from './tags-of-a-kind.ts';

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

// Those of leads are tried by `tags-of-leads.long.test.ts`.
describe('as programs write them (rules companies 10, 11 and 15)', () => {
  tryTags('company');
});

test('tags of a lead that dedupe=company answers are not made (rule leads 5)', async () => {
  const { api } = await openBusiness(dealkeep);
  const body = { company: { name: 'Acme' }, dedupe: 'company' };
  const first = await api.post('/leads', { ...body, tags: ['Old'] });
  const again = await api.post('/leads', { ...body, tags: ['New'] });
  expect([again.status, again.data.id, again.data.tags]).toEqual([200, first.data.id, ['Old']]);
  expect((await api.get('/tags')).page.data.map(({ name }) => name)).toEqual(['Old']);
});

test('a lead gets its tags and its stage in one update (rule leads 5)', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const { id, stages } = await addPipeline({ dealkeep, organization }, 'Own', { New: 'open', Won: 'won' });
  const lead = (await api.post('/leads', { name: 'Acme', pipeline_id: id })).data;
  const moved = await api.patch(`/leads/${lead.id}`, { add_tags: ['Hot'], stage_id: stages['Won'] });
  expect(moved.data).toMatchObject({ tags: ['Hot'], status: 'won' });
  const types = (await dealkeep.eventsOf(organization)).map(({ type }) => type);
  expect(types).toEqual(['lead.created', 'lead.updated', 'lead.stage_changed', 'lead.won']);
});

describe('custom fields of a company', () => {
  test('are written on create and update; absent stays, null clears (rules companies 7 and 13)', async () => {
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

  test('an unknown name and a value that is not of the kind are 422, each by its name (rules companies 9 and 13)', async () => {
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

  test('what is required cannot be cleared (rule companies 9)', async () => {
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

  test('more than 500 at once are refused (rule companies 13)', async () => {
    const { api } = await openBusiness(dealkeep);
    const custom_fields = Object.fromEntries(Array.from({ length: 501 }, (_, number) => [number, 'x']));
    expect(failing(await api.post('/companies', { name: 'Acme', custom_fields }))).toEqual({
      custom_fields: 'too_many',
    });
  });

  test('companies are filtered by them (rule companies 14)', async () => {
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

  test('a filter by an unknown field, or by a value that it cannot have, is 400 (rule companies 14)', async () => {
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
  test('edits tags and custom fields as the API does: a choice is checked, a blank field is cleared (rule companies 8)', async () => {
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

  test('does not make a tag again that was removed meanwhile (rule companies 12)', async () => {
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
