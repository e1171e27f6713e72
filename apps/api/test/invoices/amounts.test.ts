import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const { api } = await openBusiness(dealkeep);

type Line = readonly [quantity: number, unitPrice: number, vatRate?: number | null];
const bodyOf = (lines: readonly Line[]) => ({
  items: lines.map(([quantity, unit_price, vat_rate]) => ({ name: 'x', quantity, unit_price, vat_rate })),
});

describe('totals are exact (rule bodies 21)', () => {
  test.each([
    ['one line', [[1, 450, 23]], [450], [450, 103.5, 553.5]],
    ['binary fractions', [[3, 0.1, 0]], [0.3], [0.3, 0, 0.3]],
    ['half a cent goes up', [[1, 1.005]], [1.01], [1.01, 0, 1.01]],
    ['so does half a cent made by multiplying', [[1.5, 0.05]], [0.08], [0.08, 0, 0.08]],
    ['just below half a cent goes down', [[1, 1.00499999]], [1], [1, 0, 1]],
    ['VAT of half a cent goes up', [[1, 0.5, 5]], [0.5], [0.5, 0.03, 0.53]],
    [
      'VAT is rounded once for a rate',
      [
        [1, 0.1, 5],
        [1, 0.1, 5],
        [1, 0.1, 5],
      ],
      [0.1, 0.1, 0.1],
      [0.3, 0.02, 0.32],
    ],
    [
      'each rate is rounded by itself',
      [
        [1, 0.1, 5],
        [1, 0.1, 5.5],
        [1, 0.1, 5],
      ],
      [0.1, 0.1, 0.1],
      [0.3, 0.02, 0.32],
    ],
    ['VAT is of the rounded line', [[1, 0.104, 50]], [0.1], [0.1, 0.05, 0.15]],
    ['a fraction of a percent', [[1, 1000, 12.345]], [1000], [1000, 123.45, 1123.45]],
    [
      'no rate counts as 0',
      [
        [1, 100, null],
        [1, 100, 20],
      ],
      [100, 100],
      [200, 20, 220],
    ],
    ['nothing costs nothing', [[1, 0, 23]], [0], [0, 0, 0]],
    [
      'tiny numbers',
      [
        [1e-7, 1e-7, 100],
        [5e-324, 1],
      ],
      [0, 0],
      [0, 0, 0],
    ],
    [
      'one cent of the largest',
      [[1, 999_999_999_999.99]],
      [999_999_999_999.99],
      [999_999_999_999.99, 0, 999_999_999_999.99],
    ],
    ['the largest', [[1e12, 1]], [1e12], [1e12, 0, 1e12]],
  ] satisfies [string, Line[], number[], [number, number, number]][])('%s', async (_, lines, each, sums) => {
    const { data } = await api.post('/invoices', bodyOf(lines));
    expect(data.items.map(({ total }) => total)).toEqual(each);
    expect([data.subtotal, data.vat_amount, data.total]).toEqual(sums);
    expect(data.remaining_amount).toBe(data.total);
    expect((await api.get(`/invoices/${data.id}`)).data).toEqual(data);
  });

  test('with quantities and prices shown as sent', async () => {
    const lines: Line[] = [
      [0.333, 1.23456, 0.5],
      [1e-7, 12, 100],
    ];
    const { data } = await api.post('/invoices', bodyOf(lines));
    expect(data.items.map(({ quantity, unit_price, vat_rate }) => [quantity, unit_price, vat_rate])).toEqual(
      lines,
    );
  });

  test('a hundred lines of two cents have the VAT of two euros (rule invoices 7)', async () => {
    const { data } = await api.post('/invoices', bodyOf(Array<Line>(100).fill([1, 0.02, 23])));
    expect([data.subtotal, data.vat_amount, data.total]).toEqual([2, 0.46, 2.46]);
  });

  test.each([
    ['JPY', [1, 33.33, 10], 33, [33, 3, 36]],
    ['HUF', [3, 33.335, 27], 100.01, [100.01, 27, 127.01]],
    ['KWD', [1, 1.234, 5], 1.234, [1.234, 0.062, 1.296]],
    ['CLF', [1, 1.23456, 19], 1.2346, [1.2346, 0.2346, 1.4692]],
  ] satisfies [string, Line, number, number[]][])(
    '%s has its own decimals (rule bodies 21)',
    async (currency, line, each, sums) => {
      const { data } = await api.post('/invoices', { ...bodyOf([line]), currency });
      expect(data.items.map(({ total, unit_price }) => [total, unit_price])).toEqual([[each, line[1]]]);
      expect([data.subtotal, data.vat_amount, data.total]).toEqual(sums);
      expect((await api.get(`/invoices/${data.id}`)).data).toEqual(data);
    },
  );

  test('any lines agree with exact integers (rule invoices 7)', async () => {
    const half = (value: bigint, unit: bigint) => (value * 2n + unit) / (unit * 2n);
    const sum = (values: bigint[]) => values.reduce((all, each) => all + each, 0n);
    const cents = (value: number) => BigInt(Math.round(value * 100));
    const line = fc.tuple(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.oneof(fc.constantFrom(0, 500, 1900, 2300), fc.integer({ min: 0, max: 10_000 })),
    );
    const anyLines = fc.array(line, { minLength: 1, maxLength: 100, size: 'max' });
    await fc.assert(
      fc.asyncProperty(anyLines, async (drawn) => {
        const lines = drawn.map(([q, p, v]): Line => [q / 1000, p / 10_000, v / 100]);
        const totals = drawn.map(([q, p]) => half(BigInt(q) * BigInt(p), 100_000n));
        const nets = new Map<number, bigint>();
        for (const [index, [, , v]] of drawn.entries())
          nets.set(v, (nets.get(v) ?? 0n) + (totals[index] ?? 0n));
        const vat = [...nets].map(([v, net]) => half(net * BigInt(v), 10_000n));
        const { data } = await api.post('/invoices', bodyOf(lines));
        expect(data.items.map(({ total }) => cents(total))).toEqual(totals);
        expect([data.subtotal, data.vat_amount, data.total].map(cents)).toEqual([
          sum(totals),
          sum(vat),
          sum(totals) + sum(vat),
        ]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('totals beyond 10^12 are refused (rule bodies 23)', () => {
  test.each([
    [
      'a line',
      [
        [1, 1],
        [2, 1e12],
      ],
      ['items[1]'],
    ],
    ['the largest line', [[1e12, 1e12]], ['items[0]']],
    [
      'two lines',
      [
        [1.1, 1e12],
        [1, 1],
        [2, 1e12],
      ],
      ['items[0]', 'items[2]'],
    ],
    ['a cent of a line', [[2, 500_000_000_000.005]], ['items[0]']],
    [
      'the subtotal',
      [
        [1, 1e12],
        [1, 0.01],
      ],
      ['items'],
    ],
    ['the total with VAT', [[1, 1e12, 1]], ['items']],
  ] satisfies [string, Line[], string[]][])('%s', async (_, lines, paths) => {
    const refused = await api.post('/invoices', bodyOf(lines));
    expect(refused.fields).toEqual(Object.fromEntries(paths.map((path) => [path, 'total_too_big'])));
  });
});
