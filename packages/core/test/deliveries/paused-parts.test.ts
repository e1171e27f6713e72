import {
  createManualWebhook,
  eventually,
  sendTestEvent,
  startDealkeep,
  startHookReceiver,
} from '@dealkeep/testing';
import { afterEach, expect, test } from 'vitest';
import { isPaused } from '../../src/change/queue/queue-pauses.ts';
import { pauseQueue, type QueuePart, resumeQueue } from '../../src/installation/installation/pause-queue.ts';
import { queueSummary } from '../../src/installation/installation/queue.ts';
import { queueStatus } from '../../src/installation/installation/queue-status.ts';
import { startAnotherWorker } from './another-worker.ts';
import { type Subscriber, subscribe } from './subscriber.ts';

const dealkeep = await startDealkeep();
const { core, sql } = dealkeep;

afterEach(async () => {
  await sql`delete from queue_pauses`;
});

interface Case {
  kind: 'webhook' | 'host' | 'organization';
  part(subscriber: Subscriber, host: string): QueuePart;
}
const cases: Case[] = [
  { kind: 'webhook', part: ({ hookId }) => ({ webhook: hookId }) },
  { kind: 'host', part: (_, host) => ({ host }) },
  { kind: 'organization', part: ({ organization }) => ({ organization: organization.slug }) },
];

