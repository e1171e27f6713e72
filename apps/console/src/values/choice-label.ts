import type { FieldFacts } from '@dealkeep/contract';
import type { ConsoleContext } from '../context.ts';
import { nameFormat } from './formats.ts';

const namedKinds: Readonly<Record<string, 'region' | 'currency'>> = {
  country_code: 'region',
  currency: 'currency',
};

/** One of a field's values in the person's language; countries and currencies by their names. */
export function choiceLabel(c: ConsoleContext, { description, name }: FieldFacts, value: string): string {
  const language = c.get('language');
  const choice = description?.choices?.[value];
  if (choice) return choice[language];
  const type = namedKinds[name];
  return (type && nameFormat(language, { type }).of(value)) ?? value;
}

/** A field's values; countries and currencies by their names in the person's language, which sort otherwise than codes. */
export function inOrderOfNames(c: ConsoleContext, field: FieldFacts): readonly string[] {
  if (!Object.hasOwn(namedKinds, field.name)) return field.values;
  const { compare } = new Intl.Collator(c.get('language'));
  return field.values.toSorted((a, b) => compare(choiceLabel(c, field, a), choiceLabel(c, field, b)));
}
