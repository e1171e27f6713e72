import { seedDemo } from '@dealkeep/core/installation';
import { inConsole, startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { type Credential, chosen } from './workflow-node.ts';

const automatically = { mappingMode: 'autoMapInputData', value: null };
const oneByOne = (value: Record<string, unknown>) => ({ mappingMode: 'defineBelow', value });

/** A custom field of each kind. */
const kinds = {
  Employees: 'number',
  Motto: 'text',
  Newsletter: 'checkbox',
  Segment: 'choice',
  Since: 'date',
} as const;

describe('the mapper of the action node in n8n', () => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;
  let api: Api;
  let credential: Credential;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ worker: false });
    const organization = await dealkeep.createOrganization();
    for (const [name, type] of Object.entries(kinds)) {
      const choices = type === 'choice' ? { choices: ['Retail', 'Wholesale'] } : {};
      const field = { name, type, required: false, ...choices };
      await inConsole(dealkeep.core, organization, 'custom-fields.add', field);
    }
    api = new Api(dealkeep.baseUrl, organization.key);
    credential = await n8n.createCredential(api.baseUrl, organization.key);
  });

  const run = (parameters: Record<string, unknown>, items: Record<string, unknown>[] = [{}]) =>
    n8n.act({ simplify: false, ...parameters }, credential, { items });
  const act = async (parameters: Record<string, unknown>, items?: Record<string, unknown>[]) => {
    const execution = await run(parameters, items);
    expect(execution.error('Dealkeep')).toBeUndefined();
    return execution.output('Dealkeep');
  };
  const company = { resource: 'company', operation: 'create', mapping: automatically };

  test('shows the custom fields of the organization with their own labels, kinds and choices (rule n8n 24)', async () => {
    const fields = await n8n.mapperFields({
      credential,
      parameters: { resource: 'company', operation: 'create' },
    });
    const byName = listAt(fields, 'fields').toSorted((one, other) =>
      textAt(one, 'id').localeCompare(textAt(other, 'id')),
    );
    expect(byName).toMatchObject([
      { id: 'Employees', displayName: 'Employees', type: 'number', removed: true },
      { id: 'Motto', displayName: 'Motto', type: 'string' },
      { id: 'Newsletter', displayName: 'Newsletter', type: 'boolean' },
      {
        id: 'Segment',
        displayName: 'Segment',
        type: 'options',
        options: [
          { name: 'Retail', value: 'Retail' },
          { name: 'Wholesale', value: 'Wholesale' },
        ],
      },
      { id: 'Since', displayName: 'Since', type: 'dateTime' },
    ]);
    const lead = { credential, parameters: { resource: 'lead', operation: 'update' } };
    expect(await n8n.mapperFields(lead)).toEqual({ fields: [] });
    const { key } = await dealkeep.createOrganization();
    const bare = await n8n.createCredential(dealkeep.baseUrl, key);
    const none = await n8n.mapperFields({
      credential: bare,
      parameters: { resource: 'company', operation: 'update' },
    });
    expect(listAt(none, 'fields').filter((each) => at(each, 'display') === true)).toEqual([]);
    expect(listAt(none, 'fields')).toHaveLength(1);
  });

  test('writes a custom field of each kind and tags that are chosen, one by one (rule n8n 24)', async () => {
    const [made] = await act({
      resource: 'company',
      operation: 'create',
      name: 'Kinds',
      additionalFields: { tags: ['VIP', 'Fair'] },
      mapping: oneByOne({
        Employees: 12.5,
        Motto: 'Fast & good',
        Newsletter: true,
        Segment: 'Retail',
        Since: '2020-02-29T00:00:00',
      }),
    });
    expect(at(made, 'custom_fields')).toEqual({
      Employees: '12.5',
      Motto: 'Fast & good',
      Newsletter: 'true',
      Segment: 'Retail',
      Since: '2020-02-29',
    });
    expect(listAt(made, 'tags').toSorted()).toEqual(['Fair', 'VIP']);
    const tags = listAt(await api.call('GET', '/tags'), 'data');
    const vip = textAt(
      tags.find((each) => at(each, 'name') === 'VIP'),
      'id',
    );
    const [changed] = await act({
      resource: 'company',
      operation: 'update',
      companyId: chosen(textAt(made, 'id')),
      updateFields: { addTags: ['New'], removeTags: [vip] },
      mapping: oneByOne({ Motto: '={{ null }}', Employees: '={{ "7" }}' }),
    });
    expect(at(changed, 'custom_fields')).toMatchObject({ Employees: '7', Segment: 'Retail' });
    expect(at(changed, 'custom_fields', 'Motto') ?? null).toBeNull();
    expect(listAt(changed, 'tags').toSorted()).toEqual(['Fair', 'New']);
    const filters = {
      customField: { values: [{ name: chosen('Segment', 'list'), value: 'Retail' }] },
      tag: chosen('New', 'name'),
    };
    const found = await act({ resource: 'company', operation: 'getAll', filters });
    expect(found.map((each) => at(each, 'id'))).toEqual([at(made, 'id')]);
  });

  test('creates what the columns of the input say, by names and by labels, with custom fields and tags', async () => {
    const made = await act(company, [
      {
        name: 'First',
        'Registration ID': 11111111,
        postalCode: '040 01',
        Segment: 'Wholesale',
        tags: 'A, B',
      },
      { Name: 'Second', email: '', custom_fields: { Newsletter: 'TRUE', Since: '2021-01-02' } },
    ]);
    expect(made).toMatchObject([
      {
        name: 'First',
        registration_id: '11111111',
        address: { postal_code: '040 01' },
        tags: ['A', 'B'],
        custom_fields: { Segment: 'Wholesale' },
      },
      { name: 'Second', email: null, custom_fields: { Newsletter: 'true', Since: '2021-01-02' } },
    ]);
  });

  test('updates the record that an expression names with the other columns, and clears what is empty (rules n8n 23 and 24)', async () => {
    const id = await api.create('/companies', { name: 'Before', note: 'Old', email: 'old@before.example' });
    const [changed] = await act(
      {
        resource: 'company',
        operation: 'update',
        mapping: automatically,
        companyId: chosen('={{ $json.id }}'),
      },
      [{ id, name: 'After', note: '' }],
    );
    expect(changed).toMatchObject({ id, name: 'After', note: null, email: 'old@before.example' });
  });

  test('creates or updates by a column, 50 items of one company without a double', async () => {
    const items = Array.from({ length: 50 }, (_, index) => ({
      registration_id: String(22222200 + (index % 5)),
      name: `Company ${index % 5}`,
      phone: `+421 ${index}`,
    }));
    const made = await act(
      { resource: 'company', operation: 'upsert', matchBy: 'registration_id', mapping: automatically },
      items,
    );
    expect(made).toHaveLength(50);
    expect(new Set(made.map((each) => textAt(each, 'id'))).size).toBe(5);
    expect(made.filter((each) => at(each, 'upserted') === 'created')).toHaveLength(5);
  });

  test('takes whole orders and leads with what belongs to them', async () => {
    const shop = await dealkeep.createOrganization();
    await seedDemo(dealkeep.core, shop.slug, 'small');
    const access = await n8n.createCredential(dealkeep.baseUrl, shop.key);
    const [product] = listAt(
      await new Api(dealkeep.baseUrl, shop.key).call('GET', '/products?limit=1'),
      'data',
    );
    const item = { product_uuid: at(product, 'uuid'), quantity: 2, unitPrice: 5 };
    const create = (resource: string, columns: Record<string, unknown>) =>
      n8n.act({ resource, operation: 'create', mapping: automatically, simplify: false }, access, {
        items: [columns],
      });
    const order = await create('order', {
      external_id: 'S-1',
      external_source: 'shop',
      customer: { name: 'Eva', email: 'eva@shop.example' },
      items: [item],
    });
    expect(order.error('Dealkeep')).toBeUndefined();
    expect(order.output('Dealkeep')).toMatchObject([
      { external_id: 'S-1', customer_name: 'Eva', items: [{ quantity: 2 }] },
    ]);
    const wrong = await create('order', { customer: { name: 'Eva' }, items: [{ ...item, colour: 'red' }] });
    expect(wrong.error('Dealkeep')?.message).toMatch(/^Items → colour: Dealkeep has no such field/);
    const lead = await create('lead', {
      Name: 'Panels',
      Value: '1200.50',
      company: { name: 'Orava' },
      contact: { name: 'Ján' },
    });
    expect(lead.error('Dealkeep')).toBeUndefined();
    expect(lead.output('Dealkeep')).toMatchObject([
      { name: 'Panels', value: 1200.5, company: { name: 'Orava' } },
    ]);
  });

  test.each([
    ['a column that does not exist', { name: 'X', fax: '1' }, /^fax: Dealkeep has no such field/],
    ['a tag that is none', { name: 'X', tags: [{}] }, /^Tags: /],
    ['a number that is none', { name: 'X', Employees: 'many' }, /^Employees: a number is wanted.*"many"/],
    ['a day that is none', { name: 'X', Since: 'soon' }, /^Since: a date.*"soon"/],
    ['a yes or no that is none', { name: 'X', Newsletter: 'perhaps' }, /^Newsletter: true or false/],
    ['a choice that there is not', { name: 'X', Segment: 'Space' }, /Segment.*Retail/],
    ['a required column that is missing', { note: 'X' }, /^Name: /],
  ])('says of %s which field and which item', async (_, item, message) => {
    const execution = await run(company, [{ name: 'Good' }, item]);
    const error = execution.error('Dealkeep');
    expect(error?.message).toMatch(message);
    expect(error?.itemIndex).toBe(1);
  });

  test('ignores other columns when it is told to', async () => {
    const [made] = await act({ ...company, unknownColumns: 'ignore' }, [{ name: 'Kept', fax: '1', id: 'x' }]);
    expect(made).toMatchObject({ name: 'Kept' });
  });

  test('says which custom field is gone (rule n8n 24)', async () => {
    const gone = { ...company, name: 'X', mapping: oneByOne({ Gone: 'x' }) };
    const error = (await run(gone)).error('Dealkeep');
    expect(error?.message).toBe('Gone: Dealkeep has no custom field of this name');
  });
});
