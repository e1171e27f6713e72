import { testDatabase } from '@dealkeep/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '../../src/foundations/numbers/decimal.ts';

const amount = fc.oneof(
  fc.double({ min: 0, max: 1e12, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.integer({ min: 0, max: 1_000_000_000 }).map((each) => each / 1000),
);
const rate = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: 0, max: 100, noNaN: true }));

test('sums are what PostgreSQL computes of the same numbers', async () => {
  const { sql } = await testDatabase();
  await fc.assert(
    fc.asyncProperty(amount, amount, rate, rate, async (quantity, price, discount, vat) => {
      const total = Decimal.of(quantity)
        .times(Decimal.of(price))
        .percent(Decimal.of(100).minus(Decimal.of(discount)))
        .rounded(2);
      const taxed = total.percent(Decimal.of(vat)).rounded(2);
      const ours = [total, taxed, Decimal.sum([total, taxed]), taxed.minus(total)].map((each) =>
        each.toNumber(),
      );
      const [row] = await sql<{ theirs: number[] }[]>`
        select json_build_array(total, taxed, total + taxed, taxed - total) as theirs from (
          select total, round(total * v * 0.01, 2) as taxed from (
            select v, round(q * p * (100 - d) * 0.01, 2) as total
            from jsonb_to_record(${sql.json({ q: quantity, p: price, d: discount, v: vat })})
              as factors (q numeric, p numeric, d numeric, v numeric)
          ) totals) taxes`;
      expect(ours).toEqual(row?.theirs);
    }),
    {
      numRuns: 300,
      examples: [
        [1, 0.125, 0, 4],
        [3, 5e-324, 100, 0],
        [1e12, 1e12, 0, 100],
        [1, 1.005, 0, 0],
      ],
    },
  );
});

test.each([
  [-0.005, -0.01],
  [-0.0049, 0],
  [0.005, 0.01],
  [1e21, 1e21],
  [1.5e-7, 0],
])('%d is rounded half away from zero', (value, rounded) => {
  expect(Decimal.of(value).rounded(2).toNumber()).toBeCloseTo(rounded, 10);
});
