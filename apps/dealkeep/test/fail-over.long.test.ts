import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseSecretsKey } from '@dealkeep/core/foundations';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ask, makeOrganization, startReady, startReadyHere } from './program.ts';
import { startTwoServers, type TwoServers } from './two-servers.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

interface Receiver {
  url: string;
  /** Of what the webhooks tell, as they come. */
  ids: string[];
  /** From now on nothing is answered, until this is called. */
  hold(): () => void;
}

/** Takes webhooks. */
async function startReceiver(): Promise<Receiver> {
  let held: Promise<void> | undefined;
  const server = createServer(async (request, response) => {
    receiver.ids.push(JSON.parse(await text(request)).data.id);
    await held;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    ids: [],
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
  return receiver;
}

test('a standby that takes over is found by a running API and worker, and answers nothing before', async () => {
  const servers = await startTwoServers();
  const variables = {
    DATABASE_URL: servers.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
  };
  const { token } = (await makeOrganization(variables)).key;
  const { origin, end } = await startReadyHere(variables);
  const receiver = await startReceiver();
  const post = (path: string, body: object) =>
    ask(origin, token, path, { method: 'POST', body: JSON.stringify(body) });
  const hook = await post('/webhooks', { target_url: receiver.url, events: ['lead.created'] });
  expect(hook.status).toBe(201);
  const createLead = async (name: string): Promise<{ status: number; id?: string }> => {
    const answer = await post('/leads', { name });
    const body: { data?: { id: string } } = JSON.parse(await answer.text());
    return { status: answer.status, ...(body.data ? { id: body.data.id } : {}) };
  };
  const before = await createLead('Before');
  expect(before.status).toBe(201);
  await eventually(() => expect(receiver.ids).toContain(before.id));
  const leads = () => servers.standby`select name from leads order by name`;
  await eventually(async () => expect(await leads()).toEqual([{ name: 'Before' }]));

  // Nothing of the program is on the standby, though it is named first, and takes readers.
  const ours = () => servers.standby`
    select application_name from pg_stat_activity where application_name like 'dealkeep%' and state is not null`;
  await eventually(async () => expect(await ours()).toEqual([]));

  await servers.killPrimary();
  const gap = await Promise.all([
    createLead('In the gap'),
    ask(origin, token, '/leads'),
    ask(origin, token, `/leads/${before.id}`),
    fetch(`${origin}/readyz`),
  ]);
  expect(gap.map(({ status }) => status)).toEqual([503, 503, 503, 503]);

  await servers.promote();
  const after = await eventually(async () => {
    const made = await createLead('After');
    expect(made.status).toBe(201);
    return made;
  });
  // One connection has found it; the others of the program come one by one.
  await eventually(async () => expect((await ask(origin, token, `/leads/${before.id}`)).status).toBe(200));
  expect(await leads()).toEqual([{ name: 'After' }, { name: 'Before' }]);
  await eventually(() => expect(receiver.ids).toContain(after.id));
  await eventually(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200));

  // Tasks by the clock, too, which have a queue and connections of their own.
  await servers.standby`select graphile_worker.add_job('remove_old_each_minute')`;
  const jobs = () => servers.standby`
    select from graphile_worker.jobs where task_identifier = 'remove_old_each_minute' and key is null`;
  await eventually(async () => expect(await jobs()).toEqual([]));
  expect((await end('SIGTERM')).code).toBe(0);
});

const [hooks, leadsOfEach] = [6, 5];

/** A worker that gives no attempt up, however long the receiver holds it; ended with the test. */
async function startPatientWorker(databaseUrl: string, secretsKey: string): Promise<undefined> {
  await startDealkeep({
    databaseUrl,
    secrets: parseSecretsKey(secretsKey),
    log: quiet,
    timing: { attemptLimitMs: 600_000 },
  });
}

test.each([
  ['each commit waits for', 'goes on', { isSynchronous: true, ends: false }],
  ['no commit waits for', 'goes on', { isSynchronous: false, ends: false }],
  ['each commit waits for', 'ends with the primary', { isSynchronous: true, ends: true }],
])(
  'a standby that %s takes over without the leases of what is in flight, and the worker %s: nothing is lost, and only what was in flight comes twice',
  async (_, __, { isSynchronous, ends }) => {
    const servers = await startTwoServers({ isSynchronous });
    const variables = {
      DATABASE_URL: servers.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
    };
    const { token } = (await makeOrganization(variables)).key;
    const api = await startReadyHere({ ...variables, ROLES: 'api' });
    const worker = ends
      ? await startReady({ ...variables, ROLES: 'worker' })
      : await startPatientWorker(servers.url, variables.SECRETS_KEY);
    const receiver = await startReceiver();
    const post = async (path: string, body: object): Promise<string> => {
      const answer = await ask(api.origin, token, path, { method: 'POST', body: JSON.stringify(body) });
      expect(answer.status).toBe(201);
      return JSON.parse(await answer.text()).data.id;
    };
    for (let hook = 0; hook < hooks; hook += 1) {
      await post('/webhooks', { target_url: `${receiver.url}${hook}`, events: ['lead.created'] });
    }
    const answerFirst = receiver.hold();
    const leads = [await post('/leads', { name: 'First' })];
    await eventually(() => expect(receiver.ids).toHaveLength(hooks));
    while (leads.length < leadsOfEach) leads.push(await post('/leads', { name: `Lead ${leads.length}` }));
    const leased = (sql: TwoServers['standby']) => sql<{ id: string }[]>`
      select id from deliveries where worker_id is not null order by id`;
    await servers.standbyHasAll();

    await servers.endReplication();
    const sent = receiver.ids.length;
    const answerAll = receiver.hold();
    answerFirst();
    // What follows them is leased and sent. Their results wait for the standby, or never come there.
    await eventually(() => expect(receiver.ids.length).toBeGreaterThan(sent));
    const known = (await leased(servers.standby)).map(({ id }) => id);
    const lost = (await leased(servers.primary)).filter(({ id }) => !known.includes(id));
    expect(lost.length).toBeGreaterThan(0);

    await worker?.end('SIGKILL');
    await servers.killPrimary();
    await servers.promote();
    const inFlight = receiver.ids.length;
    if (ends) await startReadyHere({ ...variables, ROLES: 'worker' });
    answerAll();
    const left = () => servers.standby`
      select webhook_id, event_id, worker_id, attempts, due_at, now() as now from deliveries order by webhook_id, due_at`;
    await eventually(async () => {
      // What has timed out on a slow machine is due at once.
      await servers.standby`update deliveries set due_at = now() where worker_id is null and due_at > now()`;
      expect(await left()).toEqual([]);
    });
    const after = await eventually(() => post('/leads', { name: 'After' }));
    const times = (id: string): number => receiver.ids.filter((each) => each === id).length;
    await eventually(() => expect(times(after)).toBe(hooks));

    for (const id of leads) expect(times(id)).toBeGreaterThanOrEqual(hooks);
    // Where the result waited for the standby, and the worker lives, it is written there.
    const mayComeAgain = isSynchronous && !ends ? inFlight - sent : inFlight;
    const again = receiver.ids.length - hooks * (leads.length + 1);
    expect(again).toBeLessThanOrEqual(mayComeAgain);
  },
);
