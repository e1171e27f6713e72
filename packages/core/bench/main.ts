// `npm run bench -- NAME [--json]`
import { benchDeliveries } from './deliveries.ts';
import { benchGrowth } from './growth.ts';

const benchmarks = { deliveries: benchDeliveries, growth: benchGrowth };

const [name, ...options] = process.argv.slice(2);
const json = options.includes('--json');
const benchmark = Object.entries(benchmarks).find(([each]) => each === name)?.[1];
if (!benchmark || options.some((option) => option !== '--json')) {
  process.stderr.write(`Usage: npm run bench -- ${Object.keys(benchmarks).join('|')} [--json]\n`);
  process.exit(64);
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const rows = await benchmark(say);
if (json) {
  process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
} else {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { what, value, unit, goal } of rows) {
    const aim = goal === undefined ? '' : `   (goal ${goal})`;
    process.stdout.write(`${what.padEnd(width)}  ${String(value).padStart(10)} ${unit}${aim}\n`);
  }
}
