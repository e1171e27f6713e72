// `npm run bench -- deliveries|growth [--json] [--quick] [--backlog N] [--only PART]`
import { parseArgs } from 'node:util';
import { benchDeliveries } from './deliveries.ts';
import { benchGrowth } from './growth.ts';

const benchmarks = { deliveries: benchDeliveries, growth: benchGrowth };

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    backlog: { type: 'string' },
    only: { type: 'string' },
  },
  allowPositionals: true,
});
const { json, quick, only } = values;
const backlog = Number(values.backlog ?? (quick ? 100_000 : 1_000_000));
const [, benchmark] = Object.entries(benchmarks).find(([name]) => name === positionals[0]) ?? [];
if (!benchmark) throw new Error(`There are ${Object.keys(benchmarks).join(' and ')}`);

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const rows = await benchmark(say, { quick, backlog, only });
if (json) {
  process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
} else {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { what, value, unit, goal } of rows) {
    const aim = goal === undefined ? '' : `   (goal ${goal})`;
    process.stdout.write(`${what.padEnd(width)}  ${String(value).padStart(10)} ${unit}${aim}\n`);
  }
}
