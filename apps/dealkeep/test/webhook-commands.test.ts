import { createServer } from 'node:http';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { dealkeep, oneLine, result } from './program.ts';

const running = await startDealkeep({ timing: { sweepEveryMs: 10 } });
const variables = { DATABASE_URL: running.databaseUrl, SECRETS_KEY: Buffer.alloc(32).toString('base64') };
const json = <Result = Record<string, unknown>[]>(...args: string[]) =>
  result<Result>(['webhooks', ...args], variables);
const text = (...args: string[]) => dealkeep(['webhooks', ...args], variables);

/** Waits until the log has an attempt for the webhook with this answer: the command takes a process each time. */
const logged = (webhook: string, answer: number) =>
  eventually(async () =>
    expect(
      await running.sql`select from attempts where webhook_id = ${webhook} and status = ${answer}`,
    ).not.toEqual([]),
  );

let status = 503;
let receiver = '';
let slug = '';
let hook = '';
let event = '';
const arrived: string[] = [];

beforeAll(async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      arrived.push(String(request.headers['webhook-id']));
      response.writeHead(status, { 'retry-after': '3600' }).end('not\nnow\u202e');
    });
  }).listen(0, '127.0.0.1');
  await eventually(() => expect(server.listening).toBe(true));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  const organization = await running.createOrganization();
  slug = organization.slug;
  const api = running.as(organization.key);
  receiver = `http://127.0.0.1:${address.port}/secret`;
  hook = (await api.post('/webhooks', { target_url: receiver, events: ['lead.created'], name: 'Mail' })).data
    .id;
  await api.post('/leads', { name: 'Kováč' });
  await logged(hook, 503);
  event = arrived[0] ?? '';
  return () => server.close();
});

test('webhooks list shows each webhook and how it does (rule operator 29)', async () => {
  expect(await json('list', '--organization', slug)).toEqual([
    expect.objectContaining({
      id: hook,
      name: 'Mail',
      kind: 'rest_hook',
      state: 'active',
      events: ['lead.created'],
      failing_since: expect.any(String),
    }),
  ]);
  const { code, stdout } = await text('list', '--organization', slug);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^id +name +kind +state +failing_since +held_events +events +target_url\n/);
});

test('webhooks inspect shows the last deliveries of a webhook', async () => {
  expect(await json('inspect', hook)).toEqual([
    expect.objectContaining({
      event_id: event,
      webhook_id: hook,
      event_type: 'lead.created',
      outcome: 'waiting',
      status: 503,
      error: null,
      next_attempt_at: expect.any(String),
    }),
  ]);
  const { stdout } = await text('inspect', hook);
  expect(stdout).toMatch(/^last_attempt_at +outcome +attempts +status/);
  expect(stdout).toContain(event);
});

test('webhooks inspect shows the log of a webhook that ended, so that one sees why', async () => {
  const organization = await running.createOrganization();
  const api = running.as(organization.key);
  status = 410;
  onTestFinished(() => {
    status = 503;
  });
  const { id } = (
    await api.post('/webhooks', { target_url: receiver, events: ['company.created'], name: 'Ends' })
  ).data;
  await api.post('/companies', { name: 'Last' });
  await eventually(async () => expect((await api.get(`/webhooks/${id}`)).status).toBe(404));
  await logged(id, 410);
  expect(await json('inspect', id)).toMatchObject([{ webhook_id: id, outcome: 'failed', status: 410 }]);
  expect((await text('replay', '--webhook', id)).stderr).toContain('no webhook with the id');
});

test('webhooks inspect tells the whole story of an event', async () => {
  const [delivery] = await json<{ body: string; log: object[] }[]>('inspect', event);
  expect(delivery).toMatchObject({
    event_id: event,
    webhook_id: hook,
    webhook_name: 'Mail',
    outcome: 'waiting',
    log: [
      { number: 1, status: 503, response_start: 'not\nnow\u202e', request_headers: { 'webhook-id': event } },
    ],
  });
  expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ id: event, data: { name: 'Kováč' } });
  const { stdout } = await text('inspect', event);
  expect(stdout).toContain('waiting, next attempt at 2');
  expect(stdout).toMatch(/^1 .* 503 .*not now\\u202e$/m);
});

test('webhooks inspect shows also what an event still waits for', async () => {
  const organization = await running.createOrganization();
  const api = running.as(organization.key);
  const target_url = 'http://127.0.0.1:9/hook';
  const { id } = (await api.post('/webhooks', { target_url, events: ['lead.created'] })).data;
  await running.sql`update organizations set subscription = 'active' where id = ${organization.id}`;
  await running.sql.begin(async (tx) => {
    // Nothing is claimed meanwhile.
    await tx`lock table deliveries in access exclusive mode`;
    await tx`
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      values (${organization.id}, 'evt_untried', 'lead.created', ${id}, now(), '{}')`;
    await tx`
      insert into held_events (organization_id, webhook_id, event_id, attempts, occurred_at, held_at)
      values (${organization.id}, ${id}, 'evt_untried', 0, now(), now() + interval '1 day')`;
    await tx`update webhooks set disabled_reason = 'failing', disabled_at = now() where id = ${id}`;
  });
  expect(await json('inspect', 'evt_untried')).toMatchObject([
    { webhook_id: id, outcome: 'held', attempts: 0, log: [] },
  ]);
  expect((await text('inspect', 'evt_untried')).stdout).toContain('not tried yet');
});

test('webhooks replay sends again and answers how many (rule operator 29)', async () => {
  status = 200;
  onTestFinished(() => {
    status = 503;
  });
  const later = new Date(Date.now() + 60_000).toISOString();
  expect(await json('replay', '--webhook', hook, '--failed', '--since', later)).toEqual({ count: 0 });
  const before = arrived.length;
  expect(await json('replay', '--webhook', hook, '--failed')).toEqual({ count: 1 });
  await eventually(() => expect(arrived.slice(before)).toEqual([event]));
  await logged(hook, 200);
  expect((await json('inspect', event))[0]).toMatchObject({ outcome: 'delivered' });
  expect(await json('replay', '--webhook', hook, '--failed')).toEqual({ count: 0 });
});

describe('what cannot be done ends with 1 and one line on stderr', () => {
  const nobody = '00000000-0000-4000-8000-000000000000';
  test.each([
    ['an unknown organization', ['list', '--organization', 'nobody'], /nobody/],
    ['an unknown webhook', ['inspect', nobody], /no webhook.*webhooks list/],
    ['an id of nothing', ['inspect', 'x'], /"x" is not the id/],
    ['an unknown event', ['inspect', 'evt_0'], /no event "evt_0"/],
    ['a replay to an unknown webhook', ['replay', '--webhook', nobody], /no webhook/],
    ['a moment that is none', ['replay', '--webhook', nobody, '--since', 'today'], /--since.*2027/],
  ])('%s', async (_, args, said) => {
    const { code, stdout, stderr } = await text(...args, '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(said);
  });
});

test.each([
  ['list without an organization', ['list']],
  ['inspect without an id', ['inspect']],
  ['replay without a webhook', ['replay', '--failed']],
])('wrong usage ends with 64 and the usage: %s', async (_, args) => {
  const { code, stdout, stderr } = await text(...args);
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr).toMatch(/^Usage: dealkeep webhooks/m);
});
