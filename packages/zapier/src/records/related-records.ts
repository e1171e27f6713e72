import { bareSchema, describe, descriptionOf, exampleOf, text } from '@dealkeep/contract';
import * as z from 'zod';
import { referenceNamed, referenceOf } from '../dropdowns/dropdown-key.ts';
import { answeredSchema, labelOfResource, operationOf } from '../registry.ts';
import type { ApiRecord } from './api-record.ts';

/** A related record of which the API tells the id alone, and the key under which its name is shown here. */
export interface RelatedRecord {
  /** The field that holds the id. */
  readonly id: string;
  readonly key: string;
  /** The operation that reads the record, and where in its answer the name stands. */
  readonly get: string;
  readonly path: readonly string[];
  readonly schema: z.ZodType;
}

/** The related records that a record names by id alone, as orders do; elsewhere the API tells ids and names together. */
export function relatedRecordsIn(record: z.ZodObject): RelatedRecord[] {
  return Object.keys(record.shape).flatMap((id) => {
    const related = relatedBy(id);
    return related && !Object.hasOwn(record.shape, related.key) ? [related] : [];
  });
}

export const relatedRecordsOf = (resource: string): RelatedRecord[] =>
  relatedRecordsIn(answeredSchema(resource));

/** The record that a resource's GET answers, with the names of its related records, each behind the id. */
export function recordSchema(resource: string): z.ZodObject {
  const answered = answeredSchema(resource);
  const records = relatedRecordsIn(answered);
  if (records.length === 0) return answered;
  const fields = Object.entries(answered.shape).flatMap(([key, field]) => [
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

const idEnding = /_(id|uuid)$/;

/** `client_uuid` names a client, so `client_name` is what the contract says names clients. */
function relatedBy(id: string): RelatedRecord | undefined {
  const reference = idEnding.test(id) ? referenceNamed(id) : undefined;
  if (reference === undefined) return undefined;
  const { get, label = 'name' } = referenceOf(reference);
  if (get === undefined) return undefined;
  const path = label.split('.');
  const { resource } = operationOf(get);
  const { word, example } = nameIn(answeredSchema(resource), path);
  // Zapier shows English alone.
  const shown = `${labelOfResource(resource)} ${word}`;
  return {
    id,
    key: `${id.replace(idEnding, '')}_${path.at(-1)}`,
    get,
    path,
    schema: describe(z.string(), { label: text(shown, shown), example }).nullable(),
  };
}

/** The field that names a record: its label, without that of the object it stands in (`Company Name`), and example. */
function nameIn(record: z.ZodObject, path: readonly string[]): { word: string; example: unknown } {
  let field: z.core.$ZodType = record;
  let word = '';
  for (const key of path) {
    const { bare } = bareSchema(field);
    const inner = bare instanceof z.ZodObject ? bare.shape[key] : undefined;
    if (!inner) throw new Error(`The contract names a record by ${path.join('.')}, which it does not have.`);
    const label = descriptionOf(inner)?.label.en ?? key;
    word = label.startsWith(`${word} `) ? label.slice(word.length + 1) : label;
    field = inner;
  }
  return { word, example: exampleOf(field) };
}
