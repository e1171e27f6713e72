import { isApiRecord } from '@dealkeep/connectors';
import type { OutputField } from './definition.ts';

const isoMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
const isoDate = /^\d{4}-\d{2}-\d{2}$/;
/** What a person would take for a date or a time, in whatever form. */
const looksLikeMoment =
  /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}|^\d{1,2} [A-Z][a-z]{2} \d{4}/;

/** A date or time in another form than ISO 8601, or a time without its zone. */
export const isForeignMoment = (value: unknown): boolean =>
  typeof value === 'string' && looksLikeMoment.test(value) && !isoDate.test(value) && !isoMoment.test(value);

/** True when an output has the value that a field declares, or none although it need not. */
export function isKept(field: OutputField, output: unknown): boolean {
  const value = valueOfField(output, field.key);
  if (value === undefined) return field.required !== true;
  if (value === null) return true;
  if (field.dict) return isApiRecord(value);
  if (field.list) return Array.isArray(value) && value.every((item) => hasType(item, field.type));
  return hasType(value, field.type);
}

/** True when a field's place is in the output, or would be, were its list not empty. */
export const hasPlace = (field: OutputField, output: unknown): boolean =>
  valueOfField(output, field.key) !== undefined;

/** `company__name` is `name` inside `company`; `contacts[]email` the `email` of the first contact. */
function valueOfField(value: unknown, key: string): unknown {
  if (value === null) return null;
  const list = key.indexOf('[]');
  if (list > 0) {
    const items = valueOfField(value, key.slice(0, list));
    if (!Array.isArray(items)) return undefined;
    return items.length === 0 ? null : valueOfField(items[0], key.slice(list + 2));
  }
  if (!isApiRecord(value)) return undefined;
  const nested = key.indexOf('__');
  if (nested < 0) return value[key];
  const inner = value[key.slice(0, nested)];
  return inner === undefined ? undefined : valueOfField(inner, key.slice(nested + 2));
}

function hasType(value: unknown, type: string | undefined): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return typeof value === 'number';
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'datetime') return typeof value === 'string' && (isoMoment.test(value) || isoDate.test(value));
  return typeof value === 'string';
}

/** Every value of an output by the key that its output field has. */
export function leaves(value: unknown, key = ''): { key: string; value: unknown }[] {
  if (isApiRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, inner]) => leaves(inner, joined(key, name)));
  }
  if (Array.isArray(value) && isApiRecord(value[0])) return leaves(value[0], `${key}[]`);
  return key === '' ? [] : [{ key, value }];
}

const joined = (key: string, name: string): string =>
  key === '' || key.endsWith('[]') ? `${key}${name}` : `${key}__${name}`;
