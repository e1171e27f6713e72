import { parseArgs } from 'node:util';

/** How a benchmark of a large organization is called: `[--json] [--quick] [--leads N]`. */
export function readLargeOptions(): { json: boolean; leads: number } {
  const { values } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      /** A tenth of the leads: to see whether a change helps. */
      quick: { type: 'boolean', default: false },
      leads: { type: 'string' },
    },
  });
  return { json: values.json, leads: Number(values.leads ?? (values.quick ? 100_000 : 1_000_000)) };
}
