// `npm run soak -- deliveries [--minutes N | --kills N] [--installations N]`
import { inspect, parseArgs } from 'node:util';
import { type SoakOptions, soakDeliveries } from './deliveries.ts';

const usage = 'Usage: npm run soak -- deliveries [--minutes N | --kills N] [--installations N]\n';
const options = {
  minutes: { type: 'string' },
  kills: { type: 'string' },
  installations: { type: 'string' },
} as const;
const asked = parse();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
const { until, installations } = asked;
const all = await Promise.allSettled(
  Array.from({ length: installations }, async (_, index) => {
    const name = installations === 1 ? '' : `${index + 1}: `;
    const say = (line: string): void => void process.stdout.write(`${name}${line}\n`);
    try {
      return await soakDeliveries({ until, stop: stop.signal, say });
    } catch (error) {
      // The others are judged all the same.
      stop.abort();
      throw error;
    }
  }),
);
for (const each of all)
  if (each.status === 'rejected') process.stderr.write(`${inspect(each.reason, { depth: null })}\n`);
process.exitCode = all.every((each) => each.status === 'fulfilled' && each.value) ? 0 : 1;

/** Kills are shared out among installations beside each other; minutes are the same for all. */
function parse(): { until: SoakOptions['until']; installations: number } {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const { minutes = '3', kills, installations: beside = '1' } = values;
    const [installations, amount] = [Number(beside), Number(kills ?? minutes)];
    if (positionals.join() === 'deliveries' && installations >= 1 && amount > 0) {
      const until = kills === undefined ? { minutes: amount } : { kills: Math.ceil(amount / installations) };
      return { until, installations };
    }
  } catch {
    // Said below.
  }
  process.stderr.write(usage);
  process.exit(64);
}
