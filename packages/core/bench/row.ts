/** One figure of a benchmark. */
export interface Row {
  what: string;
  value: number;
  unit: string;
  /** What it should be, in words. */
  goal?: string;
}

/** The value below which this share of the sorted numbers lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));
