import { describe, exampleOf, type ReferenceName, text } from '@dealkeep/contract';
import * as z from 'zod';
import type { ApiRecord } from './api-record.ts';

/** A related record of which the API tells the id alone, and the key under which its name is shown here. */
export interface RelatedRecord {
  /** The field that holds the id. */
  readonly id: string;
  /** Says how the record is read and what names it. */
  readonly reference: ReferenceName;
  readonly key: string;
  readonly schema: z.ZodType;
}

const related = (
  id: string,
  reference: ReferenceName,
  name: { key: string; label: string; example: string },
): RelatedRecord => ({
  id,
  reference,
  key: name.key,
  schema: describe(z.string(), { label: text(name.label, name.label), example: name.example }).nullable(),
});

/** By the resource; everywhere else the API tells ids and names together. */
const recordsOf: Readonly<Record<string, readonly RelatedRecord[]>> = {
  order: [
    related('client_uuid', 'client', {
      key: 'client_name',
      label: 'Client Name',
      example: 'Tatra Bikes s.r.o.',
    }),
    related('company_uuid', 'company', {
      key: 'company_name',
      label: 'Company Name',
      example: 'Tatra Bikes s.r.o.',
    }),
    related('invoice_uuid', 'invoice', {
      key: 'invoice_number',
      label: 'Invoice Number',
      example: '2026-0042',
    }),
  ],
};

export const relatedRecordsOf = (resource: string): readonly RelatedRecord[] => recordsOf[resource] ?? [];

/** The schema of a record with the names of its related records, each behind the id. */
export function withNames(resource: string, schema: z.ZodObject): z.ZodObject {
  const records = relatedRecordsOf(resource);
  if (records.length === 0) return schema;
  const fields = Object.entries(schema.shape).flatMap(([key, field]) => [
    [key, field],
    ...records.filter(({ id }) => id === key).map((each) => [each.key, each.schema]),
  ]);
  return z.object(Object.fromEntries(fields));
}

/** A sample with believable names of its related records. */
export const withExampleNames = (resource: string, sample: ApiRecord): ApiRecord => ({
  ...sample,
  ...Object.fromEntries(
    relatedRecordsOf(resource).map(({ id, key, schema }) => [key, sample[id] ? exampleOf(schema) : null]),
  ),
});
