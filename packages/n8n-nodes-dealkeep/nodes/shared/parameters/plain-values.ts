// Numbers and truth values as spreadsheets and people write them.

/**
 * The number that a text names in plain decimals: `1250.5`, `1 250,5`, `-3`. A comma before three digits can part thousands
 * as well as decimals. Undefined when the text is no number; `0x10` and `1e3` are none, as nobody writes amounts so.
 */
export function toNumber(text: string): number | 'ambiguous' | undefined {
  const plain = text.trim().replaceAll(/(?<=\d)\s(?=\d{3}(?!\d))/g, '');
  if (/^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/.test(plain)) return 'ambiguous';
  return /^[+-]?(?:\d+(?:[.,]\d+)?|\.\d+)$/.test(plain) ? Number(plain.replace(',', '.')) : undefined;
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
