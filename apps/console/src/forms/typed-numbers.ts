import type { FieldFacts, Language } from '@dealkeep/contract';
import { type ReadNumber, readNumber } from '@dealkeep/core/foundations';
import { isNumberField } from '../values/field-words.ts';
import { isDecimal, printMoney, printNumber, printPercent, typeNumber } from '../values/numbers.ts';
import { formSay } from './texts.ts';
import { fieldPaths, firstOf, type Reading, type Typed } from './typed.ts';

/** A number that a body holds as text, as custom fields do. */
export interface TextNumberField extends FieldFacts {
  readonly heldAsText: true;
}

/** What stands in a number field, read by the language of its page. */
export function numberIn(
  { description }: FieldFacts,
  text: string,
  { language, currency }: Pick<Reading, 'language' | 'currency'>,
): ReadNumber {
  if (description?.unit === 'money') return readNumber(language, text, { currency });
  return readNumber(language, text, { percent: description?.unit === 'percent' });
}

/** The field that a form says its currency in. */
export const currencyIn = (typed: Typed, { currency }: Pick<Reading, 'currency'>): string => {
  const named = firstOf(typed, 'currency').trim().toUpperCase();
  return /^[A-Z]{3}$/.test(named) ? named : currency;
};

/** One of the numbers that a text can mean: as it is shown to choose, and as it is typed. */
export interface Meaning {
  readonly shown: string;
  readonly typed: string;
}

export interface ReadNumbers {
  /** Every number as it is typed in the language of the page that comes next. */
  readonly typed: Typed;
  /** What can mean two numbers, by the field's path. */
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>;
  /** The question, for each of these. */
  readonly problems: ReadonlyMap<string, string>;
}

/** The hidden field that says in which language a form was shown: its numbers were typed in it. */
export const languageField = 'form_language';

/** Reads the numbers of a form by the language that it was shown in, which somebody may have changed since. */
export function readNumbers(reading: Reading, fields: readonly FieldFacts[], given: Typed): ReadNumbers {
  const { language } = reading;
  const text = formSay(language);
  const from = languages.find((each) => each === firstOf(given, languageField)) ?? language;
  const currency = currencyIn(given, reading);
  const typed = new Map(given);
  const meanings = new Map<string, readonly Meaning[]>();
  const problems = new Map<string, string>();
  for (const { path, field } of fieldPaths(fields, given)) {
    const written = firstOf(given, path).trim();
    if (!field || !isNumberField(field) || written === '') continue;
    const read = numberIn(field, written, { language: from, currency });
    if (read && 'value' in read && from !== language) typed.set(path, [typeNumber(language, read.value)]);
    if (!read || !('either' in read)) continue;
    const possible = read.either.map((value) => meaningOf(field, value, { language, currency }));
    const [one, other] = possible.map(({ shown }) => shown);
    meanings.set(path, possible);
    problems.set(path, text('whichNumber', { typed: written, one: one ?? '', other: other ?? '' }));
  }
  return { typed, meanings, problems };
}

function meaningOf(
  { description }: FieldFacts,
  value: string,
  { language, currency }: Pick<Reading, 'language' | 'currency'>,
): Meaning {
  const { unit } = description ?? {};
  const print = { money: printMoney, percent: printPercent };
  const shown = unit ? print[unit](language, value, currency) : printNumber(language, value);
  return { shown, typed: typeNumber(language, value) };
}

const languages: readonly Language[] = ['en', 'sk'];

/** What a number field shows of a record's value. */
export function typedNumber(
  { description }: FieldFacts,
  value: unknown,
  { language, currency }: Pick<Reading, 'language' | 'currency'>,
): string {
  const text = String(value);
  if (!isDecimal(text)) return text;
  return typeNumber(language, text, description?.unit === 'money' ? currency : undefined);
}
