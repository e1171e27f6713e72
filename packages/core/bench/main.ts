// `npm run bench -- deliveries [--json]`
import { parseArgs } from 'node:util';
import { benchDeliveries } from './deliveries.ts';

const { json } = parseArgs({ options: { json: { type: 'boolean', default: false } } }).values;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const rows = await benchDeliveries(say);
if (json) {
  process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
} else {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { what, value, unit, goal } of rows) {
    const aim = goal === undefined ? '' : `   (goal ${goal})`;
    process.stdout.write(`${what.padEnd(width)}  ${String(value).padStart(10)} ${unit}${aim}\n`);
  }
}
