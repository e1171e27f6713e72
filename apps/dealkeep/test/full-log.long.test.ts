import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { eventually, freePort } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ownDatabase, program } from './program.ts';

/** A program that says much, until it is told to stop. `stdout` is where it says it. */
async function talkative(stdout: 'pipe' | number) {
  const port = await freePort();
  const child = spawn(process.execPath, [program, 'start'], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...(await ownDatabase()),
      PORT: String(port),
      LOG_LEVEL: 'debug',
      DRAIN_SECONDS: '0',
    },
    stdio: ['ignore', stdout, 'ignore'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  });
  const ask = async () => (await fetch(`http://localhost:${port}/readyz`)).status;
  await eventually(async () => expect(await ask()).toBe(200));
  return { child, ask, ended };
}

test.each(['a full disk under stdout', 'a reader of stdout that has gone'])(
  '%s ends nothing: the program goes on, and a signal ends it in order',
  async (trouble) => {
    // Every write to it fails as on a full disk.
    const file = trouble.startsWith('a full') ? openSync('/dev/full', 'w') : undefined;
    onTestFinished(() => (file === undefined ? undefined : closeSync(file)));
    const { child, ask, ended } = await talkative(file ?? 'pipe');
    child.stdout?.destroy();
    for (let asked = 0; asked < 50; asked += 1) expect(await ask()).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);
