import { createServer } from 'node:http';
import { listQueue, pauseQueue, queueStatus, resumeQueue } from '@dealkeep/core/installation';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { dealkeep, oneLine, result } from './program.ts';

const running = await startDealkeep({ timing: { sweepEveryMs: 100 } });
const variables = { DATABASE_URL: running.databaseUrl, SECRETS_KEY: Buffer.alloc(32).toString('base64') };
const json = <Result = Record<string, unknown>>(...args: string[]) =>
  result<Result>(['queue', ...args], variables);
const text = (...args: string[]) => dealkeep(['queue', ...args], variables);

const { sql } = running;
afterEach(async () => {
  await sql`delete from queue_pauses`;
  await resumeQueue(sql, { all: true });
});

let arrived = 0;
let host = '';
let slug = '';
let hook = '';
let createLead = async (): Promise<unknown> => undefined;

beforeAll(async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      arrived += 1;
      response.writeHead(503, { 'retry-after': '3600' }).end();
    });
  }).listen(0, '127.0.0.1');
  await eventually(() => expect(server.listening).toBe(true));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  host = `127.0.0.1:${address.port}`;
  const organization = await running.createOrganization();
  slug = organization.slug;
  const api = running.as(organization.key);
  const body = { target_url: `http://${host}/secret`, events: ['lead.created'] };
  hook = (await api.post('/webhooks', body)).data.id;
  createLead = () => api.post('/leads', { name: 'Lead' });
  await createLead();
  await eventually(async () => expect((await queueStatus(sql)).retrying).toBe(1));
  return () => server.close();
});

test('queue shows at a glance what waits, who works on it, where it is slow and for whom (rule operator 29)', async () => {
  await eventually(async () => expect((await queueStatus(sql)).failing_hosts).toHaveLength(1));
  // Until the job of the attempt, which has answered already, is gone, too.
  const status = await eventually(async () => {
    const told = await json('status');
    expect(told).toMatchObject({
      deliveries: 'sending',
      paused_at: null,
      waiting: 1,
      due: 0,
      due_paused: 0,
      retrying: 1,
      in_flight: 0,
      mails: 0,
      pauses: [],
      jobs: { waiting: 0, running: 0, lost: 0, failed: 0 },
      workers: [{ state: 'running', leases: 0, jobs: 0 }],
      slowest_hosts: [{ host, attempts: 1, failures: 1 }],
      failing_hosts: [{ host, attempts: 1, failures: 1 }],
      organizations: [{ organization: slug, waiting: 1, due: 0, in_flight: 0, oldest_due_seconds: 0 }],
    });
    return told;
  });
  expect(Object.keys(await json())).toEqual(Object.keys(status));
  const { code, stdout } = await text();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^jobs +0 wait.*\ndeliveries +1 wait, 0 of them due, 1 for a retry; 0 in flight\n/);
  for (const title of ['WORKERS\n', 'SLOWEST HOSTS, last hour\nhost ', 'ORGANIZATIONS\norganization ']) {
    expect(stdout).toContain(title);
  }
});

test('queue list shows the webhooks that something waits for, and how they stand', async () => {
  const listed = await json<Record<string, unknown>[]>('list');
  expect(listed).toMatchObject([
    {
      webhook_id: hook,
      organization: slug,
      host,
      standing: 'failing',
      paused_by: null,
      waiting: 1,
      due: 0,
      next_attempt_at: expect.any(String),
    },
  ]);
  const other = (await running.createOrganization()).slug;
  expect(await listQueue(sql, { organization: other })).toEqual([]);
  expect(await json('list', '--organization', slug, '--host', host, '--limit', '1')).toEqual(listed);
  await pauseQueue(sql, { host: '127.0.0.1' }, 'A\u202eB');
  expect(await json('list')).toMatchObject([{ standing: 'paused', paused_by: 'host', reason: 'A\u202eB' }]);
  const { stdout } = await text('list');
  expect(stdout).toMatch(/^webhook_id +organization +host +standing +paused_by/);
  expect(stdout).not.toContain('\u202e');
  await pauseQueue(sql, { all: true }, 'Upgrade');
  expect(await json('list')).toMatchObject([{ standing: 'paused', paused_by: 'all', reason: 'Upgrade' }]);
});

