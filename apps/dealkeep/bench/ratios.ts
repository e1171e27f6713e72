import type { Database } from '@dealkeep/core';
import { type BenchOrganization, wire } from './business.ts';
import { type Figure, figure, median } from './figures.ts';
import type { LoadResult } from './load.ts';
import {
  cpuSeconds,
  type LoadGenerator,
  peakMemoryMb,
  type RunningProcess,
  startListener,
  startRole,
} from './processes.ts';

const connections = 32;
const hello = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

interface Measured extends LoadResult {
  perSecond: number;
  /** Microseconds of CPU of the measured processes for a request. */
  cpu: number | undefined;
}

interface Bench {
  url: string;
  sql: Database;
  load: LoadGenerator;
  businesses: readonly BenchOrganization[];
  scale: number;
  say(line: string): void;
}

/** Requests against a bare hello, all in one run: each round measures everything once, and the median counts. */
export async function measureRatios({ url, sql, load, businesses, scale, say }: Bench): Promise<Figure[]> {
  const milliseconds = scale < 1 ? 1500 : 4000;
  const rounds = scale < 1 ? 3 : 5;
  const receiver = await startListener('./receiver.ts');
  const environment = {
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
  };
  const bare = await startListener('../../api/bench/hello.ts');
  const one = await startRole('api', 4711, environment);
  const two = await startRole('api', 4712, environment);

  const measure = async (
    processes: readonly RunningProcess[],
    requests: readonly string[],
  ): Promise<Measured> => {
    const cpu = async (): Promise<number> =>
      (await Promise.all(processes.map(({ pid }) => cpuSeconds(pid)))).reduce<number>(
        (sum, seconds) => sum + (seconds ?? Number.NaN),
        0,
      );
    const before = await cpu();
    const ports = processes.map(({ port }) => port);
    const result = await load.run({ ports, connections, milliseconds, requests });
    const used = (await cpu()) - before;
    const strange = Object.keys(result.statuses).filter((status) => !status.startsWith('2'));
    if (strange.length > 0) throw new Error(`Answers other than 2xx: ${JSON.stringify(result.statuses)}`);
    return {
      ...result,
      perSecond: result.requests / result.seconds,
      cpu: Number.isNaN(used) ? undefined : (used / result.requests) * 1e6,
    };
  };

  const each = (make: (business: BenchOrganization, index: number) => string): string[] =>
    Array.from({ length: 50 }, (_, index) => businesses.map((business) => make(business, index))).flat();
  const me = each(({ key }) => wire('GET', '/me', key));
  const lead = each(({ key, leads }, index) => wire('GET', `/leads/${leads[index % leads.length]}`, key));
  const list = each(({ key }) => wire('GET', '/leads?limit=50', key));
  const create = each(({ key }, index) =>
    wire('POST', '/leads', key, { name: `Lead ${index}`, value: 1500.5, note: 'Asked for a call back.' }),
  );

  const runs: Record<'hello' | 'me' | 'lead' | 'list' | 'two' | 'create', Measured[]> = {
    ...{ hello: [], me: [], lead: [], list: [], two: [], create: [] },
  };
  // Everything is warm before anything counts.
  for (const requests of [me, lead, list, create]) await measure([one, two], requests);
  await measure([bare], [hello]);
  for (let round = 1; round <= rounds; round += 1) {
    say(`Round ${round} of ${rounds} …`);
    runs.hello.push(await measure([bare], [hello]));
    runs.me.push(await measure([one], me));
    runs.lead.push(await measure([one], lead));
    runs.two.push(await measure([one, two], lead));
    runs.list.push(await measure([one], list));
  }
  for (const { key } of businesses) await subscribe(one.port, key, receiver.port);
  const worker = await startRole('worker', 0, environment);
  for (let round = 1; round <= rounds; round += 1) {
    say(`Round ${round} of ${rounds} with deliveries …`);
    runs.create.push(await measure([one], create));
    await delivered(sql);
  }
  const memory = Math.max(
    ...(await Promise.all([one, two].map(async ({ pid }) => (await peakMemoryMb(pid)) ?? 0))),
  );
  await Promise.all([worker, one, two, bare, receiver].map((each) => each.stop()));

  const base = median(runs.hello.map((run) => run.perSecond));
  const ratio = (name: string, measured: readonly Measured[], goal: number): Figure => {
    const perSecond = median(measured.map((run) => run.perSecond));
    return figure(name, perSecond / base, {
      unit: 'of hello',
      rule: 'at least',
      goal,
      note: noteOf(measured),
    });
  };
  const cpuOf = (measured: readonly Measured[]): number =>
    median(measured.map((run) => run.cpu ?? Number.NaN));
  return [
    figure('hello', 1, { unit: '', rule: 'at least', goal: 1, note: noteOf(runs.hello) }),
    ratio('GET /me', runs.me, 0.5),
    ratio('GET /leads/{id}', runs.lead, 0.2),
    ratio('GET /leads?limit=50', runs.list, 0.04),
    ratio('POST /leads, one hook, worker running', runs.create, 0.08),
    figure('two processes on GET /leads/{id}', cpuOf(runs.two) / cpuOf(runs.lead), {
      unit: 'of the CPU time of one',
      rule: 'at most',
      goal: 1.1,
      note: noteOf(runs.two),
    }),
    figure('peak memory of an API process', memory, { unit: 'MB', rule: 'at most', goal: 250 }),
  ];
}

function noteOf(runs: readonly Measured[]): string {
  const of = (pick: (run: Measured) => number): string => median(runs.map(pick)).toPrecision(3);
  const perSecond = Math.round(median(runs.map((run) => run.perSecond)));
  return `${perSecond}/s, p50 ${of((run) => run.p50)} ms, p99 ${of((run) => run.p99)} ms, CPU ${of((run) => run.cpu ?? Number.NaN)} µs`;
}

async function subscribe(port: number, key: string, receiver: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/public/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ target_url: `http://127.0.0.1:${receiver}/`, event: 'lead.created' }),
  });
  if (response.status !== 201) throw new Error(`No hook: ${await response.text()}`);
}

/** Waits until nothing is to be delivered any more. */
async function delivered(sql: Database): Promise<void> {
  for (;;) {
    const [waiting] = await sql`select 1 from deliveries limit 1`;
    if (!waiting) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
