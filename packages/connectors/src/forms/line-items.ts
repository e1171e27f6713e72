import { type ApiRecord, isApiRecord } from '../records/api-record.ts';
import type { FormField } from './form-field.ts';
import { isEmpty } from './is-empty.ts';
import { readNumber } from './read-number.ts';

/** The lines of an invoice or order, and why what was filled in is none. */
export interface LinesReading {
  readonly lines: readonly ApiRecord[];
  readonly problems: readonly string[];
}

/**
 * The lines of a list of items. Zapier hands them over as a list; where nothing of an earlier step's lines is
 * mapped, also as plain values of each column. A column can hold the values of several lines, as a list or joined by
 * commas.
 */
export function linesIn(
  { key, label }: FormField,
  children: readonly FormField[],
  input: Readonly<Record<string, unknown>>,
): LinesReading {
  const given = input[key];
  const beside = isEmpty(given);
  const rows = beside ? [input] : [given].flat(Number.POSITIVE_INFINITY).filter((row) => !isEmpty(row));
  if (!rows.every(isApiRecord)) {
    const problem = `${label}: These are no line items. Fill in the fields of a line, or map those of line items.`;
    return { lines: [], problems: [problem] };
  }
  const readings = rows.map((row, index) =>
    spread(rows.length > 1 ? `${label} ${index + 1}` : label, children, row),
  );
  return {
    lines: readings.flatMap(({ lines }) => lines),
    problems: readings.flatMap(({ problems }) => problems),
  };
}

/** One column of what was filled in as a line. */
interface Column {
  readonly field: FormField;
  readonly value: unknown;
  /** The values that it holds where it holds those of several lines. */
  readonly parts: readonly unknown[];
  readonly isList: boolean;
}

function columnOf(field: FormField, given: unknown): Column {
  const value = Array.isArray(given) && given.length <= 1 ? given[0] : given;
  const isList = Array.isArray(value);
  if (isList) return { field, value, parts: value, isList };
  const parts = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value];
  return { field, value, parts, isList };
}

/**
 * A line is several where columns hold equally many values. Of lists a column of one value is that of each line; of
 * values that are joined by commas every column has to hold as many, since a comma can stand in a name and in a
 * number, too.
 */
function spread(label: string, children: readonly FormField[], row: ApiRecord): LinesReading {
  const columns = children
    .filter(({ key }) => Object.hasOwn(row, key))
    .map((field) => columnOf(field, row[field.key]))
    .filter(({ value }) => !isEmpty(value));
  const count = countIn(columns);
  if (count === undefined) return { lines: [], problems: [describeCounts(label, columns)] };
  const lines = Array.from({ length: columns.length > 0 ? count : 0 }, (_, index) =>
    Object.fromEntries(
      columns.map(({ field, value, parts }) => [
        field.key,
        count > 1 && parts.length === count ? parts[index] : value,
      ]),
    ),
  );
  return { lines, problems: [] };
}

/** How many lines the columns are; undefined where they do not agree. */
function countIn(columns: readonly Column[]): number | undefined {
  const lists = columns.filter(({ isList }) => isList);
  const several = columns.filter(({ parts }) => parts.length > 1);
  const numbers = several.filter(({ field }) => field.type === 'number' || field.type === 'integer');
  const [first] = lists.length > 0 ? lists : several;
  const agrees = ({ parts }: Column) => parts.length === first?.parts.length;
  if (lists.length > 0) return [...lists, ...numbers].every(agrees) ? first?.parts.length : undefined;
  // Texts alone hold commas of their own.
  if (numbers.length === 0) return 1;
  if (several.length === 1) return numbers.every(({ value }) => isNumber(value)) ? 1 : undefined;
  return columns.every(agrees) ? first?.parts.length : undefined;
}

const isNumber = (value: unknown): boolean => typeof value === 'string' && readNumber(value) !== undefined;

function describeCounts(label: string, columns: readonly Column[]): string {
  const counts = columns.map(({ field, parts }) => `${field.label} holds ${parts.length}`).join(', ');
  return `${label}: It cannot be told which values belong to one line: ${counts}. Map line items, or as many values in each field. If this is one line, write its numbers with a dot, such as 12.50.`;
}
