import { type FieldFacts, type Language, type Text, text } from '@dealkeep/contract';
import type { ConsoleContext } from '../context.ts';
import { nameFormat } from './formats.ts';

/** Help of the contract that speaks to programs, in words for people. */
const help: Readonly<Record<string, Text>> = {
  delivery_address: text('Street, postal code and city.', 'Ulica, PSČ a mesto.'),
  filters: text(
    'Only events of records that fit every filter in which something is ticked, by one of the ticked values. Nothing ticked: all.',
    'Len udalosti záznamov, ktoré vyhovujú každému filtru, v ktorom je niečo zaškrtnuté, niektorou zo zaškrtnutých hodnôt. Nič nezaškrtnuté: všetky.',
  ),
  changed_fields: text(
    'Updates are sent only when one of the ticked fields has changed; other events always. Nothing ticked: all.',
    'Zmeny sa pošlú, len keď sa zmenilo niektoré zo zaškrtnutých polí; ostatné udalosti vždy. Nič nezaškrtnuté: všetky.',
  ),
  stock_on_hand: text('Counted at this moment.', 'Aktuálny počet.'),
  stock_available: text('Not reserved by orders.', 'Nerezervované objednávkami.'),
};

/** What a field is called: what names a record is called as the record is, without `UUID`. */
export const fieldLabel = (language: Language, { description, name }: FieldFacts): string =>
  (description?.label[language] ?? name).replace(/(?: –)? UUID$/, '');

/** What is said of a field. */
export const fieldHelp = (language: Language, { description, name }: FieldFacts): string | undefined =>
  description?.help && (Object.hasOwn(help, name) ? help[name] : description.help)?.[language];

export const isNumberField = ({ type, isArray }: FieldFacts): boolean =>
  !isArray && (type === 'number' || type === 'integer');

const namedKinds: Readonly<Record<string, 'region' | 'currency'>> = {
  country_code: 'region',
  currency: 'currency',
};

/** One of a field's values in the user's language; countries and currencies by their names. */
export function choiceLabel(c: ConsoleContext, { description, name }: FieldFacts, value: string): string {
  const language = c.get('language');
  const choice = description?.choices?.[value];
  if (choice) return choice[language];
  const type = namedKinds[name];
  return (type && nameFormat(language, { type }).of(value)) ?? value;
}

/** Each list of the contract is sorted once in each language: there are 249 countries. */
const sortedOnce = new WeakMap<readonly string[], Map<Language, readonly string[]>>();

/**
 * A field's values; countries and currencies by their names in the user's language, which sort otherwise than codes.
 */
export function inOrderOfNames(c: ConsoleContext, field: FieldFacts): readonly string[] {
  if (!Object.hasOwn(namedKinds, field.name)) return field.values;
  const language = c.get('language');
  const known = sortedOnce.get(field.values) ?? new Map<Language, readonly string[]>();
  const sorted = known.get(language) ?? sortedByName(c, field);
  sortedOnce.set(field.values, known.set(language, sorted));
  return sorted;
}

function sortedByName(c: ConsoleContext, field: FieldFacts): readonly string[] {
  const { compare } = new Intl.Collator(c.get('language'));
  const named = field.values.map((value) => ({ value, name: choiceLabel(c, field, value) }));
  return named.toSorted((a, b) => compare(a.name, b.name)).map(({ value }) => value);
}
