import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ownDatabase, startReady } from './program.ts';

const hasProcesses = existsSync('/proc/self/status');

test.runIf(hasProcesses)('a process that begins to answer has given back what its start took', async () => {
  const { child, origin, end } = await startReady({ ...(await ownDatabase()), ROLES: 'api' });
  // It is answered when everything is in place.
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  // What belongs to the process alone, in kB: without the program of Node itself.
  const own = Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]);
  // 118 MB before anything was given back, 70 to 85 since.
  expect(own).toBeLessThan(100 * 1024);
  expect((await end('SIGTERM')).code).toBe(0);
});

test('the young generation grows to its limit again after the garbage of the start was given back', async () => {
  const program = `
    import { setImmediate } from 'node:timers/promises';
    import { getHeapSpaceStatistics } from 'node:v8';
    import { giveBackGarbageOfStart } from '${new URL('../src/heap-limits.ts', import.meta.url)}';
    const sizeOfYoung = () =>
      getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    const work = async () => {
      const kept = [];
      for (let count = 0; count < 500; count += 1) {
        kept[count % 20] = Array.from({ length: 2000 }, (_, number) => ({ number }));
        await setImmediate();
      }
    };
    await work();
    const grown = sizeOfYoung();
    giveBackGarbageOfStart();
    const givenBack = sizeOfYoung();
    await work();
    process.stdout.write(JSON.stringify({ grown, givenBack, again: sizeOfYoung() }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const { grown, givenBack, again } = JSON.parse(stdout);
  expect(givenBack).toBeLessThan(grown / 2);
  expect(again).toBeGreaterThan(grown / 2);
});
