import type { Measure } from '../texts/shown.ts';
import { estimateTokens, mostTokens } from '../texts/tokens.ts';

/** A page as a model is shown it. */
export interface ShownPage {
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

/** How much of each record a page shows: less where the records are so long that few of them fit. */
const measures: readonly Measure[] = [
  { text: 160, entries: 20 },
  { text: 40, entries: 4 },
];

/** Of records that are shown in part, more are better than few. */
const fewest = 5;

/**
 * As many of these records as an answer may have, and how they are shown. `show` shows them, by a measure.
 */
export function fitting(
  records: readonly unknown[],
  show: (some: readonly unknown[], measure: Measure) => ShownPage,
): { readonly count: number; readonly page: ShownPage } {
  const [usual, short] = measures.map((measure) => fittingBy(records, (some) => show(some, measure)));
  if (!usual || !short) throw new Error('A page is shown by a measure');
  return usual.count < Math.min(fewest, records.length) ? short : usual;
}

function fittingBy(
  records: readonly unknown[],
  show: (some: readonly unknown[]) => ShownPage,
): { readonly count: number; readonly page: ShownPage } {
  let count = records.length;
  for (;;) {
    const page = show(records.slice(0, count));
    const tokens = Math.max(estimateTokens(page.text), estimateTokens(JSON.stringify(page.structured)));
    if (tokens <= mostTokens || count <= 1) return { count, page };
    // What a record takes on the average says how many fit, rather one too few.
    count = Math.max(1, Math.min(count - 1, Math.floor((count * mostTokens) / tokens)));
  }
}
