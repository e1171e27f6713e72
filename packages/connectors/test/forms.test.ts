import { descriptionOf, type OperationDeclaration, operations } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../src/forms/body-of.ts';
import { clearedBody } from '../src/forms/clear-fields.ts';
import { withCustomFields } from '../src/forms/custom-fields.ts';
import { formFields } from '../src/forms/form-field.ts';
import { actionFields, actions, operationOf, searches, searchFields, searchForm } from '../src/index.ts';

const createLead = formFields(operations['leads.create'].body);
const updateLead = formFields(operations['leads.update'].body);
const createOrder = formFields(operations['orders.create'].body);
const createInvoice = formFields(operations['invoices.create'].body);
const createCompany = formFields(operations['companies.create'].body);
const createContact = formFields(operations['contacts.create'].body);

test('forms have the keys of the API and English labels (rule connectors 2)', () => {
  const bodies = Object.values<OperationDeclaration>(operations).flatMap(({ id, kind, body }) =>
    body && ['create', 'update', 'upsert'].includes(kind) ? [{ id, body }] : [],
  );
  expect(bodies.length).toBeGreaterThan(15);
  for (const { id, body } of bodies) {
    for (const { key, path, label, way } of formFields(body)) {
      expect(key, id).toBe(path.join('__'));
      const [name = '', ...inside] = path;
      expect(Object.keys(body.shape), id).toContain(name);
      const schema = body.shape[name];
      // One that is chosen or described has the words of both ways.
      if (way === undefined && inside.length === 0 && schema) {
        expect(label, key).toBe(descriptionOf(schema)?.label?.en);
      }
    }
  }
});

test('every box of text shows an example of what is written into it (rule connectors 21)', () => {
  const forms = [
    ...actions.map(({ operation }) => [operation, actionFields(operationOf(operation))] as const),
    ...searches.map((search) => [`find in ${search.list}`, searchFields(searchForm(search))] as const),
  ];
  const boxes = forms.flatMap(([form, fields]) =>
    fields
      .flatMap((field) => field.children ?? [field])
      .filter(({ type, choices, reference, keysOf }) => {
        const isText = type === 'string' || type === 'text';
        return isText && choices === undefined && reference === undefined && keysOf === undefined;
      })
      .map(({ key, example }) => ({ box: `${form}: ${key}`, example })),
  );
  expect(boxes.length).toBeGreaterThan(150);
  expect(boxes.filter(({ example }) => !example).map(({ box }) => box)).toEqual([]);
});

describe('what a person filled in becomes the body that the API takes', () => {
  test('nested fields stand in their objects', () => {
    expect(
      bodyOf(createLead, { company__name: 'Tatra', company__email: 'a@b.sk', contact__name: 'Ján' }),
    ).toEqual({
      company: { name: 'Tatra', email: 'a@b.sk' },
      contact: { name: 'Ján' },
    });
  });

  test('empty boxes are left out (rule zapier 10)', () => {
    expect(bodyOf(createLead, { name: '', note: null, assignee_ids: [], value: undefined })).toEqual({});
  });

  test.each([
    ['12.5', 12.5],
    [' 7 ', 7],
    [0, 0],
    [-3.25, -3.25],
    ['twelve', 'twelve'],
    ['1e999', '1e999'],
    ['0x10', '0x10'],
    ['450,20', 450.2],
  ])('the amount %j is sent as %j', (given, sent) => {
    expect(bodyOf(createLead, { value: given })).toEqual({ value: sent });
  });

  test.each([
    ['true', true],
    ['No', false],
    [true, true],
    [0, false],
    [1, true],
    ['0', false],
    [2, 2],
    ['perhaps', 'perhaps'],
  ])('the truth value %j is sent as %j', (given, sent) => {
    expect(bodyOf(createContact, { is_primary: given })).toEqual({ is_primary: sent });
  });

  test.each([
    ['2026-11-30T00:00:00+01:00', '2026-11-30'],
    ['2026-11-30', '2026-11-30'],
    ['2026-03-01T00:00:00.000Z', '2026-03-01'],
    ['some day', 'some day'],
  ])('the date %j is sent as %j', (given, sent) => {
    expect(bodyOf(createLead, { expected_close_date: given })).toEqual({ expected_close_date: sent });
  });

  test.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['a,b', ['a', 'b']],
    [
      ['a, b', ''],
      ['a', 'b'],
    ],
  ])('the people %j are sent as %j', (given, sent) => {
    expect(bodyOf(createLead, { assignee_ids: given })).toEqual({ assignee_ids: sent });
  });

  test('a number mapped into a text field is sent as text', () => {
    expect(bodyOf(createContact, { phone: 421905123456 })).toEqual({ phone: '421905123456' });
  });

  test('the parts of an address become the one text that the API takes', () => {
    const input = {
      customer__name: 'Eva Šimková',
      customer__delivery_address__street: 'Štúrova 12',
      customer__delivery_address__city: 'Košice',
      customer__delivery_address__postal_code: 4001,
      customer__delivery_address__country: '',
    };
    expect(bodyOf(createOrder, input)).toEqual({
      customer: {
        name: 'Eva Šimková',
        delivery_address: '{"street":"Štúrova 12","city":"Košice","postal_code":"4001"}',
      },
    });
    expect(bodyOf(createOrder, { customer__name: 'Eva' })).toEqual({ customer: { name: 'Eva' } });
  });

  test.each([
    [
      'a list of lines',
      {
        items: [
          { items__name: 'Bike', items__unit_price: '450' },
          { items__name: '', items__unit_price: '' },
        ],
      },
      [{ name: 'Bike', unit_price: 450 }],
    ],
    ['one line', { items: { items__name: 'Bike' } }, [{ name: 'Bike' }]],
    [
      'a value for each column',
      { items__name: 'Bike', items__unit_price: '450', items__quantity: '' },
      [{ name: 'Bike', unit_price: 450 }],
    ],
    [
      'a list for some columns',
      { items__name: ['Bike', 'Bell'], items__unit_price: ['450', '9.9'], items__vat_rate: '23' },
      [
        { name: 'Bike', unit_price: 450, vat_rate: 23 },
        { name: 'Bell', unit_price: 9.9, vat_rate: 23 },
      ],
    ],
    ['nothing', { items: [], currency: 'EUR' }, undefined],
    ['nothing at all', {}, undefined],
  ])('line items given as %s', (_, input, lines) => {
    expect(bodyOf(createInvoice, input)['items']).toEqual(lines);
  });

  test('what the form does not have is not sent', () => {
    expect(bodyOf(updateLead, { dedupe: 'company', surprise: 1, name: 'Slovenské ľudové' })).toEqual({
      name: 'Slovenské ľudové',
    });
  });
});

