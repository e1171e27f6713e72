import { bareSchema, exampleOf } from '@dealkeep/contract';
import * as z from 'zod';
import type { ApiRecord } from './api-record.ts';
import { shapeRecord } from './shape-record.ts';

/**
 * A believable record with the keys of a live one. Values by free names (custom fields) are left out: each
 * organization has its own, and a sample must not offer a field that a live record lacks.
 */
export function sampleOf(
  schema: z.ZodObject,
  example: unknown = exampleOf(schema),
  withOptional = false,
): ApiRecord {
  return emptyDictionaries(schema, shapeRecord(schema, example, withOptional));
}

function emptyDictionaries(schema: z.ZodObject, record: ApiRecord): ApiRecord {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => {
      const field = schema.shape[key];
      return [key, field && bareSchema(field).bare instanceof z.ZodRecord ? {} : value];
    }),
  );
}
