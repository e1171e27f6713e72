// `npm run soak -- NAME [--minutes N | --kills N]`
import { type SoakOptions, soakDeliveries } from './deliveries.ts';

const soaks = { deliveries: soakDeliveries };

const [name, option = '--minutes', value = '3', ...rest] = process.argv.slice(2);
const soak = Object.entries(soaks).find(([each]) => each === name)?.[1];
const until = endOf(option, Number(value));
if (!soak || !until || rest.length > 0) {
  process.stderr.write(`Usage: npm run soak -- ${Object.keys(soaks).join('|')} [--minutes N | --kills N]\n`);
  process.exit(64);
}
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
const say = (line: string): void => void process.stdout.write(`${line}\n`);
process.exitCode = (await soak({ until, stop: stop.signal, say })) ? 0 : 1;

function endOf(option: string, value: number): SoakOptions['until'] | undefined {
  if (!(value > 0)) return undefined;
  return { '--minutes': { minutes: value }, '--kills': { kills: value } }[option];
}
