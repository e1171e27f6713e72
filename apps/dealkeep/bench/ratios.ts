import type { EventType } from '@dealkeep/contract';
import { connect, type Database, noLimits } from '@dealkeep/core/foundations';
import type { BenchOrganization } from './business.ts';
import { type Figure, figure } from './figures.ts';
import { measure, measurePair, noteOf, type Pair, ratioOf, type Target } from './measure.ts';
import { type LoadGenerator, parentOf, peakMemoryMb, startListener, startRole } from './processes.ts';
import { bareHello, requestsOf, unchangedRequests, walkRequests, writesOf } from './targets.ts';

export interface Bench {
  url: string;
  sql: Database;
  load: LoadGenerator;
  businesses: readonly BenchOrganization[];
  scale: number;
  say(line: string): void;
}

/** More than a page of events of 1 KB, as those of leads are. */
const addEvents = (sql: Database, organization: string) => sql`
  insert into events (organization_id, id, type, record_id, occurred_at, envelope)
  select ${organization}, 'evt_' || number, 'lead.created', gen_random_uuid(), now(),
         json_build_object('id', 'evt_' || number, 'data', json_build_object('note', repeat('x', 1000)))::text
  from generate_series(1001, 1500) as number`;

/**
 * Requests against a bare hello, all in one run: in many rounds of short slices, a slice of the one between two of
 * the other, so that a busy machine slows down both; the median counts.
 */
export async function measureRatios({ url, sql, load, businesses, scale, say }: Bench): Promise<Figure[]> {
  const milliseconds = scale < 1 ? 600 : 1000;
  const rounds = scale < 1 ? 5 : 15;
  const receiver = await startListener('./receiver.ts');
  const environment = {
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
  };
  const bare = await startListener('../../api/bench/hello.ts');
  const one = await startRole('api', 4711, environment);

  for (const { id } of businesses) await addEvents(sql, id);
  await sql`vacuum analyze events`;
  const base = bareHello(bare);
  const postmaster = await postmasterOf(sql);
  const commits = await commitsPerSecond(url, milliseconds * 3);
  const requests = requestsOf(businesses);
  const targets = {
    me: { processes: [one], postmaster, requests: requests.me },
    lead: { processes: [one], postmaster, requests: requests.lead },
    list: { processes: [one], postmaster, requests: requests.list(50) },
    walk: { processes: [one], postmaster, requests: await walkRequests(one.port, businesses) },
    events: { processes: [one], postmaster, requests: requests.events },
    unchanged: {
      processes: [one],
      postmaster,
      requests: await unchangedRequests(one.port, businesses),
      status: '304',
    },
  } satisfies Record<string, Target>;
  const writes = writesOf(businesses);
  const written = {
    company: { processes: [one], postmaster, requests: writes.company },
    contact: { processes: [one], postmaster, requests: writes.contact },
    leadOfNewCompany: { processes: [one], postmaster, requests: writes.leadOfNewCompany },
    order: { processes: [one], postmaster, requests: writes.order },
    update: { processes: [one], postmaster, requests: writes.update },
    upsert: { processes: [one], postmaster, requests: writes.upsert },
  } satisfies Record<string, Target>;

  // Everything is warm before anything counts: what is not takes up to twice the CPU time.
  for (const target of [base, ...Object.values(targets), ...Object.values(written)]) {
    await measure(load, target, 2000);
  }
  const runs: Record<keyof typeof targets | keyof typeof written, Pair[]> = {
    me: [],
    lead: [],
    list: [],
    walk: [],
    events: [],
    unchanged: [],
    company: [],
    contact: [],
    leadOfNewCompany: [],
    order: [],
    update: [],
    upsert: [],
  };
  const names = ['me', 'lead', 'list', 'walk', 'events', 'unchanged'] as const;
  const writeNames = ['company', 'contact', 'leadOfNewCompany', 'order', 'update', 'upsert'] as const;
  for (let round = 1; round <= rounds; round += 1) {
    say(`Round ${round} of ${rounds} …`);
    for (const name of names) {
      runs[name].push(await measurePair(load, { base, own: targets[name], milliseconds }));
    }
  }
  for (const { key } of businesses) {
    for (const event of heard) await subscribe(one.port, key, event, receiver.port);
  }
  const worker = await startRole('worker', 0, environment);
  for (let round = 1; round <= rounds; round += 1) {
    say(`Round ${round} of ${rounds} with deliveries …`);
    for (const name of writeNames) {
      runs[name].push(await measurePair(load, { base, own: written[name], milliseconds: 2 * milliseconds }));
      // The hello of the next one has the machine to itself again.
      await delivered(sql);
    }
  }
  const memory = (await peakMemoryMb(one.pid)) ?? 0;
  await Promise.all([worker, one, bare, receiver].map((each) => each.stop()));

  const ratio = (name: string, pairs: readonly Pair[], goal: number): Figure =>
    figure(name, ratioOf(pairs), {
      unit: 'of hello',
      rule: 'at least',
      goal,
      note: noteOf(pairs.map(({ own }) => own)),
    });
  const hello = Object.values(runs).flatMap((pairs) => pairs.map((pair) => pair.base));
  return [
    figure('commits of the disk', commits, {
      unit: 'a second',
      rule: 'at least',
      goal: 0,
      note: 'single inserts by ten connections',
    }),
    figure('hello', 1, { unit: '', rule: 'at least', goal: 1, note: noteOf(hello) }),
    ratio('GET /me', runs.me, 0.5),
    ratio('GET /leads/{id}', runs.lead, 0.2),
    ratio('GET /leads?limit=50, the same pages', runs.list, 0.03),
    ratio('GET /leads?limit=50, a walk', runs.walk, 0.03),
    ratio('GET /events?limit=100', runs.events, 0.03),
    ratio('GET /leads/{id}, 304', runs.unchanged, 0.3),
    ratio('POST /companies, a key, a hook', runs.company, 0.05),
    ratio('POST /contacts, a key, a hook', runs.contact, 0.05),
    ratio('POST /leads of a new company and contact, a key, a hook', runs.leadOfNewCompany, 0.03),
    ratio('POST /orders of three lines, a key, a hook', runs.order, 0.03),
    ratio('PATCH /leads/{id}, a hook', runs.update, 0.05),
    ratio('POST /companies/upsert that updates, a key, a hook', runs.upsert, 0.04),
    figure('peak memory of an API process', memory, { unit: 'MB', rule: 'at most', goal: 200 }),
  ];
}

