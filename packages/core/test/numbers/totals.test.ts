import { currencyCodes, minorUnitsOf } from '@dealkeep/contract';
import { sumLines, sumOrder } from '@dealkeep/core/foundations';
import { vatByRate } from '@dealkeep/core/records';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/foundations/numbers/decimal.ts';
import { amountIn } from '../../src/foundations/numbers/totals.ts';

const currency = fc.oneof(
  fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF', 'HUF'),
  fc.constantFrom(...currencyCodes),
);
const price = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }).map((each) => each / 10_000),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
);
const quantity = fc.integer({ min: 1, max: 100_000 }).map((each) => each / 1000);
const rate = fc.oneof(
  fc.constantFrom(0, 5, 19, 23),
  fc.integer({ min: 0, max: 10_000 }).map((each) => each / 100),
);
const line = fc.record({ name: fc.constant('x'), quantity, unit_price: price, vat_rate: fc.option(rate) });
const lines = fc.array(line, { minLength: 1, maxLength: 40 });

const sumOf = (amounts: readonly number[]): number => Decimal.sum(amounts.map(Decimal.of)).toNumber();

/** The amounts that have more decimals than the currency. */
const tooFine = (code: string, amounts: readonly number[]): number[] =>
  amounts.filter((amount) => amountIn(code, amount) !== amount);

describe('any lines in any currency', () => {
  test('add up: lines to the subtotal, VAT by rate to the VAT, both to the total (rule invoices 7)', () => {
    fc.assert(
      fc.property(lines, currency, (drawn, code) => {
        const { totals, subtotal, vat_amount, total } = sumLines(drawn, code);
        expect(tooFine(code, [...totals, subtotal, vat_amount, total])).toEqual([]);
        expect(subtotal).toBe(sumOf(totals));
        expect(total).toBe(sumOf([subtotal, vat_amount]));
        const rates = Map.groupBy(drawn.keys(), (index) => drawn[index]?.vat_rate ?? 0);
        const taxes = [...rates].map(([percent, indexes]) => {
          const net = sumOf(indexes.map((index) => totals[index] ?? 0));
          return amountIn(code, Decimal.of(net).percent(Decimal.of(percent)).toNumber());
        });
        expect(vat_amount).toBe(sumOf(taxes));
      }),
    );
  });

  test('have a summary of VAT that comes to the VAT of the document (rule invoices 13)', () => {
    fc.assert(
      fc.property(lines, currency, (drawn, code) => {
        const { totals, subtotal, vat_amount } = sumLines(drawn, code);
        const items = drawn.map(({ vat_rate }, index) => ({ vat_rate, total: totals[index] ?? 0 }));
        const summary = vatByRate({ items, currency: code, vat: vat_amount });
        expect(sumOf(summary.map(({ vat }) => vat))).toBe(vat_amount);
        expect(sumOf(summary.map(({ base }) => base))).toBe(subtotal);
        const rates = summary.map((each) => each.rate);
        expect(rates).toEqual([...new Set(rates)].toSorted((one, other) => one - other));
      }),
    );
  });

  test('of an older document, whose VAT was rounded line by line to two decimals, too (rule invoices 13)', () => {
    fc.assert(
      fc.property(lines, currency, (drawn, code) => {
        const items = drawn.map(({ quantity: pieces, unit_price, vat_rate }) => ({
          vat_rate,
          total: Decimal.of(pieces).times(Decimal.of(unit_price)).rounded(2).toNumber(),
        }));
        const vat = sumOf(
          items.map(({ total, vat_rate }) =>
            Decimal.of(total)
              .percent(Decimal.of(vat_rate ?? 0))
              .rounded(2)
              .toNumber(),
          ),
        );
        const summary = vatByRate({ items, currency: code, vat });
        expect(sumOf(summary.map((each) => each.vat))).toBe(vat);
      }),
    );
  });

  test('of an order add up likewise (rules orders 10 and 11)', () => {
    const item = fc.record({ quantity, unit_price: price, vat_rate: rate, discount_pct: fc.option(rate) });
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 40 }),
        price,
        price,
        currency,
        (items, less, shipping, code) => {
          const order = sumOrder(items, { discountTotal: less, shippingCost: shipping, currency: code });
          const { line_totals, subtotal, discount_total, shipping_cost, vat_total, grand_total } = order;
          const amounts = [subtotal, discount_total, shipping_cost, vat_total, grand_total];
          expect(tooFine(code, [...line_totals, ...amounts].map(Math.abs))).toEqual([]);
          expect(grand_total).toBe(sumOf([subtotal, -discount_total, shipping_cost, vat_total]));
          const net = items.map(({ vat_rate }, index) => ({ vat_rate, total: line_totals[index] ?? 0 }));
          const summary = vatByRate({ items: net, currency: code, vat: vat_total });
          expect(sumOf(summary.map(({ vat }) => vat))).toBe(vat_total);
        },
      ),
    );
  });
});

test('minor units are those of ISO 4217, not of what is common (rule bodies 21)', () => {
  const byUnits = Map.groupBy(currencyCodes, minorUnitsOf);
  const codes = (units: number): string => (byUnits.get(units) ?? []).join(' ');
  expect(codes(0)).toBe('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF');
  expect(codes(3)).toBe('BHD IQD JOD KWD LYD OMR TND');
  expect(codes(4)).toBe('CLF UYW');
  expect([...byUnits.keys()].toSorted()).toEqual([0, 2, 3, 4]);
  expect(['HUF', 'LBP', 'XAU', 'EEK'].map(minorUnitsOf)).toEqual([2, 2, 2, 2]);
});

test.each([
  ['JPY', 0.5, 1],
  ['JPY', 33.49, 33],
  ['EUR', 1.005, 1.01],
  ['KWD', 1.2345, 1.235],
  ['EUR', 5e-324, 0],
])('in %s, %d is %d', (code, amount, rounded) => expect(amountIn(code, amount)).toBe(rounded));

test('an amount that a record has stays as it is (rule bodies 21)', () => {
  expect(amountIn('JPY', 33.33, 33.33)).toBe(33.33);
  expect(amountIn('JPY', 33.33, 33.34)).toBe(33);
  expect([amountIn('JPY', null), amountIn('JPY', undefined, 3)]).toEqual([null, undefined]);
});
