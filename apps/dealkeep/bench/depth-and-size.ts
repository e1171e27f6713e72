import { type BenchOrganization, wire } from './business.ts';
import { type Figure, figure, median } from './figures.ts';
import { type LoadGenerator, startRole } from './processes.ts';
import { walk } from './walk.ts';

/** What a page costs deep in a list, and in a large organization: one request at a time, so that time is latency. */
export async function measureDepthAndSize({
  url,
  load,
  small,
  large,
  scale,
}: {
  url: string;
  load: LoadGenerator;
  small: BenchOrganization;
  large: BenchOrganization;
  scale: number;
}): Promise<Figure[]> {
  const api = await startRole('api', 4713, {
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const depth = 50_000 * scale;
  const cursors = await walk({ port: api.port, key: large.key }, { limit: 100, pages: depth / 100 });
  const cursor = cursors.at(-1);
  if (cursors.length < depth / 100 || cursor === undefined) throw new Error(`The list ended before ${depth}`);
  const pages = {
    first: wire('GET', '/leads?limit=50', large.key),
    deep: wire('GET', `/leads?limit=50&cursor=${cursor}`, large.key),
    small: wire('GET', '/leads?limit=50', small.key),
  };
  const times: Record<keyof typeof pages, number[]> = { first: [], deep: [], small: [] };
  const names = ['first', 'deep', 'small'] as const;
  // Short slices in turn, so that whatever else the machine does meets all three alike.
  for (let round = 0; round < 30; round += 1) {
    for (const name of names) {
      const { p50 } = await load.run({
        ports: [api.port],
        connections: 1,
        milliseconds: 200,
        requests: [pages[name]],
      });
      if (round > 3) times[name].push(p50);
    }
  }
  await api.stop();
  const time = (name: keyof typeof pages): number => median(times[name]);
  const ratio = (of: keyof typeof pages, to: keyof typeof pages): number =>
    median(times[of].map((time, round) => time / (times[to][round] ?? Number.NaN)));
  const note = `first ${time('first').toFixed(2)} ms, deep ${time('deep').toFixed(2)} ms, small organization ${time('small').toFixed(2)} ms`;
  return [
    figure(`page at depth ${depth}`, ratio('deep', 'first'), {
      unit: 'of the first page',
      rule: 'at most',
      goal: 1.2,
      note,
    }),
    figure(`${1_000_000 * scale} leads against ${10_000 * scale}`, ratio('first', 'small'), {
      unit: 'of the time',
      rule: 'at most',
      goal: 1.3,
      note,
    }),
  ];
}
