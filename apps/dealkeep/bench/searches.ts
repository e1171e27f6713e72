import { addCompanies, type BenchOrganization, fillOrganization, wire } from './business.ts';
import { type Figure, figure, median } from './figures.ts';
import { type Measured, measure, measurePair, noteOf, type Pair, ratioOf, type Target } from './measure.ts';
import { startListener, startRole } from './processes.ts';
import { type Bench, postmasterOf } from './ratios.ts';
import { bareHello } from './targets.ts';

/** What people type, and which of the companies have it. */
const terms = {
  'one letter, in all': 's',
  'two digits, in one of 25': '99',
  'a word, in all': 'spolocnost',
  'a word, in one of ten': 'pekaren',
  'a phrase with diacritics, in one of 1,000': 'Žltý kôň',
  'the same without': 'zlty kon',
  'an e-mail address, in one': 'office-4711@acme.example',
  'no match': 'qxwz',
} as const;

const goal = 20;

/**
 * Searches of one large organization. Each term by itself, one request at a time: of the list of companies and of
 * everything; and many different terms, as many people type them.
 */
export async function measureSearches({
  url,
  sql,
  load,
  scale,
  say,
}: Omit<Bench, 'businesses'>): Promise<Figure[]> {
  say('Filling an organization with companies to search …');
  const searched = await fillOrganization(sql, 'searched', 100);
  await addCompanies(sql, searched.id, 100_000 * scale);
  await sql`vacuum analyze companies`;
  const bare = await startListener('../../api/bench/hello.ts');
  const api = await startRole('api', 4716, {
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const target: Omit<Target, 'requests'> = { processes: [api], postmaster: await postmasterOf(sql) };
  const milliseconds = scale < 1 ? 600 : 1000;
  const rounds = scale < 1 ? 5 : 15;

  const base = bareHello(bare);
  const many: Target = { ...target, requests: manySearches(searched) };
  const one: Target = { ...many, connections: 1 };
  const single = Object.entries(terms).flatMap(([what, term]) => {
    const q = encodeURIComponent(term);
    const ofTerm = (path: string, name: string) => ({
      name: `${name} ${what} (${term})`,
      target: { ...target, connections: 1, requests: [wire('GET', path, searched.key)] },
      runs: [] as Measured[],
    });
    return [
      ofTerm(`/companies?limit=25&q=${q}`, 'GET /companies?q='),
      ofTerm(`/search?q=${q}`, 'GET /search?q='),
    ];
  });
  for (const each of [base, many, ...single.map((ofTerm) => ofTerm.target)]) {
    await measure(load, each, milliseconds);
  }
  const pairs: Pair[] = [];
  const alone: Measured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`Round ${round} of ${rounds} of searches …`);
    pairs.push(await measurePair(load, { base, own: many, milliseconds }));
    alone.push(await measure(load, one, milliseconds));
    for (const { target: own, runs } of single) runs.push(await measure(load, own, milliseconds / 2));
  }
  await Promise.all([api, bare].map((each) => each.stop()));

  const latency = (name: string, runs: readonly Measured[], pick: 'p50' | 'p99'): Figure =>
    figure(`${name}, ${pick}`, median(runs.map((run) => run[pick])), {
      unit: 'ms',
      rule: 'at most',
      goal,
      note: noteOf(runs),
    });
  return [
    figure('GET /companies?q=, among 100,000', ratioOf(pairs), {
      unit: 'of hello',
      rule: 'at least',
      goal: 0.02,
      note: noteOf(pairs.map(({ own }) => own)),
    }),
    latency('GET /companies?q= without diacritics, among 100,000, one at a time', alone, 'p99'),
    ...single.map(({ name, runs }) => latency(name, runs, 'p50')),
  ];
}

/** Of one letter, of one sign that few names or none have, and of some that all of them have, too. */
const searchTerm = (index: number): string =>
  encodeURIComponent(['a', '%', 'qx', 'spolocnost'][index % 20] ?? `nost ${7 * index + 100}`);

/** Each for another part of a name, typed without diacritics. */
const manySearches = ({ key }: BenchOrganization): string[] =>
  Array.from({ length: 200 }, (_, index) => wire('GET', `/companies?limit=25&q=${searchTerm(index)}`, key));
