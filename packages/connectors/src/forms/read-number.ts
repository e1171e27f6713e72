/** What a written number says: one number, or two of which nobody can tell which one it is. */
export type NumberReading =
  | {
      readonly is: 'number';
      readonly value: number;
      /** The same in plain digits with a dot, every decimal kept: `450.20`. */
      readonly digits: string;
    }
  | { readonly is: 'ambiguous'; readonly either: readonly [string, string] };

/** Blanks that part thousands: the usual one, the one that does not break, its narrow kin, and the thin one. */
const blank = '[ \\u00a0\\u202f\\u2009]';

const plain = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const partedByBlanks = new RegExp(`^\\d{1,3}(?:${blank}\\d{3})+(?:[.,]\\d+)?$`);
const partedByCommas = /^\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/;
const partedByDots = /^\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
const withComma = /^\d*,\d+$/;
/** A comma before three digits parts thousands as well as decimals, unless a zero leads. */
const eitherWay = /^[1-9]\d{0,2},\d{3}$/;

/**
 * How people and programs write numbers: `450.20`, `450,20`, `1 250,50`, `1.250,50`, `1,250.50`. Alone, a dot is the
 * decimal point of programs; a comma is one where it cannot part thousands. Undefined for what is no number, such as
 * `0x10`.
 */
export function readNumber(text: string): NumberReading | undefined {
  const [, sign = '', written = ''] = /^([+-]?)(.*)$/s.exec(text.trim().replace(/^\u2212/, '-')) ?? [];
  const minus = sign === '-' ? '-' : '';
  if (eitherWay.test(written)) {
    return {
      is: 'ambiguous',
      either: [`${minus}${written.replace(',', '')}`, `${minus}${written.replace(',', '.')}`],
    };
  }
  const digits = digitsOf(written);
  const value = digits === undefined ? Number.NaN : Number(`${minus}${digits}`);
  if (digits === undefined || !Number.isFinite(value)) return undefined;
  return { is: 'number', value, digits: /e/i.test(digits) ? String(value) : `${minus}${digits}` };
}

function digitsOf(written: string): string | undefined {
  if (plain.test(written)) return written;
  if (partedByBlanks.test(written)) return written.replaceAll(new RegExp(blank, 'g'), '').replace(',', '.');
  if (partedByCommas.test(written)) return written.replaceAll(',', '');
  if (partedByDots.test(written)) return written.replaceAll('.', '').replace(',', '.');
  return withComma.test(written) ? written.replace(',', '.') : undefined;
}
