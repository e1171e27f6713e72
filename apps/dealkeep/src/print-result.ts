import { oneLine } from './one-line.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * A result for people (one line for a field, one table for a list) or, as JSON, for programs.
 *
 * @param show how people see it, where a line for a field is not enough
 */
export function printResult<Result>(
  { stdout }: Pick<Surroundings, 'stdout'>,
  result: Result,
  json: boolean,
  show: (result: Result) => string = readable,
): void {
  stdout.write(`${json ? JSON.stringify(result) : show(result)}\n`);
}

function readable(result: unknown): string {
  if (Array.isArray(result)) return table(result);
  if (typeof result === 'object' && result !== null) {
    const entries = Object.entries(result);
    const width = Math.max(...entries.map(([name]) => name.length));
    return entries.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n');
  }
  return String(result);
}

/** Columns are the fields of the first row. */
export function table(rows: readonly object[]): string {
  const [first] = rows;
  if (!first) return 'none';
  const columns = Object.keys(first);
  const cells = rows.map((row) => columns.map((column) => cell(Reflect.get(row, column))));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((line) => line[index]?.length ?? 0)),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(columns), ...cells.map(line)].join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(cell).join(',') || '-';
  return typeof value === 'object' ? JSON.stringify(value) : oneLine(String(value));
}
