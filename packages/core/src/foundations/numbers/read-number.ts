import type { Language } from '@dealkeep/contract';

/** What a number is read as: its decimal text `12500.5`, or several of them where nobody can tell which is meant. */
export type ReadNumber =
  | { readonly value: string }
  | { readonly either: readonly [string, string] }
  /** It is no number. */
  | undefined;

interface Signs {
  /** Between the groups of three digits; spaces of any kind are one sign. */
  readonly groups: string;
  readonly decimal: ',' | '.';
}

const own: Readonly<Record<Language, Signs>> = {
  en: { groups: " ',", decimal: '.' },
  sk: { groups: ' ', decimal: ',' },
};
/** Every way of writing that people have, whatever the language of the page. */
const known: readonly Signs[] = [
  { groups: " ',", decimal: '.' },
  { groups: " '.", decimal: ',' },
];

/** Digits before and after the decimal sign, at most: so many are kept exactly. */
const mostDigits = 15;

/**
 * Reads what somebody typed as a number, by the language that it is written in: `12,500` is twelve thousand five
 * hundred on an English page and twelve and a half on a Slovak one. What the page prints is always read, with the
 * sign of its currency or of percent. What the language does not write is read where it can only mean one number
 * (`12.500,50`), and else left for the user to say (`1.234` on a Slovak page, `1,23` on an English one).
 */
export function readNumber(
  language: Language,
  typed: string,
  { currency, percent = false }: { currency?: string | undefined; percent?: boolean } = {},
): ReadNumber {
  const [minus, digits] = withoutSigns(typed, percent ? ['%'] : currency ? signsOf(currency) : []);
  const finished = (value: string): string => (minus && value !== '0' ? `-${value}` : value);
  const value = readAs(own[language], digits);
  if (value !== undefined) return { value: finished(value) };
  const found = new Set(known.flatMap((signs) => readAs(signs, digits) ?? []));
  // The language's own sign for thousands, at a place where none belongs: it may be the decimal sign, or a slip.
  if (language === 'en' && found.size > 0 && /^[1-9]\d*,\d+$/.test(digits))
    found.add(digits.replace(',', ''));
  const [first, second] = [...found].map(finished);
  if (first === undefined) return undefined;
  return second === undefined ? { value: first } : { either: [first, second] };
}

/** Whether it is below zero, and the rest without the currency or the percent, spaces made alike. */
function withoutSigns(typed: string, units: readonly string[]): [minus: boolean, digits: string] {
  let rest = typed
    .replaceAll(/[\s\u00a0\u2000-\u200b\u202f]+/g, ' ')
    .replaceAll(/[’ʼ]/g, "'")
    .trim();
  let minus = false;
  const takeMinus = (): void => {
    if (!minus && /^[-\u2212]/.test(rest)) [minus, rest] = [true, rest.slice(1).trimStart()];
  };
  takeMinus();
  const unit = units.find((each) => rest.toUpperCase().startsWith(each) || rest.toUpperCase().endsWith(each));
  if (unit !== undefined) {
    const first = rest.toUpperCase().startsWith(unit);
    rest = (first ? rest.slice(unit.length) : rest.slice(0, -unit.length)).trim();
    takeMinus();
  }
  return [minus, rest];
}

/** Of each currency, looked up once: a file has many amounts in one. */
const knownSigns = new Map<string, readonly string[]>();

function signsOf(currency: string): readonly string[] {
  const signs = knownSigns.get(currency) ?? findSigns(currency);
  knownSigns.set(currency, signs);
  return signs;
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', sk: 'sk-SK' };

/** How a currency is written: its code, and its signs in our languages. */
function findSigns(currency: string): readonly string[] {
  const signs = (['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
    (['en', 'sk'] as const).flatMap((language) =>
      new Intl.NumberFormat(locales[language], { style: 'currency', currency, currencyDisplay })
        .formatToParts(0)
        .flatMap(({ type, value }) => (type === 'currency' ? [value.toUpperCase()] : [])),
    ),
  );
  // The longest first: `US$` ends as `$` does.
  return [...new Set([currency, ...signs])].toSorted((a, b) => b.length - a.length);
}

/** The decimal text of digits that are written with these signs; undefined for any other. */
function readAs({ groups, decimal }: Signs, digits: string): string | undefined {
  const [whole = '', fraction, ...more] = digits.split(decimal);
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined;
  const plain = wholeDigits(groups, whole, fraction !== undefined);
  if (plain === undefined) return undefined;
  const kept = fraction?.replace(/0+$/, '') ?? '';
  const value = plain.replace(/^0+(?=\d)/, '');
  if (value.length > mostDigits) return undefined;
  return kept === '' ? value : `${value}.${kept}`;
}

/** `.5` needs nothing before its decimal sign; groups have three digits each, and one sign between them. */
function wholeDigits(groups: string, whole: string, hasFraction: boolean): string | undefined {
  if (/^\d+$/.test(whole)) return whole;
  if (whole === '') return hasFraction ? '0' : undefined;
  const sign = /\D/.exec(whole)?.[0] ?? '';
  if (!groups.includes(sign)) return undefined;
  const [first = '', ...others] = whole.split(sign);
  const grouped = /^[1-9]\d{0,2}$/.test(first) && others.every((each) => /^\d{3}$/.test(each));
  return grouped ? `${first}${others.join('')}` : undefined;
}
