import { type InvoiceItem, minorUnitsOf } from '@dealkeep/contract';
import { Decimal } from '../../foundations/numbers/decimal.ts';
import { type TaxedLine, type TaxedRate, taxByRate } from '../../foundations/numbers/totals.ts';

/** What the lines of one rate of VAT come to. */
export interface VatOfRate {
  /** In percent. */
  readonly rate: number;
  readonly base: number;
  readonly vat: number;
}

interface Taxed {
  readonly items: readonly Pick<InvoiceItem, 'total' | 'vat_rate'>[];
  readonly currency: string;
  readonly vat: number;
}

/** The VAT of an invoice or a quote by its rates, the lowest first; together they come to its `vat_amount`. */
export function vatByRate({ items, currency, vat }: Taxed): readonly VatOfRate[] {
  const lines = items.map(({ total, vat_rate }) => ({ net: Decimal.of(total), rate: vat_rate ?? 0 }));
  const rates = taxByRate(lines, minorUnitsOf(currency));
  const isByRate = Decimal.sum(rates.map((each) => each.vat)).equals(Decimal.of(vat));
  return (isByRate ? rates : taxByLine(lines))
    .toSorted((one, other) => one.rate - other.rate)
    .map((each) => ({ rate: each.rate, base: each.net.toNumber(), vat: each.vat.toNumber() }));
}

/** As the VAT of older records was counted: rounded line by line, to two decimals in any currency. */
const taxByLine = (lines: readonly TaxedLine[]): readonly TaxedRate[] =>
  [...Map.groupBy(lines, ({ rate }) => rate)].map(([rate, ofRate]) => ({
    rate,
    net: Decimal.sum(ofRate.map(({ net }) => net)),
    vat: Decimal.sum(ofRate.map(({ net }) => net.percent(Decimal.of(rate)).rounded(2))),
  }));
