import { currencyCodes, minorUnitsOf } from '@dealkeep/contract';

const [usual, ...others] = [...Map.groupBy(currencyCodes, minorUnitsOf)]
  .toSorted(([, one], [, other]) => other.length - one.length)
  .map(([decimals, codes]) => ({ decimals, codes: codes.map((code) => `'${code}'`).join(', ') }));

/**
 * SQL of an amount as text, from SQL of the amount and of its currency: with the decimals of the currency, and with
 * all of its own where it has more.
 */
export function amountText(amount: string, currency: string): string {
  const cases = others
    .map(({ decimals, codes }) => `when ${currency} in (${codes}) then ${decimals}`)
    .join(' ');
  const decimals = `case ${cases} else ${usual?.decimals ?? 0} end`;
  return `round(${amount}, greatest(scale(trim_scale(${amount})), ${decimals}))::text`;
}