/** A sweep has looked at everything that was due before: it finds a delivery that has no job. */
async function sweptSince(): Promise<void> {
  const receiver = await startHookReceiver();
  const { hookId, organization, createLead } = await subscribe(dealkeep, receiver.url);
  await createLead();
  const [first] = await receiver.received(1);
  await sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    values (gen_random_uuid(), ${organization.id}, ${hookId}, ${first?.envelope.id ?? ''}, now(), now())`;
  await receiver.received(2);
}

test.each(cases)(
  'queue pause --$kind: nothing of it leaves, others go on; resumed, all of it arrives in order (rules deliveries 31 and operator 33)',
  async ({ part: partOf }) => {
    await startAnotherWorker(dealkeep);
    const receiver = await startHookReceiver();
    const otherReceiver = await startHookReceiver();
    const paused = await subscribe(dealkeep, receiver.url);
    const other = await subscribe(dealkeep, otherReceiver.url);
    const part = partOf(paused, new URL(receiver.url).host);
    await paused.createLead('Before');
    await receiver.received(1);

    const reason = 'Their maintenance';
    expect(await pauseQueue(sql, part, reason)).toMatchObject({
      deliveries: 'sending',
      pauses: [{ reason }],
    });
    for (const name of ['First', 'Second', 'Third']) await paused.createLead(name);
    await other.createLead();
    await otherReceiver.received(1);
    await sweptSince();
    expect(receiver.requests).toHaveLength(1);
    expect(await paused.pending()).toMatchObject(Array(3).fill({ attempts: 0, worker_id: null }));
    const standing = { due: 3, due_paused: 3, in_flight: 0, oldest_due_seconds: 0 };
    await eventually(async () => expect(await queueSummary(sql)).toMatchObject(standing));
    const jobs = await sql`select from graphile_worker.jobs where key = ${`deliver/${paused.hookId}`}`;
    expect(jobs, 'no job is added again and again').toHaveLength(0);

    expect(await resumeQueue(sql, part)).toMatchObject({ pauses: [] });
    await receiver.received(4);
    expect(receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(Array(4).fill('1'));
    expect(new Set(receiver.requests.map(({ envelope }) => envelope.data['name']))).toEqual(
      new Set(['Before', 'First', 'Second', 'Third']),
    );
  },
);

test('a job of a paused webhook that graphile-worker runs sends nothing, and is done with', async () => {
  const receiver = await startHookReceiver();
  const { hookId, organization, createLead, pending } = await subscribe(dealkeep, receiver.url);
  await pauseQueue(sql, { webhook: hookId });
  await createLead();
  await sql`
    select graphile_worker.add_job('deliver', ${sql.json({ organization_id: organization.id, webhook_id: hookId })}::json,
                                   job_key => ${`deliver/${hookId}`})`;
  await eventually(async () =>
    expect(await sql`select from graphile_worker.jobs where key = ${`deliver/${hookId}`}`).toHaveLength(0),
  );
  expect(receiver.requests).toHaveLength(0);
  expect(await pending()).toMatchObject([{ attempts: 0, worker_id: null }]);
  await resumeQueue(sql, { webhook: hookId });
  await receiver.received(1);
});

test('what is on its way at a pause ends by itself, and counts (rule operator 33)', async () => {
  const receiver = await startHookReceiver();
  const { promise, resolve } = Promise.withResolvers<number>();
  receiver.answerWith(() => promise);
  const { hookId, createLead, logged, pending } = await subscribe(dealkeep, receiver.url);
  await createLead();
  await receiver.received(1);
  await pauseQueue(sql, { webhook: hookId });
  resolve(200);
  expect(await logged(1)).toMatchObject([{ status: 200 }]);
  await eventually(async () => expect(await pending()).toEqual([]));
  await resumeQueue(sql, { webhook: hookId });
});

test('a part that is paused twice is paused since the first time; resuming it twice is no error; another name keeps it (rule operator 33)', async () => {
  const receiver = await startHookReceiver();
  const { hookId, organization, createLead } = await subscribe(dealkeep, receiver.url);
  const [webhook, all] = [{ webhook: hookId }, { organization: organization.slug }];
  const first = (await pauseQueue(sql, webhook, 'One')).pauses;
  expect((await pauseQueue(sql, { webhook: hookId.toUpperCase() })).pauses).toEqual(first);
  const [kept] = (await pauseQueue(sql, webhook, 'Two')).pauses;
  expect(kept).toEqual({ ...first[0], reason: 'Two' });
  await pauseQueue(sql, all);
  await createLead();
  for (const _ of [1, 2]) {
    expect((await resumeQueue(sql, webhook)).pauses).toMatchObject([{ kind: 'organization' }]);
  }
  await sweptSince();
  expect(receiver.requests).toHaveLength(0);
  await resumeQueue(sql, all);
  await receiver.received(1);
});

test('a host is one whatever the port, its case and the letters of its name; with a port it is that one alone', async () => {
  const { organization } = await subscribe(dealkeep, (await startHookReceiver()).url);
  const addresses = [
    'https://BÜCHER.example/a',
    'https://xn--bcher-kva.example:8443/b',
    'https://other.example',
  ];
  for (const [index, url] of addresses.entries()) {
    await sql`
      insert into webhooks (organization_id, id, target_url, events, secret, created_at)
      values (${organization.id}, ${crypto.randomUUID()}, ${url}, '{lead.created}', '', now() + ${index} * interval '1 s')`;
  }
  const pausedNow = async () => {
    const rows = await sql<{ target_url: string }[]>`
      select w.target_url from webhooks w where ${isPaused(sql)} order by w.created_at`;
    return rows.map(({ target_url }) => target_url);
  };
  await pauseQueue(sql, { host: 'Bücher.EXAMPLE' });
  expect(await pausedNow()).toEqual(addresses.slice(0, 2));
  await resumeQueue(sql, { host: 'xn--bcher-kva.example' });
  expect(await pausedNow()).toEqual([]);
  await pauseQueue(sql, { host: 'bücher.example:8443' });
  expect(await pausedNow()).toEqual(addresses.slice(1, 2));
  expect((await queueSummary(sql)).pauses).toMatchObject([
    { kind: 'host', host: 'xn--bcher-kva.example:8443' },
  ]);
  await resumeQueue(sql, { host: 'bücher.example:8443' });
  for (const host of [
    'nobody.example',
    'https://other.example/hook',
    'other.example/',
    '',
    'a b',
    '[::1',
    'a:99999',
  ]) {
    await expect(pauseQueue(sql, { host }), host).rejects.toThrow(/^host .+(where no webhook goes|such as)/);
  }
  await expect(pauseQueue(sql, { host: 'https://Other.example/hook' })).rejects.toThrow(
    'write other.example',
  );
  await expect(pauseQueue(sql, { webhook: 'x' })).rejects.toThrow(/^webhook takes the id of a webhook: /);
  await expect(pauseQueue(sql, { webhook: crypto.randomUUID() })).rejects.toThrow(
    /^webhook takes the id of a webhook: /,
  );
  await expect(pauseQueue(sql, { organization: 'nobody' })).rejects.toThrow(/^organization takes a slug: /);
});

test('a webhook that is removed takes its pause along', async () => {
  const { hookId, api } = await subscribe(dealkeep, (await startHookReceiver()).url);
  expect((await pauseQueue(sql, { webhook: hookId })).pauses).toHaveLength(1);
  await api.delete(`/webhooks/${hookId}`);
  expect((await queueSummary(sql)).pauses).toEqual([]);
});

test('no test event is sent to a webhook that the operator has paused (rule operator 33)', async () => {
  const { organization } = await subscribe(dealkeep, (await startHookReceiver()).url);
  const receiver = await startHookReceiver();
  const { id } = await createManualWebhook(core, organization, {
    name: 'By hand',
    target_url: receiver.url,
    events: ['lead.created'],
  });
  await pauseQueue(sql, { webhook: id });
  await expect(sendTestEvent(core, organization, { id })).rejects.toThrow('delivery.webhook_held');
  expect(receiver.requests).toHaveLength(0);
  await resumeQueue(sql, { webhook: id });
  expect(await sendTestEvent(core, organization, { id })).toMatchObject({ delivered: true });
});

test('the status shows jobs, workers, hosts and organizations', async () => {
  const receiver = await startHookReceiver();
  const { host } = new URL(receiver.url);
  // It stays the only attempt, however long the machine takes.
  receiver.answerWith({ status: 503, headers: { 'retry-after': '500' } });
  const { organization, createLead, logged } = await subscribe(dealkeep, receiver.url);
  await createLead();
  await logged(1);
  await sql`update attempts set duration_ms = 5000 where organization_id = ${organization.id}`;
  const figures = { host, attempts: 1, failures: 1, median_ms: 5000, p95_ms: 5000 };
  await eventually(async () => {
    const status = await queueStatus(sql);
    expect(status.organizations).toContainEqual(
      expect.objectContaining({ organization: organization.slug, waiting: 1, due: 0, in_flight: 0 }),
    );
    expect(status.slowest_hosts[0]).toEqual(figures);
    expect(status.failing_hosts).toContainEqual(figures);
    expect(status.workers).toMatchObject([{ state: 'running', leases: 0 }]);
    expect(status.retrying).toBe(1);
    expect(status.jobs).toMatchObject({ later: 1, lost: 0, failed: 0 });
  });
});
