import { Decimal } from './decimal.ts';

/** What a line of an invoice or a quote is counted by. */
export interface CountedLine {
  readonly unit_price: number;
  /** 1 when absent. */
  readonly quantity?: number | null | undefined;
  /** None when absent. */
  readonly vat_rate?: number | null | undefined;
}

/** What lines come to. */
export interface Sums {
  readonly totals: number[];
  readonly subtotal: number;
  readonly vat_amount: number;
  readonly total: number;
}

/**
 * Sums the lines of an invoice or a quote up in exact decimals: each line's total and each line's VAT are rounded to two,
 * half away from zero.
 */
export function sumLines(lines: readonly CountedLine[]): Sums {
  const totals = lines.map(({ quantity, unit_price }) =>
    Decimal.of(quantity ?? 1)
      .times(Decimal.of(unit_price))
      .toCents(),
  );
  const vats = lines.map(({ vat_rate }, index) =>
    (totals[index] ?? Decimal.of(0)).percent(Decimal.of(vat_rate ?? 0)).toCents(),
  );
  const [subtotal, vat] = [Decimal.sum(totals), Decimal.sum(vats)];
  return {
    totals: totals.map((total) => total.toNumber()),
    subtotal: subtotal.toNumber(),
    vat_amount: vat.toNumber(),
    total: subtotal.plus(vat).toNumber(),
  };
}

/** What an item of an order is counted by. */
export interface CountedItem {
  readonly quantity: number;
  readonly unit_price: number;
  readonly vat_rate: number;
  readonly discount_pct: number | null;
}

/** What an order's total holds besides its items. */
export interface AroundItems {
  readonly discountTotal: number;
  readonly shippingCost: number;
}

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
 * Sums the items of an order up in exact decimals, each line rounded to two of them, half away from zero; VAT is rounded
 * line by line as well, shipping carries none.
 */
export function sumOrder(
  items: readonly CountedItem[],
  { discountTotal, shippingCost }: AroundItems,
): OrderTotals {
  const lines = items.map(({ quantity, unit_price, vat_rate, discount_pct }) => {
    const paid = Decimal.of(100).minus(Decimal.of(discount_pct ?? 0));
    const total = Decimal.of(quantity).times(Decimal.of(unit_price)).percent(paid).toCents();
    return { total, vat: total.percent(Decimal.of(vat_rate)).toCents() };
  });
  const subtotal = Decimal.sum(lines.map(({ total }) => total));
  const vat = Decimal.sum(lines.map((line) => line.vat));
  const discount = Decimal.of(discountTotal).toCents();
  const shipping = Decimal.of(shippingCost).toCents();
  return {
    line_totals: lines.map(({ total }) => total.toNumber()),
    subtotal: subtotal.toNumber(),
    discount_total: discount.toNumber(),
    shipping_cost: shipping.toNumber(),
    vat_total: vat.toNumber(),
    grand_total: subtotal.minus(discount).plus(shipping).plus(vat).toNumber(),
  };
}
