import { isObject } from '@dealkeep/client/transport';
import type { IDataObject } from 'n8n-workflow';

export { valueAt } from '@dealkeep/client/transport';

/** A JSON object as it comes from the API or from n8n. */
export type JsonRecord = IDataObject;

/** Fields on their way to the API. */
export type ApiFields = { readonly [name: string]: unknown };

export const isRecord = (value: unknown): value is JsonRecord => isObject(value);

/** The value of an object's own field: a record may have one called `constructor`, and every object inherits one. */
export const ownValue = <Value>(object: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
