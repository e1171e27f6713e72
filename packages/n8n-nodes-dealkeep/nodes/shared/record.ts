import type { IDataObject } from 'n8n-workflow';

/** A JSON object as it comes from the API or from n8n. */
export type JsonRecord = IDataObject;

/** Fields on their way to the API. */
export type ApiFields = { readonly [name: string]: unknown };

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a dotted path (`company.name`); undefined when something on the way is missing. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
}

/** The value of an object's own field: a record may have one called `constructor`, and every object inherits one. */
export const ownValue = <Value>(object: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
