import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = join(import.meta.dirname, '..', '..', 'dealkeep', 'bin', 'dealkeep.js');

/** Where hooks of examples are sent instead: nobody listens there. */
export const reachableTarget = 'http://127.0.0.1:9/';

/** Dealkeep as a newcomer starts it, on a free port with the demo organization. */
export async function startDealkeep(dataDir: string) {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATA_DIR: dataDir,
    PORT: '0',
    WEBHOOK_ALLOWED_TARGETS: new URL(reachableTarget).host,
  };
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  let said = '';
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const origin = /OpenAPI +(http:\/\/[^/\s]+)/.exec(said)?.[1];
      if (origin !== undefined) resolve(origin);
    });
    ended.then(() => reject(new Error(`Dealkeep did not start: ${said}`)), reject);
  });
  const origin = await ready;
  // Where nobody looks at a terminal, what the demo is used with stands in a file.
  const demo = await readFile(join(dataDir, 'demo-login'), 'utf8');
  const key = /dk_\w+/.exec(demo)?.[0];
  if (key === undefined) throw new Error('The demo has no API key');
  // Whatever sends every example sends more in a minute than a key may by default.
  const limits = ['--requests-per-minute', '10000', '--org-requests-per-minute', '10000'];
  await promisify(execFile)(process.execPath, [program, 'organizations', 'update', 'demo', ...limits], {
    env,
  });
  return { origin, key, stop };
}
