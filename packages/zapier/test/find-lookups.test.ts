import { randomUUID } from 'node:crypto';
import { seedDemo } from '@dealkeep/core/installation';
import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './platform/failure.ts';
import { act, ask, list, type Values } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';

const dealkeep = await sharedDealkeep();
const { newAccount } = await startPrivate(dealkeep);
const { setting, organization } = await newAccount();

beforeAll(() => seedDemo(dealkeep.core, organization.slug, 'small'));

const find = (what: string, input: Values) => list(setting, `searches.${what}`, input);
const idsOf = (found: readonly Values[]) => found.map(({ id }) => id);

describe.each([
  ['find_user', '/users'],
  ['find_pipeline', '/pipelines'],
  ['find_lead_origin', '/lead-origins'],
  ['find_lost_reason', '/lost-reasons'],
  ['find_tag', '/tags'],
  ['find_custom_field', '/custom-fields'],
  ['find_activity_type', '/activity-types'],
  ['find_project', '/projects'],
  ['find_booking_service', '/booking-services'],
  ['find_booking_staff', '/booking-staff'],
  ['find_product_category', '/products/categories'],
])('%s', (search, path) => {
  test('finds one by its name, whatever the capitals, and by its ID (rule zapier 11)', async () => {
    const all = await ask<Values[]>(setting, 'GET', path);
    expect(all.length).toBeGreaterThan(0);
    for (const { id, name } of all.slice(0, 2)) {
      expect(idsOf(await find(search, { search_name: String(name).toUpperCase() }))).toContain(id);
      expect(idsOf(await find(search, { search_id: id }))).toEqual([id]);
    }
    expect(await find(search, { search_name: randomUUID() })).toEqual([]);
    expect(await find(search, { search_id: randomUUID() })).toEqual([]);
  });
});

describe('a stage', () => {
  test('is found by its name in one pipeline, or in all of them, each with its pipeline', async () => {
    const values = { name: 'Second', is_default: false, require_lost_reason: false };
    const { id } = await inConsole(dealkeep.core, organization, 'pipelines.add', values);
    const pipelines = await ask<Values[]>(setting, 'GET', '/pipelines');
    const owners = (found: readonly Values[]) => found.map(({ pipeline }) => Object(pipeline).id);
    const won = await find('find_stage', { search_name: 'won' });
    expect(new Set(owners(won))).toEqual(new Set(idsOf(pipelines)));
    const [one, ...others] = await find('find_stage', { search_name: 'Won', search_pipeline_id: id });
    expect(others).toEqual([]);
    expect(one).toMatchObject({ name: 'Won', kind: 'won', pipeline: { id, name: 'Second' } });
    expect(await find('find_stage', { search_id: one?.['id'] })).toEqual([one]);
    expect(await find('find_stage', { search_id: randomUUID() })).toEqual([]);
    expect(await find('find_stage', { search_name: 'Won', search_pipeline_id: randomUUID() })).toEqual([]);
  });

  test('of a project is found by a part of its name, without its diacritics', async () => {
    const [project] = await ask<{ id: string; stages: { id: string; name: string }[] }[]>(
      setting,
      'GET',
      '/projects',
    );
    for (const { id, name } of project?.stages ?? []) {
      const part = name.normalize('NFD').replaceAll(/\p{M}/gu, '').slice(0, 4).toUpperCase();
      const found = await find('find_project_stage', { search_q: part, search_project_id: project?.id });
      expect(idsOf(found)).toContain(id);
    }
  });

  test('without anything to search by says so', async () => {
    expect((await failureOf(find('find_stage', {}))).message).toContain('at least one field');
  });

  test('fills the stage of a lead, and of no other step is a stage typed (rule zapier 11)', async () => {
    const definition = Object(await setting.platform.definition());
    const stage = definition.creates.move_lead.operation.inputFields.find(
      (field: Values) => field['key'] === 'stage_id',
    );
    expect(stage).toMatchObject({ dynamic: 'list_stages.id.name', search: 'find_stage.id' });
  });
});

describe('companies are found by their custom fields (rule zapier 21)', () => {
  test('each with a box of its own, all of which must fit', async () => {
    const define = async (name: string, type: string) => {
      const body = { name, type, required: false };
      return (await inConsole(dealkeep.core, organization, 'custom-fields.add', body)).id;
    };
    const [branch, size] = [await define('Branch [1]', 'text'), await define('Size', 'number')];
    const make = (values: Values) =>
      ask(setting, 'POST', '/companies', { name: 'Tatra', custom_fields: values });
    const wanted = await make({ 'Branch [1]': 'Retail & more', Size: '12.50' });
    await make({ 'Branch [1]': 'Retail & more', Size: '13' });
    const input = {
      [`search_custom_field__${branch}`]: 'Retail & more',
      [`search_custom_field__${size}`]: '12,5',
    };
    expect(idsOf(await find('find_company', input))).toEqual([wanted['id']]);
    const wrong = find('find_company', { [`search_custom_field__${size}`]: 'many' });
    expect((await failureOf(wrong)).message).toBe('Size: This must be a number.');
    const gone = find('find_company', { [`search_custom_field__${randomUUID()}`]: 'x' });
    expect((await failureOf(gone)).message).toContain(
      'Custom Field: A field that this step fills in was removed',
    );
  });
});

describe('Search Everything (rule zapier 11)', () => {
  test('finds records of several kinds with type, title, subtitle and link, the best first', async () => {
    const name = `Žltý kôň ${randomUUID().slice(0, 8)}`;
    const lead = await act(setting, 'create_lead', { name: `${name} bikes`, company__name: name });
    const found = await find('search_everything', {
      search_q: name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
    });
    expect(found).toMatchObject([
      {
        type: 'company',
        id: Object(lead['company']).id,
        title: name,
        app_url: expect.stringMatching(/^http/),
      },
      { type: 'lead', id: lead['id'], title: `${name} bikes`, subtitle: expect.any(String) },
    ]);
    expect(await find('search_everything', { search_q: name, search_types: ['lead', 'task'] })).toMatchObject(
      [{ type: 'lead', id: lead['id'] }],
    );
    expect(await find('search_everything', { search_q: randomUUID() })).toEqual([]);
  });

  test('without a text says so', async () => {
    expect((await failureOf(find('search_everything', { search_q: '' }))).message).toContain(
      'at least one field',
    );
  });

  test('offers the kinds that its connection reaches, by their names', async () => {
    const definition = Object(await setting.platform.definition());
    const [, types] = definition.searches.search_everything.operation.inputFields;
    expect(types).toMatchObject({
      list: true,
      choices: { company: 'Company', product: 'Product', quote: 'Quote' },
    });
  });
});
