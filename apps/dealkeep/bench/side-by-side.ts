import { startDirectus } from './directus.ts';
import { type Figure, figure } from './figures.ts';
import { measure, measurePair, noteOf, type Pair, ratioOf, type Target } from './measure.ts';
import { startRole } from './processes.ts';
import type { Bench } from './ratios.ts';
import { requestsOf } from './targets.ts';

/** Our list of 25 and our create against those of Directus, in alternating slices on the same PostgreSQL. */
export async function measureSideBySide({ url, load, businesses, scale, say }: Bench): Promise<Figure[]> {
  say('Installing and filling Directus …');
  const directus = await startDirectus(url, {
    organizations: businesses.map(({ id }) => id),
    leads: 100_000 * scale,
  });
  const api = await startRole('api', 4713, {
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  try {
    const requests = requestsOf(businesses);
    const list: Target = { processes: [api], requests: requests.list(25) };
    const create: Target = { processes: [api], requests: requests.create };
    return [
      await compare('list of 25', directus.list, list),
      await compare('create', directus.create, create),
    ];
  } finally {
    await Promise.all([directus.stop(), api.stop()]);
  }

  async function compare(name: string, base: Target, own: Target): Promise<Figure> {
    for (const target of [base, own]) await measure(load, target, 2000);
    const pairs: Pair[] = [];
    const rounds = scale < 1 ? 5 : 10;
    for (let round = 1; round <= rounds; round += 1) {
      say(`Directus: ${name}, round ${round} of ${rounds} …`);
      // Its slice is half of ours.
      pairs.push(await measurePair(load, { base, own, milliseconds: 2000 }));
    }
    const note = `${noteOf(pairs.map((pair) => pair.own))}; Directus: ${noteOf(pairs.map((pair) => pair.base))}`;
    return figure(`${name} against Directus 12.4.0`, ratioOf(pairs), {
      unit: 'times its throughput',
      rule: 'at least',
      goal: 5,
      note,
    });
  }
}
