import { expect, test } from 'vitest';
import { ParameterProblem } from '../nodes/shared/failure.ts';
import { operations } from '../nodes/shared/generated/operations.ts';
import { fieldsOf } from '../nodes/shared/operations/read-parameters.ts';
import { mapColumns } from '../nodes/shared/parameters/mapped-columns.ts';
import type { JsonRecord } from '../nodes/shared/record.ts';

const map = (place: string, item: JsonRecord, more: { ignoresOthers?: boolean; clears?: boolean } = {}) => {
  const [resource = '', name = ''] = place.split('.');
  const operation = operations[resource]?.[name];
  if (!operation) throw new Error(`There is no ${place}`);
  const { ignoresOthers = false, clears = false } = more;
  const target = { fields: fieldsOf(operation), identity: ['id', `${resource}Id`], ignoresOthers };
  return mapColumns(item, target, {
    empty: clears ? 'clear' : 'leave',
    absent: 'refuse',
    timeZone: 'Europe/Bratislava',
  });
};

test('a column is called as the API calls the field, in camelCase, or as the form does (rules connectors 2 and n8n 23)', async () => {
  const wanted = { name: 'Eva', is_primary: true, email: 'eva@orava.example' };
  for (const item of [
    { name: 'Eva', is_primary: 'TRUE', email: 'eva@orava.example' },
    { Name: 'Eva', isPrimary: true, ' EMAIL ': 'eva@orava.example' },
  ]) {
    expect(await map('contact.create', item)).toEqual(wanted);
  }
});

test("the API's name decides where a label says the same", async () => {
  const company = { name: 'Orava' };
  expect(await map('lead.create', { company })).toEqual({ company });
  expect(await map('lead.create', { Company: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' })).toEqual({
    company_id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
  });
});

test('lists of objects come as they are or as JSON, their parts by either name (rule n8n 23)', async () => {
  const items = [{ sku: 'A', quantity: 2, unit_price: 5 }];
  for (const given of [
    [{ sku: 'A', quantity: '2', unitPrice: 5 }],
    '[{"SKU": "A", "quantity": 2, "unit_price": 5}]',
  ]) {
    expect(await map('order.create', { items: given })).toEqual({ items });
  }
});

test('an empty column clears a field on update that can be empty, and is left out elsewhere', async () => {
  const item = { name: '', note: '', email: null };
  expect(await map('company.update', item, { clears: true })).toEqual({ note: null, email: null });
  expect(await map('company.create', item)).toEqual({});
});

test('the column of the record that is updated is no field of it, and no mistake', async () => {
  expect(await map('task.update', { id: 'x', title: 'New' }, { clears: true })).toEqual({ title: 'New' });
});

test.each([
  [{ fax: '1' }, 'fax: Dealkeep has no such field'],
  [{ company: { name: 'Orava', fax: '1' } }, 'Company to Match or Create → fax: Dealkeep has no such field'],
])('a column that is no field is named, with what to do: %o (rule n8n 23)', async (item, message) => {
  const failed = map('lead.create', item);
  await expect(failed).rejects.toThrow(ParameterProblem);
  await expect(failed).rejects.toMatchObject({
    message,
    description: expect.stringMatching(/Rename or remove it.*Columns Not in Dealkeep.*name/),
  });
  expect(await map('lead.create', item, { ignoresOthers: true })).not.toHaveProperty('fax');
});

test.each(['constructor', '__proto__', 'toString'])(
  'a column called %s is one like any other: no field of a lead (rule n8n 23)',
  async (column) => {
    const item = JSON.parse(`{"name": "Orava", "${column}": {"constructor": 1}}`);
    await expect(map('lead.create', item)).rejects.toThrow(`${column}: Dealkeep has no such field`);
    expect(await map('lead.create', item, { ignoresOthers: true })).toEqual({ name: 'Orava' });
  },
);
