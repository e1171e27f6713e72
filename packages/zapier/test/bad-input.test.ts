import { seedDemo } from '@dealkeep/core';
import { sharedDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './platform/failure.ts';
import { act, ask, list, type Values } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';

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
    ['create_lead', { value: '1,250' }, 'Value: This must be a number.'],
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
    ['find_lead', { search_archived: 'false' }, 'Fill in at least one field to search by.'],
  ])('%s %j', async (step, input, message) => {
    expect(await told(list(setting, `searches.${step}`, input))).toBe(message);
  });
});

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
});
