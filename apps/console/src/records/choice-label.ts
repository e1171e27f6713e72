import type { FieldFacts } from '@dealkeep/contract';
import type { ConsoleContext } from '../context.ts';

/** One of a field's values in the person's language; countries by their names. */
export function choiceLabel(c: ConsoleContext, { description, name }: FieldFacts, value: string): string {
  const language = c.get('language');
  const choice = description?.choices?.[value];
  if (choice) return choice[language];
  if (name !== 'country_code') return value;
  return new Intl.DisplayNames(language, { type: 'region' }).of(value) ?? value;
}
