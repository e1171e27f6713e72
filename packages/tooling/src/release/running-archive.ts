import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutNpm } from '../without-npm.ts';

/** Minutes of a slow machine: the first start makes a database and a demo organization. */
const startLimit = 180_000;

/** Starts an installed archive by `npm start`, as its README says, and ends it by Ctrl-C when `use` is done. */
export async function withRunningArchive(
  application: string,
  use: (running: { readonly origin: string; readonly key: string }) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const program = spawn('npm', ['start'], {
    cwd: application,
    env: { ...withoutNpm(process.env), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which a terminal's Ctrl-C reaches as a whole.
    detached: true,
  });
  let log = '';
  for (const output of [program.stdout, program.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const ended = once(program, 'close');
  try {
    const end = Date.now() + startLimit;
    while (!(await isReady(origin))) {
      assert(program.exitCode === null && Date.now() < end, `npm start does not become ready:\n${log}`);
      await sleep(200);
    }
    const login = await readFile(join(application, '.data', 'demo-login'), 'utf8');
    const key = /^API key +(\S+)$/m.exec(login)?.[1];
    assert(key, '.data/demo-login has an API key');
    await use({ origin, key });
    process.kill(-(program.pid ?? 0), 'SIGINT');
    await ended;
    await assert.rejects(fetch(`${origin}/healthz`), 'after Ctrl-C nothing listens any more');
  } finally {
    if (program.exitCode === null && program.signalCode === null)
      process.kill(-(program.pid ?? 0), 'SIGKILL');
  }
}

const isReady = (origin: string): Promise<boolean> =>
  fetch(`${origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  assert(address !== null && typeof address !== 'string');
  return address.port;
}
