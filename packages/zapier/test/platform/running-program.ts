import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { close, listen } from './listen.ts';
import type { Connection } from './platform.ts';

export interface RunningDealkeep {
  /** A key of its own for each caller. */
  connect(): Promise<Connection>;
  /** The keys given out so far. */
  readonly secrets: readonly string[];
  stop(): Promise<void>;
}

const program = join(import.meta.dirname, '..', '..', '..', '..', 'apps', 'dealkeep', 'bin', 'dealkeep.js');
const run = promisify(execFile);
const readyWithinSeconds = 90;
const slug = 'zapier-run';

/** The whole program as an operator starts it, on a data folder and a port of its own, with an organization. */
export async function startProgram(): Promise<RunningDealkeep> {
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-program-'));
  const port = await freePort();
  const env = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    PORT: port,
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1/32,localhost',
    LOG_LEVEL: 'warn',
  };
  const server = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const command = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await run(process.execPath, [program, ...args, '--json'], { env })).stdout);

  const stop = async (): Promise<void> => {
    await ended(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ready(server, `http://127.0.0.1:${port}/readyz`, () => printed);
    await command('organizations', 'create', '--name', 'Zapier run', '--slug', slug);
    // The scenario asks for more in a minute than one connection may by default.
    const limits = ['--requests-per-minute', '6000', '--org-requests-per-minute', '6000'];
    await command('organizations', 'update', slug, ...limits);
    await command(
      ...['users', 'create', '--organization', slug, '--name', 'Jana Horváthová'],
      ...['--email', 'jana@zapier-run.example', '--password', 'correct horse battery', '--role', 'owner'],
    );
    await command('demo', 'seed', '--organization', slug);
  } catch (error) {
    await stop();
    throw error;
  }
  const secrets: string[] = [];
  return {
    secrets,
    connect: async () => {
      const made = ['keys', 'create', '--organization', slug, '--name', 'Zapier', '--preset', 'automation'];
      const token = String((await command(...made))['token']);
      secrets.push(token);
      return { base_url: `http://127.0.0.1:${port}/api/v1/public`, api_key: token };
    },
    stop,
  };
}

async function ready(server: ChildProcess, url: string, printed: () => string): Promise<void> {
  for (let waited = 0; waited < readyWithinSeconds * 5; waited += 1) {
    if (server.exitCode !== null)
      throw new Error(`dealkeep start ended with ${server.exitCode}:\n${printed()}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error(`dealkeep start was not ready after ${readyWithinSeconds} s:\n${printed()}`);
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exit = once(server, 'exit');
  server.kill('SIGTERM');
  await exit;
}

async function freePort(): Promise<string> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await close(server);
  return port;
}
