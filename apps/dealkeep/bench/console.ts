// `npm run bench -- console [--json] [--quick]`: the time of the server for a page of the console, and what it
// weighs, in an organization of 100,000 leads, a million events, attempts and entries of the audit log. One request
// at a time: time is latency. A session may ask for 300 pages a minute, so several people look at each page in turn.
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { basePath } from '@dealkeep/contract';
import { connect, type Database, migrate, noLimits } from '@dealkeep/core/foundations';
import { startEmbeddedPostgres, throwawayFolder } from '@dealkeep/embedded-postgres';
import * as z from 'zod';
import { fillOrganization, ownerPassword } from './business.ts';
import { type Figure, figure, printFigures } from './figures.ts';
import { fillHistory } from './history.ts';
import { cpuSeconds, startLoadGenerator, startRole } from './processes.ts';
import { signIn, weightOf } from './visit.ts';

/** Seconds of CPU that the console has used, and its connections in the database. */
async function cpuOf(sql: Database, pid: number): Promise<{ process: number; database: number }> {
  const backends = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  const seconds = await Promise.all(backends.map((backend) => cpuSeconds(backend.pid)));
  const database = seconds.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  return { process: (await cpuSeconds(pid)) ?? Number.NaN, database };
}

/** A webhook to which nothing is sent: no worker runs. */
async function webhookOf(origin: string, key: string): Promise<string> {
  const response = await fetch(`${origin}${basePath}/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      target_url: 'http://127.0.0.1:9/hooks',
      events: ['lead.created', 'lead.updated'],
    }),
  });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`No webhook: ${response.status} ${answer}`);
  return z.object({ data: z.object({ id: z.string() }) }).parse(JSON.parse(answer)).data.id;
}

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    /** A tenth of the data and of the time: to see whether a change helps. */
    quick: { type: 'boolean', default: false },
  },
});
const scale = values.quick ? 0.1 : 1;
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const slug = 'large';
const people = 8;

const dataDir = await throwawayFolder();
const figures: Figure[] = [];
try {
  const server = await startEmbeddedPostgres({ dataDir });
  const load = startLoadGenerator();
  try {
    await migrate(server.url);
    const sql = connect(server.url, { connections: 1, name: 'bench', limits: noLimits });
    say('Filling an organization …');
    const { id, key, leads, companies } = await fillOrganization(sql, slug, 100_000 * scale);
    await sql`
      update leads set company_id = ${companies[0] ?? null} where organization_id = ${id} and id in (
        select id from leads where organization_id = ${id} limit ${10_000 * scale})`;
    const console = await startRole('api,console', 4714, {
      DATABASE_URL: server.url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
    });
    const origin = `http://127.0.0.1:${console.port}`;
    const webhook = await webhookOf(origin, key);
    await fillHistory(sql, { organization: id, webhook, count: 1_000_000 * scale });
    await sql`vacuum analyze`;
    const owner = { email: `owner@${slug}.example`, password: ownerPassword };
    const pages: Readonly<Record<string, string>> = {
      home: '/',
      list: '/leads',
      'list, sorted': '/leads?sort=value',
      'list, filtered': '/leads?status=open&archived=false',
      'list, searched': '/leads?q=renewal',
      'list of companies': '/companies',
      detail: `/leads/${leads.at(-1)}`,
      'company of 10,000 leads': `/companies/${companies[0]}`,
      'form of a change': `/leads/${leads.at(-1)}/edit`,
      'form of a new one': '/leads/new',
      'choice while typing': '/choices/company?q=tatra',
      board: '/leads/board',
      calendar: '/bookings/calendar',
      deliveries: '/integrations/deliveries',
      'deliveries that failed': '/integrations/deliveries?outcome=failed',
      'audit log': '/settings/audit-log',
      search: '/search?q=tatra',
      'search of nothing': '/search?q=xyzzy',
    };
    for (const [name, path] of Object.entries(pages)) {
      say(`${name} …`);
      const cookies: string[] = [];
      while (cookies.length < people) cookies.push(await signIn(origin, owner));
      const started = performance.now();
      const weight = await weightOf(origin, path, cookies[0] ?? '');
      const first = performance.now() - started;
      const requests = cookies.map(
        (cookie) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\n\r\n`,
      );
      const order = { ports: [console.port], connections: 1, requests };
      await load.run({ ...order, milliseconds: 1000 });
      const before = await cpuOf(sql, console.pid);
      const {
        p50,
        p99,
        requests: answers,
        statuses,
      } = await load.run({ ...order, milliseconds: 5000 * scale });
      if (statuses['200'] !== answers) throw new Error(`Answers other than 200: ${JSON.stringify(statuses)}`);
      const after = await cpuOf(sql, console.pid);
      const cpu = (of: keyof typeof after): string =>
        (((after[of] - before[of]) / answers) * 1000).toFixed(1);
      const note = `p99 ${p99.toFixed(1)} ms, CPU ${cpu('process')} + ${cpu('database')} ms, the first ${first.toFixed(0)} ms`;
      figures.push(figure(name, p50, { unit: 'ms', rule: 'at most', goal: 50, note }));
      figures.push(figure(`${name}, transferred`, weight / 1000, { unit: 'kB', rule: 'at most', goal: 100 }));
    }
    await console.stop();
    await sql.end();
  } finally {
    load.stop();
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
  // Also when a later part failed.
  printFigures(figures, values.json);
}
process.exitCode = figures.every(({ met }) => met) ? 0 : 1;
