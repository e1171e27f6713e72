import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, sharedDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { pasted, sendPasted } from './pasted-command.ts';

const dealkeep = await sharedDealkeep();
const guide = await readFile(new URL('../../../../docs/catching-up.md', import.meta.url), 'utf8');
const blocksOf = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);

test('the commands of the page catch up, and wait for what comes', async () => {
  const { key } = await dealkeep.createOrganization();
  const api = dealkeep.as(key);
  const environment: Record<string, string> = { BASE_URL: 'http://here/api/v1/public', DEALKEEP_KEY: key };
  const send = (command: string) =>
    sendPasted(pasted(command, environment), ['http://here', dealkeep.origin]);
  const [begin = '', goOn = ''] = blocksOf('sh');
  await api.post('/leads', { name: 'First' });
  const first = await send(begin);
  expect(first).toMatchObject({
    status: 200,
    body: { data: [{ data: { name: 'First' } }], has_more: false },
  });
  environment['CURSOR'] = first.body.next_cursor;
  const waiting = send(goOn);
  await api.post('/leads', { name: 'Second' });
  expect(await waiting).toMatchObject({ status: 200, body: { data: [{ data: { name: 'Second' } }] } });
});

test('the program of the page goes on where it was killed', async () => {
  const { key } = await dealkeep.createOrganization();
  const api = dealkeep.as(key);
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-catching-up-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [program = ''] = blocksOf('js');
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