test('queue pause and resume take one part, tell what is paused, and may be repeated (rules operator 29 and 33)', async () => {
  const before = arrived;
  const reason = 'Their maintenance';
  const pause = ['pause', '--webhook', hook, '--reason', reason];
  const first = await json(...pause);
  expect(first).toMatchObject({
    deliveries: 'sending',
    pauses: [{ kind: 'webhook', webhook_id: hook, organization: slug, host: null, reason }],
  });
  expect((await json(...pause)).pauses).toEqual(first.pauses);
  await createLead();
  expect(await queueStatus(sql)).toMatchObject({ due: 1, due_paused: 1 });
  expect((await text('status')).stdout).toMatch(
    /\(1 are paused\)[\s\S]*PAUSED\npart +which +paused_at +reason\nwebhook +/,
  );
  expect(arrived).toBe(before);
  for (const _ of [1, 2]) expect(await json('resume', '--webhook', hook)).toMatchObject({ pauses: [] });
  await eventually(() => expect(arrived).toBe(before + 1));
  expect((await text('resume', '--all')).stdout).toContain('paused      nothing');
});

test.each([[], ['--all', '--host', 'a.example'], ['--webhook', '1', '--organization', 'a']])(
  'which part is paused is said once: %j is wrong usage',
  async (...given) => {
    for (const command of ['pause', 'resume']) {
      const { code, stdout, stderr } = await text(command, ...given.flat());
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(stderr).toContain('exactly one of --all, --webhook, --host and --organization');
      expect(stderr).toContain('Usage:');
    }
  },
);

test.each([
  ['--webhook', 'x', /^.*--webhook takes the id of a webhook: "x" is not the id of a webhook/],
  [
    '--webhook',
    '11111111-1111-4111-8111-111111111111',
    /--webhook takes the id of a webhook: There is no webhook with the id/,
  ],
  [
    '--organization',
    'nobody',
    /--organization takes a slug: There is no organization "nobody"; `dealkeep organizations list`/,
  ],
  ['--host', 'https://Hooks.example.com/path', /--host takes a host.*; write hooks\.example\.com$/m],
  ['--host', 'hooks.example.com/path', /--host takes a host/],
  [
    '--host',
    'nobody.example',
    /--host names nobody\.example, where no webhook goes; `dealkeep webhooks list`/,
  ],
])('%s %s is refused in one line that names the option', async (option, value, message) => {
  const { code, stdout, stderr } = await text('pause', option, value);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(oneLine);
  expect(stderr).toMatch(message);
});

test('queue list refuses what is no number, and an unknown organization', async () => {
  for (const given of ['--limit=0', '--organization=nobody']) {
    const { code, stderr } = await text('list', given);
    expect(code).toBe(1);
    expect(stderr).toMatch(oneLine);
    expect(stderr).toContain(given.split('=')[0]);
  }
});

test('what waits for the pace of its webhook is told apart from what is due', async () => {
  await sql`update webhooks set max_per_minute = 1, paced_until = now() + interval '1 hour' where id = ${hook}`;
  await sql`update deliveries set due_at = now() - interval '1 hour' where webhook_id = ${hook}`;
  const { code, stdout } = await text();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /\ndeliveries +2 wait, 0 of them due, 2 for the pace of their webhook, 0 for a retry; 0 in flight\noldest due +0 s\n/,
  );
  expect(await json('status')).toMatchObject({
    due: 2,
    due_paced: 2,
    organizations: [{ organization: slug, due: 2, due_paced: 2, oldest_due_seconds: 0 }],
  });
});
