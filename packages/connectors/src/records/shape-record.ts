import { bareSchema, jsonPartsOf } from '@dealkeep/contract';
import * as z from 'zod';
import { type ApiRecord, isApiRecord } from './api-record.ts';

/**
 * Gives a record exactly the keys that the contract promises: an absent related record keeps its keys with null in
 * each, fields that this version does not know are left out. Live deliveries, listed records and samples all pass
 * through here, so a field that was mapped in the editor is there in every run. Keys that only some answers carry
 * (`deduplicated`) are kept for the answers of actions, where `withOptional` is set.
 */
export function shapeRecord(schema: z.ZodObject, value: unknown, withOptional = false): ApiRecord {
  const shaped = shapeObject(schema, value, withOptional);
  return hasUuidForId(schema) ? { id: shaped['uuid'], ...shaped } : shaped;
}

/** Orders and products: Zapier tells records apart by `id`, so theirs is their uuid. */
export const hasUuidForId = (schema: z.ZodObject): boolean =>
  'uuid' in schema.shape && !('id' in schema.shape);

function shapeObject(schema: z.ZodObject, value: unknown, withOptional: boolean): ApiRecord {
  const record = isApiRecord(value) ? value : {};
  return Object.fromEntries(
    Object.entries(schema.shape)
      .filter(([, field]) => withOptional || !bareSchema(field).optional)
      .map(([key, field]) => [key, shapeValue(field, record[key], withOptional)]),
  );
}

function shapeValue(schema: z.core.$ZodType, value: unknown, withOptional: boolean): unknown {
  const { bare, optional } = bareSchema(schema);
  const parts = jsonPartsOf(schema);
  if (parts) return shapeObject(parts, partsIn(value), withOptional);
  if (bare instanceof z.ZodObject) return shapeObject(bare, value, withOptional);
  if (bare instanceof z.ZodRecord) return isApiRecord(value) ? value : {};
  if (bare instanceof z.ZodArray) {
    if (!Array.isArray(value)) return [];
    return value.map((item) => shapeValue(bare.element, item, withOptional));
  }
  if (optional && bare instanceof z.ZodBoolean) return value === true;
  return value ?? null;
}

/** What a text of JSON holds, such as the parts of an address; nothing when it holds none. */
function partsIn(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
