import { type FieldProblem, largestAmount } from '@dealkeep/contract';
import { invalidFields } from '../problem.ts';
import type { Scope } from '../verb/verb.ts';
import type { ChosenItem, Placed } from './choose-items.ts';

export interface OrderTotals {
  /** Net, in the order of the items. */
  line_totals: number[];
  subtotal: number;
  discount_total: number;
  shipping_cost: number;
  vat_total: number;
  grand_total: number;
}

/**
 * The amounts of an order in exact decimals, each line rounded to two of them, half away from zero; VAT is rounded
 * line by line as well, shipping carries none. Raises VALIDATION_ERROR for amounts beyond what an amount may be.
 */
export async function priceOrder(
  scope: Pick<Scope, 'sql'>,
  items: readonly ChosenItem[],
  around: AroundItems,
): Promise<OrderTotals> {
  const totals = await sumOrder(scope, items, around);
  const problems = totalProblems(totals);
  if (problems.length > 0) throw invalidFields(problems);
  return totals;
}

/**
 * The same failing fields of an order that is refused for something else, as far as its amounts are known: lines that come
 * to too much, and all others together.
 */
export async function furtherTotals(
  scope: Pick<Scope, 'sql'>,
  items: readonly Placed<ChosenItem>[],
  around: AroundItems,
): Promise<FieldProblem[]> {
  if (items.length === 0) return [];
  const values = items.map(({ value }) => value);
  const problems = totalProblems(await sumOrder(scope, values, around), (at) => items[at]?.index ?? at);
  const tooBig = new Set(problems.map(({ path }) => path));
  const others = items.filter(({ index }) => !tooBig.has(`items[${index}]`));
  if (others.length === items.length) return problems;
  return [...problems, ...(await furtherTotals(scope, others, around))];
}

export interface AroundItems {
  readonly discountTotal: number;
  readonly shippingCost: number;
}

async function sumOrder(
  { sql }: Pick<Scope, 'sql'>,
  items: readonly ChosenItem[],
  { discountTotal, shippingCost }: AroundItems,
): Promise<OrderTotals> {
  const lines = items.map(({ quantity, unit_price, vat_rate, discount_pct }, position) => ({
    position,
    quantity,
    unit_price,
    vat_rate,
    discount_pct,
  }));
  // Multiplied by 0.01, not divided by 100: numeric division rounds.
  const [totals] = await sql<OrderTotals[]>`
    with net as (
      select position, vat_rate,
             round(quantity * unit_price * (100 - coalesce(discount_pct, 0)) * 0.01, 2) as line_total
      from jsonb_to_recordset(${sql.json(lines)})
        as line (position integer, quantity numeric, unit_price numeric, vat_rate numeric, discount_pct numeric)),
    sums as (
      select json_agg(line_total order by position) as line_totals, sum(line_total) as subtotal,
             round(${discountTotal}::numeric, 2) as discount_total,
             round(${shippingCost}::numeric, 2) as shipping_cost,
             sum(round(line_total * vat_rate * 0.01, 2)) as vat_total
      from net)
    select sums.*, subtotal - discount_total + shipping_cost + vat_total as grand_total from sums`;
  if (!totals) throw new Error('Unreachable: sums are one row');
  return totals;
}

/** Sums are amounts like any other, and end where amounts end. */
function totalProblems(
  { line_totals, subtotal, vat_total, grand_total }: OrderTotals,
  placeOf: (position: number) => number = (position) => position,
): FieldProblem[] {
  const values = { max: largestAmount };
  const lines = line_totals.flatMap((total, index): FieldProblem[] =>
    total > largestAmount ? [{ path: `items[${placeOf(index)}]`, key: 'field.total_too_big', values }] : [],
  );
  if (lines.length > 0) return lines;
  const largest = Math.max(subtotal, vat_total, Math.abs(grand_total));
  return largest > largestAmount ? [{ path: 'items', key: 'field.total_too_big', values }] : [];
}
