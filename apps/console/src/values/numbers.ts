import { type Language, minorUnitsOf } from '@dealkeep/contract';
import { numberFormat } from './formats.ts';

/** Whether a text is a number as JSON writes it. */
export const isDecimal = (value: string): value is `${number}` =>
  /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(value);

/** A number as `Intl` takes it: what is text stays text, because a number of JavaScript could lose digits. */
function exact(value: number | string): number | `${number}` {
  if (typeof value === 'number' || isDecimal(value)) return value;
  throw new Error(`${value} is no number`);
}

/** The most that `Intl` has (ECMA-402). */
const allDecimals = 100;

/** A number as people read it in a language, with all of its decimals. */
export const printNumber = (language: Language, value: number | string): string =>
  numberFormat(language, { maximumFractionDigits: allDecimals }).format(exact(value));

/** A percentage as people read it in a language. */
export const printPercent = (language: Language, value: number | string): string =>
  numberFormat(language, { style: 'unit', unit: 'percent', maximumFractionDigits: allDecimals }).format(
    exact(value),
  );

/** An amount of money with its currency, and at least as many decimals as that has. */
export const printMoney = (language: Language, value: number | string, currency: string): string =>
  numberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: minorUnitsOf(currency),
    maximumFractionDigits: allDecimals,
  }).format(exact(value));

/**
 * A number as somebody would type it: without signs between thousands; an amount with the decimals of its currency.
 */
export const typeNumber = (language: Language, value: number | string, currency?: string): string =>
  numberFormat(language, {
    useGrouping: false,
    minimumFractionDigits: currency === undefined ? 0 : minorUnitsOf(currency),
    maximumFractionDigits: allDecimals,
  }).format(exact(value));
