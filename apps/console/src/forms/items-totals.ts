import { type FieldFacts, largestAmount } from '@dealkeep/contract';
import { sumLines, sumOrder } from '@dealkeep/core/foundations';
import { bodyOf } from './body.ts';
import type { FormState } from './labelled-control.ts';
import type { Reading } from './typed.ts';
import { currencyIn } from './typed-numbers.ts';

/** Whether the rows of a field are lines that are summed up, as those of an invoice. */
export const isCounted = ({ isArray, fields }: FieldFacts): boolean =>
  isArray && ['quantity', 'unit_price'].every((name) => fields.some((each) => each.name === name));

/** What the lines of a form come to, as far as they can be counted. */
export interface Totals {
  /** By the number of its row; absent where a price or a number is missing or wrong. */
  readonly lines: ReadonlyMap<number, number>;
  readonly sums: readonly Sum[];
}

interface Sum {
  readonly name: 'subtotal' | 'vat' | 'discount' | 'shipping' | 'toPay';
  readonly value: number;
}

/**
 * Counts what is typed by the same arithmetic by which core saves it; its numbers are read by the language of the
 * page.
 */
export function countedTotals(
  { fields, typed }: Pick<FormState, 'fields' | 'typed'>,
  field: FieldFacts,
  name: string,
  reading: Reading,
): Totals {
  const body = bodyOf(fields, typed, reading);
  const rows: unknown = body[name];
  const lines = (Array.isArray(rows) ? rows : []).flatMap((row: unknown, index) => {
    const unit_price = numberIn(row, 'unit_price', undefined);
    const quantity = numberIn(row, 'quantity', 1);
    const vat_rate = numberIn(row, 'vat_rate', 0);
    const discount_pct = numberIn(row, 'discount_pct', 0);
    if (unit_price === undefined || quantity === undefined) return [];
    if (vat_rate === undefined || discount_pct === undefined) return [];
    return [{ index, unit_price, quantity, vat_rate, discount_pct }];
  });
  const currency = currencyIn(typed, reading);
  const byRow = (totals: readonly number[]) =>
    new Map(lines.map(({ index }, position) => [index, totals[position] ?? 0]));
  if (!field.fields.some((each) => each.name === 'discount_pct')) {
    const { totals, subtotal, vat_amount, total } = sumLines(lines, currency);
    const sums = [sum('subtotal', subtotal), sum('vat', vat_amount), sum('toPay', total)];
    return { lines: byRow(totals), sums };
  }
  const discountTotal = numberIn(body, 'discount_total', 0) ?? 0;
  const shippingCost = numberIn(body, 'shipping_cost', 0) ?? 0;
  const order = sumOrder(lines, { discountTotal, shippingCost, currency });
  const sums = [
    sum('subtotal', order.subtotal),
    ...(order.discount_total > 0 ? [sum('discount', -order.discount_total)] : []),
    ...(order.shipping_cost > 0 ? [sum('shipping', order.shipping_cost)] : []),
    sum('vat', order.vat_total),
    sum('toPay', order.grand_total),
  ];
  return { lines: byRow(order.line_totals), sums };
}

const sum = (name: Sum['name'], value: number): Sum => ({ name, value });

/** A number of a body that can be counted with; undefined for any other. */
function numberIn(body: unknown, name: string, absent: number | undefined): number | undefined {
  const value: unknown = Reflect.get(Object(body), name);
  if (value === undefined || value === null) return absent;
  return typeof value === 'number' && value >= 0 && value <= largestAmount ? value : undefined;
}
