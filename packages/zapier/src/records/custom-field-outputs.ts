import { bareSchema } from '@dealkeep/contract';
import type { Bundle, PlainOutputField, ZObject } from 'zapier-platform-core';
import * as z from 'zod';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { guarded } from '../guarded.ts';
import { operationOf } from '../registry.ts';
import { pagesOf, type Run } from '../requests/pages.ts';

type OutputFieldFunction = (z: ZObject, bundle: Bundle) => Promise<PlainOutputField[]>;

/**
 * The custom fields of the organization behind a connection, as the editor asks for them whenever a step is opened: one
 * that was added or renamed meanwhile is there. Nothing for records that have none.
 */
export function customFieldOutputs(
  variant: AuthenticationVariant,
  schema: z.ZodObject,
): OutputFieldFunction[] {
  const keys = Object.entries(schema.shape)
    .filter(([, field]) => bareSchema(field).bare instanceof z.ZodRecord)
    .map(([key]) => key);
  return keys.map((key) => guarded((z: ZObject, bundle: Bundle) => fieldsBelow(key, { variant, z, bundle })));
}

/** Their values are texts, whatever the kind of field: numbers in decimal, dates as YYYY-MM-DD, `true` or `false`. */
async function fieldsBelow(key: string, run: Run): Promise<PlainOutputField[]> {
  const fields: PlainOutputField[] = [];
  const call = { operation: operationOf('custom-fields.list'), query: { sort: 'name' } };
  for await (const items of pagesOf(run, call)) {
    for (const { name } of items) {
      fields.push({ key: `${key}__${name}`, label: `Custom Field: ${name}`, type: 'string' });
    }
  }
  return fields;
}