test('a group that the API asks for is sent even when nothing of it is filled in', () => {
  const createOrder = formFields(operations['orders.create'].body);
  expect(bodyOf(createOrder, {})).toEqual({ customer: {} });
  expect(bodyOf(createOrder, { customer__name: 'Eva' })).toEqual({ customer: { name: 'Eva' } });
});

describe('fields to clear', () => {
  test('are sent as null, unless they are filled in', () => {
    const body = bodyOf(updateLead, { name: 'New' });
    expect(clearedBody(updateLead, body, { fields_to_clear: ['name', 'note'] })).toEqual({
      name: 'New',
      note: null,
    });
  });

  test('that cannot be empty are ignored', () => {
    expect(clearedBody(createContact, {}, { fields_to_clear: 'company_id,note' })).toEqual({ note: null });
  });
});

describe('a custom field called like what every object has (rule connectors 19)', () => {
  test.each(['constructor', '__proto__', 'toString'])('%s is sent and cleared as any other', (name) => {
    const dictionary = createCompany.filter(({ keysOf }) => keysOf);
    const [field] = withCustomFields(dictionary, [{ id: 'f1', name, kind: 'text' }]);
    if (!field) throw new Error('Companies have no custom fields.');
    const sent = (body: Record<string, unknown>) => JSON.parse(JSON.stringify(body)).custom_fields;
    expect(Object.entries(sent(bodyOf([field], { [field.key]: 'x' })))).toEqual([[name, 'x']]);
    const cleared = clearedBody([field], {}, { fields_to_clear: [field.key] });
    expect(Object.entries(sent(cleared))).toEqual([[name, null]]);
  });
});

describe('of a record that is chosen or described', () => {
  const both = { company_id: 'an id', company__name: 'Tatra', contact__name: 'Eva' };
  test.each([
    ['existing', { company_id: 'an id', contact: { name: 'Eva' } }],
    ['details', { company: { name: 'Tatra' }, contact: { name: 'Eva' } }],
    ['', { company_id: 'an id', company: { name: 'Tatra' }, contact: { name: 'Eva' } }],
  ])('the way "%s" sends what belongs to it', (company_choice, body) => {
    expect(bodyOf(createLead, { ...both, company_choice })).toEqual(body);
  });
});

test('a list is cleared by an empty one, but not what only comes or goes', () => {
  const input = { fields_to_clear: ['tags', 'assignee_ids', 'add_tags', 'note'] };
  expect(clearedBody(updateLead, {}, input)).toEqual({ tags: [], assignee_ids: [], note: null });
});

test('tags of a list are each a tag, and those of one text are parted by its commas (rule connectors 18)', () => {
  expect(bodyOf(createLead, { tags: ['Bolts, nuts', 'VIP'] })).toEqual({ tags: ['Bolts, nuts', 'VIP'] });
  expect(bodyOf(createLead, { tags: 'Spring, Fair' })).toEqual({ tags: ['Spring', 'Fair'] });
});
