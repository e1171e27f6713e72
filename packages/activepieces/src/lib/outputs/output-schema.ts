import type { OutputSchema } from '@activepieces/pieces-framework';
import { hasUuidForId } from '@dealkeep/connectors';
import { bareSchema, descriptionOf, jsonPartsOf } from '@dealkeep/contract';
import * as z from 'zod';

type Field = OutputSchema['fields'][number];

/** The labels and formats of a record's fields, as the data selector shows them. */
export function outputFieldsOf(schema: z.ZodObject): Field[] {
  const fields = Object.entries(schema.shape).map(([key, field]) => fieldOf(key, field));
  return hasUuidForId(schema) ? [{ key: 'id', label: 'ID' }, ...fields] : fields;
}

function fieldOf(key: string, schema: z.core.$ZodType): Field {
  const bare = jsonPartsOf(schema) ?? bareSchema(schema).bare;
  const named = { key, label: descriptionOf(schema)?.label.en ?? key };
  if (bare instanceof z.ZodObject) return { ...named, children: outputFieldsOf(bare) };
  if (bare instanceof z.ZodRecord) return { ...named, dynamicKey: true };
  if (bare instanceof z.ZodArray) {
    const element = bareSchema(bare.element).bare;
    return element instanceof z.ZodObject ? { ...named, listItems: outputFieldsOf(element) } : named;
  }
  const format = formatOf(bare, descriptionOf(schema)?.format);
  return format === undefined ? named : { ...named, format };
}

function formatOf(schema: z.core.$ZodType, format: 'email' | 'uri' | undefined): Field['format'] {
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodISODate) return 'date';
  if (schema instanceof z.ZodISODateTime) return 'datetime';
  return format === 'uri' ? 'url' : format;
}
