/** One line of the table. */
export interface Figure {
  name: string;
  value: number;
  /** What the value is measured in, or against. */
  unit: string;
  goal: number;
  /** Whether more is better. */
  rule: 'at least' | 'at most';
  met: boolean;
  /** What else was seen: requests per second, latency, CPU. */
  note: string;
}

export function figure(
  name: string,
  value: number,
  { unit, rule, goal, note = '' }: Pick<Figure, 'unit' | 'rule' | 'goal'> & { note?: string },
): Figure {
  return { name, value, unit, goal, rule, met: rule === 'at least' ? value >= goal : value <= goal, note };
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? Number.NaN;

export function printFigures(figures: readonly Figure[], json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
    return;
  }
  const rows = figures.map(({ name, value, unit, rule, goal, met, note }) => [
    name,
    `${value.toPrecision(3)} ${unit}`,
    `${rule} ${goal}`,
    met ? 'met' : 'MISSED',
    note,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  process.stdout.write(`${lines.join('\n')}\n`);
}
