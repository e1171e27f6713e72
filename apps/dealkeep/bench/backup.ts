// `npm run bench -- backup [--json] [--quick] [--leads N]`: a backup of an organization of a million leads, each
// with an event and an attempt, its restore into another database of the same embedded PostgreSQL, and its move into
// a third one, on the disk and with every commit written to it, each by the command as an operator runs it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, migrate, noLimits } from '@dealkeep/core/foundations';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { fillOrganization, multiplyLeads } from './business.ts';
import { type Figure, figure, printFigures } from './figures.ts';
import { fillHistory } from './history.ts';
import { readLargeOptions } from './large-options.ts';
import { peakMemoryMb } from './processes.ts';

const { json, leads } = readLargeOptions();
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const program = join(import.meta.dirname, '..', 'bin', 'dealkeep.js');

interface Ran {
  seconds: number;
  memoryMb: number;
}

/** Runs a command to its end; an error when it fails. */
async function run(args: readonly string[], url: string): Promise<Ran> {
  const began = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, DATABASE_URL: url, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let memoryMb = 0;
  // The system keeps the highest ever, so it only has to be read shortly before the end.
  const look = setInterval(async () => {
    memoryMb = Math.max(memoryMb, (await peakMemoryMb(child.pid ?? 0)) ?? 0);
  }, 100);
  const said = text(child.stdout);
  const [code] = await once(child, 'close');
  clearInterval(look);
  if (code !== 0) throw new Error(`dealkeep ${args.join(' ')} ended with ${code}`);
  say(await said);
  return { seconds: (performance.now() - began) / 1000, memoryMb };
}

const folder = await mkdtemp(join(tmpdir(), 'dealkeep-backup-'));
const figures: Figure[] = [];
try {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
  try {
    await migrate(server.url);
    const sql = connect(server.url, { connections: 1, name: 'bench', limits: noLimits });
    say(`Filling an organization of ${leads} leads …`);
    const { id } = await fillOrganization(sql, 'large', 1000);
    await multiplyLeads(sql, id, leads);
    await fillHistory(sql, { organization: id, webhook: id, count: leads });
    await sql`update installation set environment = 'live'`;
    await sql`vacuum analyze`;
    const [size] = await sql<
      { mb: number }[]
    >`select (pg_database_size(current_database()) / 1e6)::integer as mb`;
    await sql`create database restored`;
    await sql`create database moved`;
    await sql.end();
    const file = join(folder, 'large.backup');
    const addressOf = (database: string): string => new URL(`/${database}`, server.url).href;
    say('Backup …');
    const backup = await run(['backup', file], server.url);
    const note = `database ${size?.mb} MB, file ${((await stat(file)).size / 1e6).toFixed(0)} MB`;
    say('Verify …');
    const verify = await run(['verify', file], server.url);
    say('Restore …');
    const restore = await run(
      ['restore', file, '--keys', 'keep', '--webhooks', 'keep'],
      addressOf('restored'),
    );
    say('Move …');
    const move = await run(['move-to', addressOf('moved')], server.url);
    // Of a million leads, in proportion of fewer.
    const goal = (300 * leads) / 1_000_000;
    for (const [name, ran] of Object.entries({ backup, verify, restore, 'move-to': move })) {
      const seconds = { unit: 's', rule: 'at most', goal, note: name === 'backup' ? note : '' } as const;
      figures.push(figure(name, ran.seconds, seconds));
      figures.push(figure(`${name}, memory`, ran.memoryMb, { unit: 'MB', rule: 'at most', goal: 300 }));
    }
  } finally {
    await server.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
printFigures(figures, json);
if (figures.some(({ met }) => !met)) process.exitCode = 1;
