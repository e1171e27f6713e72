import type { InvoiceItem } from '@dealkeep/contract';
import { Decimal } from '../numbers/decimal.ts';

/** What the lines of one rate of VAT come to. */
export interface VatOfRate {
  /** In percent. */
  readonly rate: number;
  readonly base: number;
  readonly vat: number;
}

/** VAT by its rates, the lowest first, with the arithmetic of the totals: together they come to `vat_amount`. */
export function vatByRate(items: readonly Pick<InvoiceItem, 'total' | 'vat_rate'>[]): readonly VatOfRate[] {
  const rates = Map.groupBy(items, ({ vat_rate }) => vat_rate ?? 0);
  return [...rates]
    .toSorted(([one], [other]) => one - other)
    .map(([rate, lines]) => {
      const bases = lines.map(({ total }) => Decimal.of(total));
      const vats = bases.map((base) => base.percent(Decimal.of(rate)).toCents());
      return { rate, base: Decimal.sum(bases).toNumber(), vat: Decimal.sum(vats).toNumber() };
    });
}
