import { seedDemo } from '@dealkeep/core/installation';
import { sharedDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './platform/failure.ts';
import { act, ask, list, type Values } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';
import { withoutLines } from './promises/bad-input.ts';

const dealkeep = await sharedDealkeep();
const { newAccount } = await startPrivate(dealkeep);
const { setting, organization } = await newAccount();
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

beforeAll(() => seedDemo(dealkeep.core, organization.slug, 'small'));

/** What a step tells the user. */
const told = async (step: Promise<unknown>) => (await failureOf(step)).message;
const line = (values: Values) => ({ items: [{ items__name: 'Bike', items__unit_price: 450, ...values }] });

describe('a value that cannot be meant is told by the label of its field', () => {
  test.each<[string, Values, string]>([
    [
      'create_company',
      { name: { first: 'Tatra' } },
      'Name: This is an object. Map one of its fields instead.',
    ],
    [
      'create_company',
      { name: [{ first: 'Tatra' }] },
      'Name: This is an object. Map one of its fields instead.',
    ],
    ['create_lead', { value: { amount: 1 } }, 'Value: This is an object. Map one of its fields instead.'],
    [
      'create_lead',
      { value: [1, 2] },
      'Value: These are 2 values where one is expected. Map one of them instead.',
    ],
    [
      'create_company',
      { name: 'A', owner_id: [nobody, nobody] },
      'Owner: These are 2 values where one is expected. Map one of them instead.',
    ],
    [
      'create_lead',
      { assignee_ids: [{ id: nobody }] },
      'Assignees: This is an object. Map one of its fields instead.',
    ],
    [
      'create_activity',
      { name: 'A', start_at: ['2027-01-01T08:00:00Z', '2027-01-02T08:00:00Z'] },
      'Start: These are 2 values where one is expected. Map one of them instead.',
    ],
    ['move_lead', { id: { id: nobody } }, 'Lead: This is an object. Map one of its fields instead.'],
    [
      'create_invoice',
      line({ items__unit_price: { amount: 1 } }),
      'Items 1, Unit Price: This is an object. Map one of its fields instead.',
    ],
    [
      'create_invoice',
      { items: ['Bike'] },
      'Items: These are no line items. Fill in the fields of a line, or map those of line items.',
    ],
    [
      'create_company',
      { name: 'Žltý kôň', note: 'ž'.repeat(600_000) },
      'Note: This is too long. All fields together may have 1 MB.',
    ],
    ['create_company', { name: 'ž'.repeat(256) }, 'Name: At most 255 characters are allowed.'],
    ['create_company', { name: '  ' }, 'Name: This must not be empty.'],
    ['create_lead', { value: 'a lot' }, 'Value: This must be a number.'],
    ['create_lead', { value: '0x10' }, 'Value: This must be a number.'],
    [
      'create_lead',
      { value: '1,250' },
      'Value: "1,250" can be 1250 or 1.250. Write the one that it is, without a comma.',
    ],
    [
      'create_activity',
      { name: 'A', start_at: '8.12.2026 10:00' },
      'Start: "8.12.2026 10:00" is not a date and time with one meaning. Write it as 2026-08-14T10:00, or with its offset: 2026-08-14T10:00+02:00.',
    ],
    [
      'create_activity',
      { name: 'A', start_at: '2026-10-25T02:30' },
      'Start: The clocks of Europe/Bratislava show "2026-10-25T02:30" twice, because summer time ends. Add the offset, such as 2026-10-25T02:30+02:00.',
    ],
    [
      'create_invoice',
      line({ items__name: 'City bike,Bell', items__quantity: '1,2,3', items__unit_price: '10,20' }),
      'Items: It cannot be told which values belong to one line: Item Name holds 2, Unit Price holds 2, Quantity holds 3. Map line items, or as many values in each field. If this is one line, write its numbers with a dot, such as 12.50.',
    ],
    ['create_lead', { value: -0.01 }, 'Value: This must be at least 0.'],
    ['create_invoice', line({ items__quantity: 0 }), 'Items 1, Quantity: This must be more than 0.'],
    ['create_invoice', line({ items__quantity: '-2' }), 'Items 1, Quantity: This must be more than 0.'],
    ['create_invoice', {}, 'Items: This field is required.'],
    ['create_order', {}, 'Items: This field is required.'],
    [
      'create_booking',
      {},
      'Service: This field is required. Start: This field is required. Customer Name: This field is required.',
    ],
    [
      'create_order',
      { items: [{ items__quantity: 1 }] },
      'Items 1, Product: Say which product this is: fill in Product or SKU.',
    ],
    [
      'create_lead',
      { contact__name: 'Eva' },
      'Contact: Say which company this is for: fill in Existing Company or Company Name.',
    ],
    [
      'create_company',
      { name: 'A', owner_id: 'Jana Horváthová' },
      'Owner: Choose it from the list, or map an ID from an earlier step.',
    ],
    [
      'create_company',
      { name: 'A', owner_id: nobody },
      'Owner: There is no such record in this organization. It may have been deleted: choose another one.',
    ],
    [
      'update_company',
      { id: nobody, note: 'x' },
      'Company: There is no such record in this organization. It may have been deleted: choose another one.',
    ],
    [
      'update_company',
      { id: 'Tatra', note: 'x' },
      'Company: There is no such record in this organization. It may have been deleted: choose another one.',
    ],
  ])('%s %j', async (step, input, message) => {
    expect(await told(act(setting, step, input))).toBe(message);
  });

  test.each<[string, Values, string]>([
    [
      'find_lead',
      { search_q: { name: 'Tatra' } },
      'Search: This is an object. Map one of its fields instead.',
    ],
    [
      'find_lead',
      { search_company_id: [nobody, nobody] },
      'Company: These are 2 values where one is expected. Map one of them instead.',
    ],
    ['find_lead', { search_q: 'x'.repeat(20_000) }, 'Search: This is too long to search by.'],
    ['find_lead', { search_name: 'x'.repeat(20_000) }, 'Name: This is too long to search by.'],
    ['find_lead', { search_q: '  ' }, 'Fill in at least one field to search by.'],
    ['find_company', { search_custom_field: {} }, 'Fill in at least one field to search by.'],
    ['search_everything', { search_q: ' ' }, 'Fill in at least one field to search by.'],
    ['find_lead', { search_archived: 'false' }, 'Fill in at least one field to search by.'],
  ])('%s %j', async (step, input, message) => {
    expect(await told(list(setting, `searches.${step}`, input))).toBe(message);
  });
});

test.each([[''], [null], ['  '], [[]]])(
  'a search by %j, which an earlier step gave, ends and finds no other records (rule connectors 20)',
  async (email) => {
    const { setting: own } = await newAccount();
    const company = await act(own, 'create_company', { name: 'Tatra' });
    await act(own, 'create_contact', { company_id: company['id'], name: 'Eva' });
    const by = { search_company_id: company['id'] };
    expect(await list(own, 'searches.find_contact', by)).toHaveLength(1);
    expect(await told(list(own, 'searches.find_contact', { ...by, search_email: email }))).toBe(
      'Email: There is nothing to look for. Check that the earlier step which fills this field found a value, or take the field out of the search.',
    );
  },
);

test.each(withoutLines)(
  'an invoice and an order without a line, as %j, name the lines (rule zapier 26)',
  async (input) => {
    for (const step of ['create_invoice', 'create_order']) {
      expect(await told(act(setting, step, input)), step).toBe('Items: This field is required.');
    }
  },
);

describe('a value in another form than expected is understood', () => {
  test('one value in a list, Slovak letters, spaces and a decimal comma', async () => {
    const [owner] = await ask<Values[]>(setting, 'GET', '/users');
    const lead = await act(setting, 'create_lead', {
      name: ['Ľúbostná žiadosť', ''],
      value: '1 250,5',
      owner_id: [owner?.['id']],
      note: ['Prvý', 2, null, 'tretí'],
    });
    expect(lead).toMatchObject({
      name: 'Ľúbostná žiadosť',
      value: 1250.5,
      owner: { id: owner?.['id'] },
      note: 'Prvý, 2, tretí',
    });
    const moved = await act(setting, 'update_lead', { id: [lead['id']], value: '0' });
    expect(moved).toMatchObject({ value: 0 });
  });

  test('fractional quantities and prices are rounded to cents by the line', async () => {
    const invoice = await act(
      setting,
      'create_invoice',
      line({ items__quantity: '0,5', items__unit_price: '9.99' }),
    );
    expect(invoice).toMatchObject({ subtotal: 5, items: [{ quantity: 0.5, unit_price: 9.99, total: 5 }] });
  });

  test('columns that are joined by commas are a line each (rule connectors 16)', async () => {
    const items = [
      {
        items__name: 'City bike,Bell',
        items__quantity: '1,2',
        items__unit_price: '10,20',
        items__vat_rate: '0,0',
      },
    ];
    const invoice = await act(setting, 'create_invoice', { items });
    expect(invoice).toMatchObject({
      subtotal: 50,
      items: [
        { name: 'City bike', quantity: 1, unit_price: 10 },
        { name: 'Bell', quantity: 2, unit_price: 20 },
      ],
    });
  });

  test('a time without an offset is one of the organization, and 0 and 1 are no and yes (rule connectors 17)', async () => {
    const activity = await act(setting, 'create_activity', { name: 'Call', start_at: '2026-08-14T10:00:00' });
    expect(activity).toMatchObject({ start_at: '2026-08-14T08:00:00.000Z' });
    const { id } = await act(setting, 'create_company', { name: 'Yes' });
    const contact = await act(setting, 'create_contact', { company_id: id, name: 'Eva', is_primary: 1 });
    expect(contact).toMatchObject({ is_primary: true });
    const task = await act(setting, 'create_task', { title: 'Call', due_date: '2026-03-01T00:00:00.000Z' });
    expect(task).toMatchObject({ due_date: '2026-03-01' });
  });
});
