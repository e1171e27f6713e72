import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { failureOf } from '../platform/failure.ts';
import { unique, type World } from './world.ts';

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

  test('says of a search by what cannot be which field it is', async () => {
    const find = (input: Record<string, unknown>) => told(world.list('searches.find_contact', input));
    expect(await find({ search_email: 'nobody' })).toBe('Email: This is not an e-mail address.');
    expect(await find({ search_company_id: 'no id' })).toBe(
      'Company: Choose it from the list, or map an ID from an earlier step.',
    );
  });
}
