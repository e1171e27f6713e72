import { namesOf, type Reference, references } from '@dealkeep/contract';
import { valueAt } from '../arguments/candidates.ts';

/** What people call a record of a resource; undefined where it has no name. */
export function nameOf(resource: string, record: unknown): string | undefined {
  const reference = Object.entries<Reference>(references).find(([name]) => name === resource)?.[1];
  const names = reference ? namesOf(reference) : ['name', 'title', 'number'];
  return names.map((path) => valueAt(record, path)).find(isText);
}

/** By what its tools name a record. */
export function idOf(record: unknown): string | undefined {
  const { id, uuid } = Object(record);
  return [id, uuid].find(isText);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * `field: value`, a line for each that is filled in; further lines of a text are set off, so that none passes as a
 * field.
 */
export const fieldLines = (fields: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    const text = valueText(value);
    return text === '' ? [] : [`${name}: ${text.replaceAll('\n', '\n  ')}`];
  });

/** A value within a line: names before IDs, nothing empty. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const texts = value.map(valueText).filter((each) => each !== '');
    return texts.join(value.some((each) => typeof each === 'object') ? '; ' : ', ');
  }
  if (typeof value !== 'object') return String(value);
  const id = idOf(value);
  const { name } = Object(value);
  const { id: _, uuid: __, name: ___, ...rest } = Object(value);
  const named = isText(name) ? [id === undefined ? name : `${name} (${id})`] : id === undefined ? [] : [id];
  const others = Object.entries(rest).flatMap(([key, each]) => {
    const text = valueText(each);
    return text === '' ? [] : [`${key} ${text}`];
  });
  return [...named, ...others].join(', ');
}
