import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, noLimits } from '@dealkeep/core/foundations';
import { cachedInstall } from '@dealkeep/tooling';
import { jsonRequest } from './business.ts';
import type { Target } from './measure.ts';
import { answers, type RunningProcess, stop } from './processes.ts';
import { leadBody } from './targets.ts';

const token = 'token-of-the-benchmark';
const port = 4714;

/** Directus for comparison: run here on the developer's wish, never shipped (its license: MSCL-1.0-GPL). */
export interface Directus {
  list: Target;
  create: Target;
  stop(): Promise<void>;
}

/** Directus with as many leads of as many organizations, in a database of its own on the same PostgreSQL. */
export async function startDirectus(
  serverUrl: string,
  { organizations, leads }: { organizations: readonly string[]; leads: number },
): Promise<Directus> {
  const installed = await cachedInstall('directus-12.4.0', leaveOutScripts);
  const program = join(installed, 'node_modules', 'directus', 'cli.js');
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-bench-directus-'));
  await writeFile(join(folder, 'package.json'), '{}');
  const url = await createDatabase(serverUrl);
  const run = (command: string) =>
    spawn(process.execPath, [program, command], {
      cwd: folder,
      env: environmentOf(url, folder),
      stdio: ['ignore', 2, 2],
    });
  const [code] = await once(run('bootstrap'), 'close');
  if (code !== 0) throw new Error(`directus bootstrap ended with ${code}; its message is above`);
  const child = run('start');
  const end = async (): Promise<void> => {
    await stop(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await answers(`http://127.0.0.1:${port}/server/ping`, child);
    await createLeads(url, organizations, leads);
  } catch (error) {
    await end();
    throw error;
  }
  const processes: RunningProcess[] = [{ pid: child.pid ?? 0, port, stop: end }];
  return { ...targetsOf(processes, organizations), stop: end };
}

/** The sandbox for scripts of users is compiled on installation; nothing that is measured needs it. */
async function leaveOutScripts(folder: string): Promise<void> {
  const out = join(folder, 'node_modules', 'isolated-vm', 'out');
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'isolated_vm.js'), 'exports.ivm = {};\n');
}

async function createDatabase(serverUrl: string): Promise<URL> {
  const sql = connect(serverUrl, { connections: 1, name: 'bench', limits: noLimits });
  await sql`create database directus`;
  await sql.end();
  const url = new URL(serverUrl);
  url.pathname = '/directus';
  return url;
}

/** No cache, no limit of rates, no telemetry; all else is its default. */
const environmentOf = (url: URL, folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: folder,
  DB_CLIENT: 'pg',
  DB_HOST: url.hostname,
  DB_PORT: url.port,
  DB_DATABASE: url.pathname.slice(1),
  DB_USER: decodeURIComponent(url.username),
  DB_PASSWORD: decodeURIComponent(url.password),
  SECRET: token,
  ADMIN_EMAIL: 'owner@bench.example.com',
  ADMIN_PASSWORD: 'a password of the benchmark',
  ADMIN_TOKEN: token,
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  HOST: '127.0.0.1',
  PORT: String(port),
  LOG_LEVEL: 'error',
  CACHE_ENABLED: 'false',
  RATE_LIMITER_ENABLED: 'false',
  TELEMETRY: 'false',
  SERVE_APP: 'false',
});

/** A collection as its own application makes one, with an index that suits the list. */
async function createLeads(url: URL, organizations: readonly string[], leads: number): Promise<void> {
  const field = (name: string, type: string, schema: object = {}, meta: object = {}) => ({
    field: name,
    type,
    schema,
    meta,
  });
  const response = await fetch(`http://127.0.0.1:${port}/collections`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      collection: 'leads',
      schema: {},
      meta: {},
      fields: [
        field('id', 'uuid', { is_primary_key: true }, { special: ['uuid'] }),
        field('organization_id', 'uuid'),
        field('name', 'string'),
        field('value', 'decimal', { numeric_precision: 15, numeric_scale: 2 }),
        field('note', 'text'),
        field('status', 'string'),
        field('created_at', 'timestamp', {}, { special: ['date-created'] }),
        field('updated_at', 'timestamp', {}, { special: ['date-updated'] }),
      ],
    }),
  });
  if (!response.ok) throw new Error(`No collection: ${await response.text()}`);
  const sql = connect(url.href, { connections: 1, name: 'bench', limits: noLimits });
  await sql`
    insert into leads (id, organization_id, name, value, note, status, created_at, updated_at)
    select gen_random_uuid(), organization::uuid, 'Lead ' || n, 1500.5, 'Asked for a call back.', 'open',
           now() - n * interval '1 minute', now() - n * interval '1 minute'
    from unnest(${[...organizations]}::text[]) as organization,
         generate_series(1, ${Math.round(leads / organizations.length)}::integer) as n`;
  await sql`create index on leads (organization_id, created_at)`;
  await sql`vacuum analyze leads`;
  await sql.end();
}

function targetsOf(processes: RunningProcess[], organizations: readonly string[]) {
  const newest = (organization: string) =>
    `/items/leads?limit=25&sort=-created_at&filter[organization_id][_eq]=${organization}`;
  return {
    list: { processes, requests: organizations.map((each) => jsonRequest('GET', newest(each), token)) },
    create: {
      processes,
      requests: organizations.map((organization_id, index) =>
        jsonRequest('POST', '/items/leads', token, { ...leadBody(index), organization_id }),
      ),
    },
  };
}
