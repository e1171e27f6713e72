import { type FieldProblem, type InvoiceItem, largestAmount } from '@dealkeep/contract';
import type { Refused } from '../verb/further-problems.ts';
import type { Scope } from '../verb/verb.ts';

/** A line as a body describes it. */
export interface NewLine {
  name: string;
  unit_price: number;
  quantity?: number | null | undefined;
  unit?: string | null | undefined;
  vat_rate?: number | null | undefined;
}

export interface LineTotals {
  items: InvoiceItem[];
  subtotal: number;
  vat_amount: number;
  total: number;
}

/**
 * Sums lines up in exact decimals: each line's total and each line's VAT are rounded to two of them, half away from
 * zero. Answers the failing fields as well, where a sum is beyond what an amount may be.
 */
export async function sumLines(
  { sql }: Pick<Scope, 'sql'>,
  lines: readonly NewLine[],
): Promise<LineTotals & { problems: FieldProblem[] }> {
  const items = lines.map(({ name, unit_price, quantity, unit, vat_rate }) => ({
    name,
    quantity: quantity ?? 1,
    unit: unit ?? null,
    unit_price,
    vat_rate: vat_rate ?? null,
  }));
  const factors = items.map(({ quantity, unit_price, vat_rate }, position) => ({
    position,
    quantity,
    unit_price,
    vat_rate,
  }));
  // Multiplied by 0.01, not divided by 100: numeric division rounds.
  const [sums] = await sql<(Omit<LineTotals, 'items'> & { totals: number[] })[]>`
    with line as (
      select position, vat_rate, round(quantity * unit_price, 2) as total
      from jsonb_to_recordset(${sql.json(factors)})
        as factor (position integer, quantity numeric, unit_price numeric, vat_rate numeric)),
    vat as (select sum(round(total * coalesce(vat_rate, 0) * 0.01, 2)) as vat_amount from line)
    select json_agg(total order by position) as totals, sum(total) as subtotal, vat_amount,
           sum(total) + vat_amount as total
    from line, vat group by vat_amount`;
  if (!sums) throw new Error('Unreachable: there is at least one line');
  const { totals, ...amounts } = sums;
  return {
    items: items.map((item, index) => ({ ...item, total: totals[index] ?? 0 })),
    ...amounts,
    problems: totalProblems(totals, amounts.total),
  };
}

/**
 * The same failing fields of lines of which some are refused for something else: what comes to too much, and all others
 * together.
 */
export async function furtherTotals(
  scope: Pick<Scope, 'sql'>,
  { part: { items = [] }, isRefused }: Refused<{ items: readonly NewLine[] }>,
): Promise<FieldProblem[]> {
  const factors = ['unit_price', 'quantity', 'vat_rate'] as const;
  const known = [...items.entries()].flatMap(([index, item]) => {
    const isUnclear = factors.some((name) => isRefused(`items[${index}].${name}`));
    if (!item || item.unit_price === undefined || isUnclear) return [];
    return [{ index, line: { ...item, name: '', unit_price: item.unit_price } }];
  });
  if (known.length === 0) return [];
  const { items: summed, problems } = await sumLines(
    scope,
    known.map(({ line }) => line),
  );
  const lines = known.filter((_, position) => (summed[position]?.total ?? 0) > largestAmount);
  if (lines.length === 0) return problems;
  const paths = lines.map(({ index }) => `items[${index}]`);
  const others = await furtherTotals(scope, {
    part: { items },
    isRefused: (path) => isRefused(path) || paths.some((line) => path.startsWith(`${line}.`)),
  });
  return [...paths.map((path) => ({ path, ...tooBig })), ...others];
}

const tooBig = { key: 'field.total_too_big', values: { max: largestAmount } } as const;

/** Sums are amounts like any other, and end where amounts end. */
function totalProblems(totals: readonly number[], total: number): FieldProblem[] {
  const lines = totals.flatMap((each, index) =>
    each > largestAmount ? [{ path: `items[${index}]`, ...tooBig }] : [],
  );
  if (lines.length > 0) return lines;
  return total > largestAmount ? [{ path: 'items', ...tooBig }] : [];
}
