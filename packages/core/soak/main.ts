// `npm run soak -- NAME [--minutes N]`
import { soakDeliveries } from './deliveries.ts';

const soaks = { deliveries: soakDeliveries };

const [name, option, value = '3', ...rest] = process.argv.slice(2);
const soak = Object.entries(soaks).find(([each]) => each === name)?.[1];
const minutes = Number(value);
if (!soak || (option !== undefined && option !== '--minutes') || !(minutes > 0) || rest.length > 0) {
  process.stderr.write(`Usage: npm run soak -- ${Object.keys(soaks).join('|')} [--minutes N]\n`);
  process.exit(64);
}
process.exitCode = (await soak(minutes, (line) => process.stdout.write(`${line}\n`))) ? 0 : 1;
