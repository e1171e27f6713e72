import { stringify } from 'csv-stringify/sync';

/**
 * What a table is written with. Programs read the first; spreadsheets take what the language of the computer says.
 */
export interface CsvStyle {
  readonly delimiter: ',' | ';';
  readonly decimalMark: '.' | ',';
}

/** A cell: texts are made harmless, numbers stay numbers. */
export type CsvCell = string | number | null;

/** What Excel knows UTF-8 by; at the begin of a file. */
export const byteOrderMark = '\ufeff';

/**
 * Rows of a table as text (RFC 4180, lines end in CRLF). A text that a spreadsheet would run as a formula is written
 * behind an apostrophe: it begins with `=`, `+`, `-`, `@`, a tab or a carriage return (or with the wide forms of the
 * signs, which some spreadsheets take for them).
 */
export const csvText = (
  rows: readonly (readonly CsvCell[])[],
  { delimiter, decimalMark }: CsvStyle,
): string =>
  stringify(
    rows.map((row) => [...row]),
    {
      delimiter,
      record_delimiter: 'windows',
      escape_formulas: true,
      // A line end of any kind, not only that of the rows.
      quoted_match: /[\r\n]/,
      cast: { number: (value) => String(value).replace('.', decimalMark) },
    },
  );
