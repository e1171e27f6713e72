import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, sharedDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { blocksOf, page } from './guide-blocks.ts';

const dealkeep = await sharedDealkeep();

test('the program of the page goes on where it was killed', async () => {
  const { key } = await dealkeep.createOrganization();
  const api = dealkeep.as(key);
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-catching-up-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program =
    blocksOf(await page('catching-up.md')).find(({ language }) => language === 'js')?.text ?? '';
  const start = () => {
    const run = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
      env: { BASE_URL: dealkeep.baseUrl, DEALKEEP_KEY: key },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void run.kill('SIGKILL'));
    let told = '';
    run.stdout.on('data', (bytes) => {
      told += bytes;
    });
    return { told: () => told, kill: () => run.kill('SIGKILL') };
  };
  await api.post('/leads', { name: 'First' });
  const one = start();
  await eventually(() => expect(one.told()).toBe('lead.created First\n'));
  await api.post('/leads', { name: 'Second' });
  await eventually(() => expect(one.told()).toBe('lead.created First\nlead.created Second\n'));
  const written = () => readFile(join(folder, 'cursor.txt'), 'utf8');
  const before = await eventually(written);
  expect(before).not.toBe('');
  one.kill();
  await api.post('/leads', { name: 'Third' });
  const other = start();
  await eventually(() => expect(other.told()).toContain('lead.created Third\n'));
  expect(other.told()).not.toContain('First');
});
