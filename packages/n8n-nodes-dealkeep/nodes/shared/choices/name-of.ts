import { isRecord, valueAt } from '../record.ts';

/**
 * A record's name in a dropdown: the first of the fields that has a text, and, to tell namesakes apart, its e-mail
 * or company in brackets.
 */
export function nameOf(record: unknown, names: readonly string[]): string {
  const texts = names.map((path) => valueAt(record, path));
  const name = texts.find((text): text is string => typeof text === 'string' && text !== '');
  if (name === undefined) return `(no name) ${String(valueAt(record, 'id') ?? '')}`.trim();
  const apart = [valueAt(record, 'email'), valueAt(record, 'company.name')].find(
    (text) => typeof text === 'string' && text !== '' && text !== name,
  );
  return isRecord(record) && apart !== undefined ? `${name} (${String(apart)})` : name;
}