/** One hook on each of what is written. */
const heard = [
  'company.created',
  'contact.created',
  'lead.created',
  'order.created',
  'lead.updated',
  'company.updated',
] as const;

/** The process of PostgreSQL that has all others as children. */
export async function postmasterOf(sql: Database): Promise<number | undefined> {
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return backend && parentOf(backend.pid);
}

async function subscribe(port: number, key: string, event: EventType, receiver: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/public/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ target_url: `http://127.0.0.1:${receiver}/`, event }),
  });
  if (response.status !== 201) throw new Error(`No hook: ${await response.text()}`);
}

/** How many single inserts ten connections commit in a second, each synced to the disk: what bounds every write. */
async function commitsPerSecond(url: string, milliseconds: number): Promise<number> {
  const sql = connect(url, { connections: 10, name: 'bench commits', limits: noLimits });
  await sql`create table committed (number integer)`;
  const end = performance.now() + milliseconds;
  let commits = 0;
  const insert = async (): Promise<void> => {
    for (; performance.now() < end; commits += 1) await sql`insert into committed values (1)`;
  };
  await Promise.all(Array.from({ length: 10 }, insert));
  await sql`drop table committed`;
  await sql.end();
  return (commits / milliseconds) * 1000;
}

/** Waits until nothing is to be delivered any more. */
async function delivered(sql: Database): Promise<void> {
  for (;;) {
    const [waiting] = await sql`select 1 from deliveries limit 1`;
    if (!waiting) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
