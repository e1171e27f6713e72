import { isRecord, valueAt } from '../record.ts';
import type { Choices } from '../tables.ts';

type Named = Pick<Choices, 'names' | 'apart'>;

/** A record's name in a dropdown: the first of the fields that has a text, and what tells it apart in brackets. */
export function nameOf(record: unknown, { names, apart: distinctions = [] }: Named): string {
  const texts = names.map((path) => valueAt(record, path));
  const name = texts.find((text): text is string => typeof text === 'string' && text !== '');
  if (name === undefined)
    return `(no name) ${String(valueAt(record, 'id') ?? valueAt(record, 'uuid') ?? '')}`.trim();
  const apart = distinctions
    .map((path) => valueAt(record, path))
    .find((text): text is string => typeof text === 'string' && text !== '' && text !== name);
  if (!isRecord(record) || apart === undefined) return name;
  return `${name} (${apart.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*Z$/, '$1 $2 UTC')})`;
}
