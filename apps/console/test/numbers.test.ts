import type { Language } from '@dealkeep/contract';
import { readNumber } from '@dealkeep/core/foundations';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printMoney, printNumber, printPercent, typeNumber } from '../src/values/numbers.ts';

const languages: readonly Language[] = ['en', 'sk'];
const [noBreak, narrow] = ['\u00a0', '\u202f'];

const read = (language: Language, typed: string, currency = 'EUR') => {
  const found = readNumber(language, typed, { currency });
  return found && ('value' in found ? Number(found.value) : found.either.map(Number));
};

describe('a number is read by the language of the page', () => {
  test.each([
    ['12500', 12500],
    ['12,500', 12500],
    ['1,234', 1234],
    ['12,500.50', 12500.5],
    ['1,234,567.891', 1234567.891],
    ['12 500.50', 12500.5],
    ["12'500.50", 12500.5],
    ['1.234', 1.234],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['0,5', 0.5],
    ['12.500,50', 12500.5],
    ['1.234.567', 1234567],
    ['-12,500', -12500],
    ['€12,500.50', 12500.5],
    ['-€12,500.50', -12500.5],
    ['12,500.50 EUR', 12500.5],
    ['1,23', [1.23, 123]],
    ['1,2345', [1.2345, 12345]],
    ['-1,5', [-1.5, -15]],
    ['12,34,567', undefined],
    ['$100', undefined],
    ['1e5', undefined],
    ['twelve', undefined],
    ['', undefined],
    ['.', undefined],
  ])('in English: %s', (typed, value) => expect(read('en', typed)).toEqual(value));

  test.each([
    ['12500', 12500],
    ['12 500,50', 12500.5],
    [`12${noBreak}500,50`, 12500.5],
    [`12${narrow}500,50`, 12500.5],
    [`12${noBreak}500,50${noBreak}€`, 12500.5],
    ['12500,5', 12500.5],
    ['1,234', 1.234],
    ['12,500', 12.5],
    ['12.500,50', 12500.5],
    ['12,500.50', 12500.5],
    ['1.234.567', 1234567],
    ['12.50', 12.5],
    ['0.123', 0.123],
    ['1234.567', 1234.567],
    ['−12,5', -12.5],
    ['1.234', [1.234, 1234]],
    ['12.500', [12.5, 12500]],
    ['1,2,3', undefined],
    ['12 50', undefined],
    ['100 Kč', undefined],
  ])('in Slovak: %s', (typed, value) => expect(read('sk', typed)).toEqual(value));

  test('of percent, with its sign', () => {
    expect(readNumber('sk', `23,5${noBreak}%`, { percent: true })).toEqual({ value: '23.5' });
    expect(readNumber('en', '23%', { percent: true })).toEqual({ value: '23' });
    expect(readNumber('en', '23%')).toBeUndefined();
  });
});

describe('money has the decimals of its currency, and all of its own where it has more (rule bodies 21)', () => {
  test.each([
    ['EUR', 1200, '€1,200.00', '1200.00'],
    ['EUR', 1.234, '€1.234', '1.234'],
    ['JPY', 1200, 'JP¥1,200', '1200'],
    ['JPY', 33.33, 'JP¥33.33', '33.33'],
    ['KWD', 1.5, 'KWD 1.500', '1.500'],
    ['HUF', 5, 'HUF 5.00', '5.00'],
  ])('%s %d', (currency, value, shown, typed) => {
    expect(printMoney('en', value, currency).replaceAll(noBreak, ' ')).toBe(shown);
    expect(typeNumber('en', value, currency)).toBe(typed);
  });
});

describe('what the page prints it also reads', () => {
  const amount = fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })
    .filter((value) => value === 0 || Math.abs(value) > 1e-80);
  const cents = fc.integer({ min: -1e14, max: 1e14 }).map((each) => each / 100);
  const number = fc.oneof(
    amount,
    cents,
    fc.integer({ min: -1e12, max: 1e12 }),
    fc.constantFrom(0, 1e-7, 0.1),
  );
  const currency = fc.constantFrom('EUR', 'CZK', 'USD', 'GBP', 'JPY', 'HUF', 'PLN', 'XAF', 'AUD', 'KWD');
  /** What is printed has no zero below nothing. */
  const same = (a: number, b: unknown) => expect(b).toBe(a === 0 ? 0 : a);

  test.each(languages)('every number in every form, in %s', (language) => {
    fc.assert(
      fc.property(number, currency, (value, code) => {
        const texts = [
          readNumber(language, printNumber(language, value)),
          readNumber(language, typeNumber(language, value)),
          readNumber(language, typeNumber(language, value, code), { currency: code }),
          readNumber(language, printMoney(language, value, code), { currency: code }),
          readNumber(language, printPercent(language, value), { percent: true }),
        ];
        for (const found of texts) same(value, found && 'value' in found ? Number(found.value) : found);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(languages)('what is asked can be answered, in %s', (language) => {
    const digits = fc.stringMatching(/^[0-9]{1,6}([ .,'][0-9]{1,4}){0,3}$/);
    fc.assert(
      fc.property(digits, (typed) => {
        const found = readNumber(language, typed);
        if (!found || 'value' in found) return;
        expect(new Set(found.either).size).toBe(2);
        for (const value of found.either) {
          expect(readNumber(language, typeNumber(language, value))).toEqual({ value });
          expect(readNumber(language, printNumber(language, value))).toEqual({ value });
        }
      }),
      { numRuns: 2000 },
    );
  });
});
