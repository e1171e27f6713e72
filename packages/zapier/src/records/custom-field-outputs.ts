import { type Api, customFieldsOf, type OutputField, outputFields } from '@dealkeep/connectors';
import type { Bundle, PlainOutputField, ZObject } from 'zapier-platform-core';
import type * as z from 'zod';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { guarded } from '../guarded.ts';
import { apiFor } from '../requests/call-api.ts';

type OutputFieldFunction = (z: ZObject, bundle: Bundle) => Promise<PlainOutputField[]>;

/**
 * The custom fields of the organization behind a connection, as the editor asks for them whenever a step is opened:
 * one that was added or renamed meanwhile is there. Nothing for records that have none.
 */
export function customFieldOutputs(
  variant: AuthenticationVariant,
  schema: z.ZodObject,
): OutputFieldFunction[] {
  const dictionaries = outputFields(schema).filter(({ dict }) => dict);
  if (dictionaries.length === 0) return [];
  return [guarded((z: ZObject, bundle: Bundle) => fieldsBelow(dictionaries, apiFor(variant, z, bundle)))];
}

/**
 * Their values are texts, whatever the kind of field: numbers in decimal, dates as YYYY-MM-DD, `true` or `false`.
 */
async function fieldsBelow(dictionaries: readonly OutputField[], api: Api): Promise<PlainOutputField[]> {
  const customFields = await customFieldsOf(api);
  return dictionaries.flatMap(({ key, label }) =>
    customFields.map(
      ({ name }): PlainOutputField => ({
        key: `${key}__${name}`,
        label: `${label.replace(/s$/, '')}: ${name}`,
        type: 'string',
      }),
    ),
  );
}
