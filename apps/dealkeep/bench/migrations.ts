// `npm run bench -- migrations [--json] [--quick] [--leads N]`: what a writer feels while a large installation of
// the older version, of a million leads and as many events, is migrated by this one. Somebody reads beside it in
// transactions of a second, behind which a migration waits for its locks, and the writer behind the migration.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Database, noLimits, systemClock } from '@dealkeep/core/foundations';
import { restoreBackup } from '@dealkeep/core/installation';
import { startEmbeddedPostgres, throwawayFolder } from '@dealkeep/embedded-postgres';
import { newestOlder, readCheckout, releasedBackups, releasedFolder } from '../test/released.ts';
import { multiplyLeads } from './business.ts';
import { figure, printFigures } from './figures.ts';
import { fillHistory } from './history.ts';
import { readLargeOptions } from './large-options.ts';

const { json, leads } = readLargeOptions();
/** The writer is watched so long before the migration, to know what is not its doing. */
const beforeMs = 15_000;
const writtenEveryMs = 5;
const reader = { readsMs: 1_000, restsMs: 250 };
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const program = join(import.meta.dirname, '..', 'bin', 'dealkeep.js');

/** An installation as the older version left it, made large. */
async function fillOlder(url: string): Promise<{ name: string; organization: string }> {
  const name = newestOlder(await releasedBackups(), await readCheckout());
  if (name === undefined) throw new Error('There is no backup of an older version');
  await restoreBackup(url, createReadStream(join(releasedFolder, `${name}.backup`)), {
    clock: systemClock,
    environment: 'live',
    changeEnvironment: true,
    fingerprints: undefined,
    as: 'moved',
    keys: 'keep',
    webhooks: 'disable',
  });
  const sql = connect(url, { connections: 1, name: 'bench', limits: noLimits });
  try {
    const [row] = await sql<{ id: string }[]>`select organization_id as id from leads limit 1`;
    if (row === undefined) throw new Error(`released/${name}.backup has no lead`);
    say(`Filling an installation of ${name} with ${leads} leads …`);
    await multiplyLeads(sql, row.id, leads);
    await fillHistory(sql, { organization: row.id, webhook: row.id, count: leads });
    await sql`vacuum analyze`;
    return { name, organization: row.id };
  } finally {
    await sql.end();
  }
}

/** What a request that changes a lead does: who asks for which organization, the change, its event. */
async function change(sql: Database, organization: string, lead: string): Promise<number> {
  const began = performance.now();
  await sql.begin(async (tx) => {
    await tx`
      select o.id, k.id from organizations o join api_keys k on k.organization_id = o.id where o.id = ${organization}`;
    await tx`
      update leads set value = coalesce(value, 0) + 1, updated_at = now() where organization_id = ${organization} and id = ${lead}`;
    await tx`
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      values (${organization}, 'evt_' || gen_random_uuid(), 'lead.updated', ${lead}, now(), '{}')`;
  });
  return performance.now() - began;
}

/** Changes leads until it is told to stop; `waits` are the times that each change took, in milliseconds. */
async function write(sql: Database, organization: string, end: AbortSignal, waits: number[]): Promise<void> {
  const some = await sql<{ id: string }[]>`
    select id from leads where organization_id = ${organization} limit 1000`;
  for (let at = 0; !end.aborted; at += 1) {
    const { id } = some[at % some.length] ?? { id: '' };
    waits.push(await change(sql, organization, id));
    await sleep(writtenEveryMs);
  }
}

async function read(sql: Database, organization: string, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    await sql.begin(async (tx) => {
      await tx`select from organizations, processes where organizations.id = ${organization}`;
      await tx`select from leads where organization_id = ${organization} limit 25`;
      await sleep(reader.readsMs);
    });
    await sleep(reader.restsMs);
  }
}

async function migrateByCommand(url: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [program, 'migrate'], {
    env: { ...process.env, DATABASE_URL: url, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') },
    stdio: ['ignore', 2, 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`dealkeep migrate ended with ${code}`);
  return (performance.now() - began) / 1000;
}

const folder = await throwawayFolder();
try {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
  try {
    const { name, organization } = await fillOlder(server.url);
    const sql = connect(server.url, { connections: 2, name: 'bench', limits: noLimits });
    const end = new AbortController();
    const waits: number[] = [];
    const busy = Promise.all([
      write(sql, organization, end.signal, waits),
      read(sql, organization, end.signal),
    ]);
    say('The writer without a migration …');
    await Promise.race([sleep(beforeMs), busy]);
    const before = waits.splice(0);
    say('Migration …');
    const seconds = await migrateByCommand(server.url).finally(async () => {
      end.abort();
      // A change that still waits counts, too.
      await busy;
      await sql.end();
    });
    const note = `${seconds.toFixed(1)} s from ${name} to this version, ${waits.length} changes; ${longest(before).toFixed(0)} ms without it, of ${before.length}`;
    const goal = { unit: 'ms', rule: 'at most', goal: 200, note } as const;
    const figures = [figure('longest change of a lead beside a migration', longest(waits), goal)];
    printFigures(figures, json);
    if (figures.some(({ met }) => !met)) process.exitCode = 1;
  } finally {
    await server.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function longest(waits: readonly number[]): number {
  return waits.reduce((most, each) => Math.max(most, each), 0);
}
