// Numbers and truth values as spreadsheets and people write them.

/** What parts thousands in a number that is written so; a comma before what is left is a decimal point. */
const writings: readonly (readonly [form: RegExp, thousands: RegExp])[] = [
  [/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i, /,/g],
  [/^[+-]?\d*,\d+$/, / /g],
  [/^[+-]?\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?:[.,]\d+)?$/, /[ \u00a0\u202f\u2009]/g],
  [/^[+-]?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/, /,/g],
  [/^[+-]?\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/, /\./g],
];

/**
 * The number that a text says: `450.20`, `450,20`, `1 250,50`, `1.250,50`, `1,250.50`. A comma alone before three
 * digits can part thousands as well as decimals. Undefined for what is no number, such as `0x10` (rule connectors
 * 15).
 */
export function toNumber(text: string): number | 'ambiguous' | undefined {
  const written = text.trim().replace(/^\u2212/, '-');
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(written)) return 'ambiguous';
  const writing = writings.find(([form]) => form.test(written));
  const number = writing ? Number(written.replace(writing[1], '').replace(',', '.')) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

const truths: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  [1, true],
  [false, false],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
  [0, false],
]);

/** Yes or no, in any case of letters; undefined when the value is neither. */
export const toBoolean = (value: unknown): boolean | undefined =>
  truths.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
