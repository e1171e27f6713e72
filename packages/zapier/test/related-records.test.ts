import { exampleOf, resources } from '@dealkeep/contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { outputFields } from '../src/records/output-fields.ts';
import { recordSchema, relatedRecordsIn, withExampleNames } from '../src/records/related-records.ts';

const shownIn = (record: z.ZodObject) =>
  relatedRecordsIn(record).map(({ key, get, path, schema }) => {
    const [field] = outputFields(z.object({ [key]: schema }));
    return [key, field?.label, get, path.join('.')];
  });

test('an id that stands alone in a record of the contract is shown with what the contract names its record by', () => {
  const record = z.object({ task_id: z.uuid(), product_uuid: z.uuid(), client_id: z.uuid() });
  expect(shownIn(record)).toEqual([
    ['task_title', 'Task Title', 'tasks.get', 'title'],
    ['product_name', 'Product Name', 'products.get', 'name'],
    ['client_name', 'Client Name', 'clients.get', 'company.name'],
  ]);
});

test('an id whose name the API tells, of the world outside, or that cannot be read by itself, is left alone', () => {
  const record = z.object({ company_id: z.uuid(), company_name: z.string(), external_id: z.string() });
  expect(shownIn(record.extend({ stage_id: z.uuid(), user_id: z.uuid(), lead: z.unknown() }))).toEqual([]);
});

test('orders show the names of their client, company and invoice, each behind its id', () => {
  const labels = Object.fromEntries(
    outputFields(recordSchema('order')).map(({ key, label }) => [key, label]),
  );
  expect(labels).toMatchObject({
    client_name: 'Client Name',
    company_name: 'Company Name',
    invoice_number: 'Invoice Number',
  });
  const keys = Object.keys(recordSchema('order').shape);
  const at = keys.indexOf('client_uuid');
  expect(keys.slice(at, at + 6)).toEqual([
    'client_uuid',
    'client_name',
    'company_uuid',
    'company_name',
    'invoice_uuid',
    'invoice_number',
  ]);
});

test('a sample names a related record as its own resource does in its example', () => {
  const name = resources.company.schema.shape.name;
  const sample = { client_uuid: 'a', company_uuid: 'b', invoice_uuid: null };
  expect(withExampleNames('order', sample)).toEqual({
    ...sample,
    client_name: 'Tatra Bikes s.r.o.',
    company_name: exampleOf(name),
    invoice_number: null,
  });
});
