import { minorUnitsOf } from '@dealkeep/contract';
import { Decimal } from './decimal.ts';

/**
 * An amount in the minor units of its currency, rounded half away from zero (rule bodies 21). What a body has of an
 * amount in a record.
 *
 * @param stored what the record has already: sent again, it stays as it is
 */
export function amountIn<Amount extends number | null | undefined>(
  currency: string,
  amount: Amount,
  stored?: number | null,
): Amount | number {
  if (amount === null || amount === undefined || amount === stored) return amount;
  return Decimal.of(amount).rounded(minorUnitsOf(currency)).toNumber();
}

/** Whether an amount has no more decimals than its currency. */
export const isAmountIn = (currency: string, amount: number): boolean =>
  amountIn(currency, amount) === amount;

/** The sum of amounts, exactly. */
export const sumAmounts = (...amounts: readonly number[]): number =>
  Decimal.sum(amounts.map(Decimal.of)).toNumber();

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

/** The net of a line, and the rate of its VAT. */
export interface TaxedLine {
  readonly net: Decimal;
  readonly rate: number;
}

/** What the lines of one rate of VAT come to. */
export interface TaxedRate {
  readonly rate: number;
  readonly net: Decimal;
  readonly vat: Decimal;
}

/** VAT by its rates: of what the lines of a rate come to together, rounded once (EN 16931, BR-CO-17). */
export function taxByRate(lines: readonly TaxedLine[], decimals: number): readonly TaxedRate[] {
  return [...Map.groupBy(lines, ({ rate }) => rate)].map(([rate, ofRate]) => {
    const net = Decimal.sum(ofRate.map((line) => line.net));
    return { rate, net, vat: net.percent(Decimal.of(rate)).rounded(decimals) };
  });
}

const vatOf = (lines: readonly TaxedLine[], decimals: number): Decimal =>
  Decimal.sum(taxByRate(lines, decimals).map(({ vat }) => vat));

/**
 * Sums the lines of an invoice or a quote up in exact decimals: each line's total is rounded to the minor units of
 * the currency, half away from zero, and so is the VAT of each rate.
 */
export function sumLines(lines: readonly CountedLine[], currency: string): Sums {
  const decimals = minorUnitsOf(currency);
  const taxed = lines.map(({ quantity, unit_price, vat_rate }): TaxedLine => {
    const net = Decimal.of(quantity ?? 1).times(Decimal.of(unit_price));
    return { net: net.rounded(decimals), rate: vat_rate ?? 0 };
  });
  const [subtotal, vat] = [Decimal.sum(taxed.map(({ net }) => net)), vatOf(taxed, decimals)];
  return {
    totals: taxed.map(({ net }) => net.toNumber()),
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

/** What an order's total holds besides its items, and the currency of all of it. */
export interface AroundItems {
  readonly discountTotal: number;
  readonly shippingCost: number;
  readonly currency: string;
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
 * Sums the items of an order up in exact decimals: each line is rounded to the minor units of the currency, half
 * away from zero, and so is the VAT of each rate; shipping carries none.
 */
export function sumOrder(
  items: readonly CountedItem[],
  { discountTotal, shippingCost, currency }: AroundItems,
): OrderTotals {
  const decimals = minorUnitsOf(currency);
  const lines = items.map(({ quantity, unit_price, vat_rate, discount_pct }): TaxedLine => {
    const paid = Decimal.of(100).minus(Decimal.of(discount_pct ?? 0));
    const net = Decimal.of(quantity).times(Decimal.of(unit_price)).percent(paid);
    return { net: net.rounded(decimals), rate: vat_rate };
  });
  const subtotal = Decimal.sum(lines.map(({ net }) => net));
  const vat = vatOf(lines, decimals);
  const discount = Decimal.of(discountTotal).rounded(decimals);
  const shipping = Decimal.of(shippingCost).rounded(decimals);
  return {
    line_totals: lines.map(({ net }) => net.toNumber()),
    subtotal: subtotal.toNumber(),
    discount_total: discount.toNumber(),
    shipping_cost: shipping.toNumber(),
    vat_total: vat.toNumber(),
    grand_total: subtotal.minus(discount).plus(shipping).plus(vat).toNumber(),
  };
}
