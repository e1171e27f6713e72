import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { failureOf } from '../platform/failure.ts';
import type { Values } from '../platform/setting.ts';
import { unique, type World } from './world.ts';

/** What Zapier hands over of a group of line items in which nothing is filled in. */
export const withoutLines: readonly Values[] = [
  {},
  { items: [] },
  { items: null },
  { items: '' },
  { items: [{}] },
  { items: [{ items__name: '', items__quantity: '', items__unit_price: null, items__sku: '' }] },
  { items__name: '', items__quantity: '', items__unit_price: '' },
];

/** What a step tells of values that cannot be, as earlier steps of a Zap bring them. */
export function badInputPromises(world: World): void {
  const told = async (run: Promise<unknown>) => (await failureOf(run)).message;
  const invoiceOf = (quantity: unknown) =>
    world.act('create_invoice', {
      items: [{ items__name: 'Hour', items__quantity: quantity, items__unit_price: 10 }],
    });
  const orderOf = (quantity: unknown) =>
    world.act('create_order', {
      items: [{ items__sku: 'HOUR', items__quantity: quantity, items__unit_price: 10 }],
    });
  const gone = 'There is no such record in this organization. It may have been deleted: choose another one.';

  test.each<[unknown, string]>([
    [0, 'Items 1, Quantity: This must be more than 0.'],
    ['0', 'Items 1, Quantity: This must be more than 0.'],
    [-2, 'Items 1, Quantity: This must be more than 0.'],
    ['two', 'Items 1, Quantity: This must be a number.'],
    ['9e99', 'Items 1, Quantity: This must be at most 1000000000000.'],
  ])('refuses a quantity of %j in the line that it stands in', async (quantity, message) => {
    expect(await told(invoiceOf(quantity))).toBe(message);
    expect(await told(orderOf(quantity))).toBe(message);
  });

  test('takes a fraction as a quantity, and reckons with it', async () => {
    expect(await invoiceOf('0.25')).toMatchObject({ items: [{ quantity: 0.25, total: 2.5 }] });
    expect(await orderOf(' 1.5 ')).toMatchObject({ items: [{ quantity: 1.5, line_total: 15 }] });
  });

  test('keeps letters of any language, and braces, to the letter', async () => {
    const name = unique('Ľúbezný žltý kôň ďťňľščýáíéúäô & 東京 🚲 {{bundle.authData}} "\\');
    expect(await world.act('create_company', { name })).toMatchObject({ name });
    expect(await world.list('searches.find_company', { search_name: name })).toMatchObject([{ name }]);
  });

  test('takes a long text that fits', async () => {
    const note = 'ľ'.repeat(32_768);
    expect(await world.act('create_lead', { name: 'Lead', note })).toMatchObject({ note });
  });

  test.each([randomUUID(), 'no id at all', '../me', '?', '%00'])(
    'says of a record %j that is not there to choose another one',
    async (id) => {
      expect(await told(world.act('update_lead', { id, note: 'x' }))).toBe(`Lead: ${gone}`);
      expect(await told(world.act('archive_lead', { id }))).toBe(`Lead: ${gone}`);
    },
  );

  test('takes columns that are joined by commas for lines, and refuses those that do not agree (rule connectors 16)', async () => {
    const joined = { items__name: 'City bike,Bell', items__quantity: '1,2', items__unit_price: '10,20' };
    expect(await world.act('create_invoice', { items: [joined] })).toMatchObject({
      subtotal: 50,
      items: [
        { name: 'City bike', quantity: 1, unit_price: 10 },
        { name: 'Bell', quantity: 2, unit_price: 20 },
      ],
    });
    const uneven = world.act('create_invoice', { items: [{ ...joined, items__quantity: '1,2,3' }] });
    expect(await told(uneven)).toContain('Item Name holds 2, Unit Price holds 2, Quantity holds 3.');
  });

  test.each(withoutLines)(
    'names the group of lines where none is filled in, as Zapier hands over %j (rule zapier 26)',
    async (input) => {
      for (const step of ['create_invoice', 'create_order']) {
        expect(await told(world.act(step, input)), step).toBe('Items: This field is required.');
      }
    },
  );

  test('refuses a number and a moment that can be two (rules connectors 15 and 17)', async () => {
    const lead = { name: unique('Lead') };
    expect(await told(world.act('create_lead', { ...lead, value: '1,234' }))).toMatch(
      /^Value: "1,234" can be 1234 or 1\.234\./,
    );
    expect(await world.act('create_lead', { ...lead, value: '450,20' })).toMatchObject({ value: 450.2 });
    const call = (start_at: string) => world.act('create_activity', { name: 'Call', start_at });
    expect(await told(call('8.12.2026 10:00'))).toMatch(/^Start: "8\.12\.2026 10:00" is not a date and time/);
    expect(await call('2026-08-14T10:00:00')).toMatchObject({ start_at: '2026-08-14T08:00:00.000Z' });
  });

  test('ends a search of which an earlier step left a field empty (rule connectors 20)', async () => {
    const company = await world.act('create_company', { name: unique('Tatra') });
    await world.act('create_contact', { company_id: company['id'], name: 'Eva' });
    const input = { search_company_id: company['id'], search_email: '' };
    expect(await told(world.list('searches.find_contact', input))).toMatch(
      /^Email: There is nothing to look for\./,
    );
  });

  test('says of a search by what cannot be which field it is', async () => {
    const find = (input: Record<string, unknown>) => told(world.list('searches.find_contact', input));
    expect(await find({ search_email: 'nobody' })).toBe('Email: This is not an e-mail address.');
    expect(await find({ search_company_id: 'no id' })).toBe(
      'Company: Choose it from the list, or map an ID from an earlier step.',
    );
  });
}
