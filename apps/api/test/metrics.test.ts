import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { pauseQueue } from '@dealkeep/core/installation';
import {
  createManualWebhook,
  eventually,
  growOlder,
  ManualClock,
  startDealkeep,
  type TestDealkeep,
} from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { parseExposition, type Samples } from './exposition-format.ts';

const metricsToken = 'a-token-for-Prometheus';

const scrape = (dealkeep: TestDealkeep, authorization?: string): Promise<Response> =>
  fetch(`${dealkeep.origin}/metrics`, authorization === undefined ? {} : { headers: { authorization } });

async function samplesOf(dealkeep: TestDealkeep): Promise<Samples> {
  const response = await scrape(dealkeep, `Bearer ${metricsToken}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseExposition(await response.text());
}

/** Answers each event with a status, or never. */
async function startReceiver(statusOf: (event: string) => number | undefined) {
  const arrived: string[] = [];
  const server = createServer((request, response) => {
    const event = String(request.headers['x-service-event']);
    arrived.push(event);
    const status = statusOf(event);
    // What failed is not tried again while a test runs.
    if (status !== undefined) response.writeHead(status, { 'retry-after': '3600' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  const received = (count: number) => eventually(() => expect(arrived.length).toBeGreaterThanOrEqual(count));
  return { url: `http://127.0.0.1:${address.port}/hook`, received };
}

const sumOf = (samples: Samples, start: string): number =>
  [...samples].reduce((sum, [series, value]) => (series.startsWith(start) ? sum + value : sum), 0);

test('there is no /metrics without METRICS_TOKEN (rule operator 18)', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  expect((await scrape(dealkeep, 'Bearer undefined')).status).toBe(404);
});

test('/metrics answers only who has the token (rule operator 18)', async () => {
  const dealkeep = await startDealkeep({ worker: false, metricsToken });
  const { key } = await dealkeep.createOrganization();
  for (const wrong of [undefined, 'Bearer ', metricsToken, `Bearer ${metricsToken}x`, `Bearer ${key}`]) {
    const response = await scrape(dealkeep, wrong);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.text()).not.toContain('dealkeep_');
  }
  for (const scheme of ['Bearer', 'bearer']) {
    expect((await scrape(dealkeep, `${scheme} ${metricsToken}`)).status).toBe(200);
  }
});

test('attempts, requests and refusals are counted, and nobody is named (rule operator 18)', async () => {
  const dealkeep = await startDealkeep({ metricsToken, timing: { sweepEveryMs: 10 } });
  const receiver = await startReceiver((event) => (event === 'lead.created' ? 204 : 503));
  const organization = await dealkeep.createOrganization({ usualRateLimits: true });
  const api = dealkeep.as(organization.key);
  const target_url = `${receiver.url}/secret-path`;
  await api.post('/webhooks', { target_url, events: ['lead.created', 'company.created'] });
  await createManualWebhook(dealkeep.core, organization, {
    name: 'By hand',
    target_url,
    events: ['task.created'],
  });
  await api.post('/leads', { name: 'Lead' });
  await api.post('/companies', { name: 'Company' });
  await receiver.received(2);
  await dealkeep.sql`update organizations set requests_per_minute = 3 where id = ${organization.id}`;
  growOlder(1001);
  await eventually(async () => expect((await api.get('/me')).status).toBe(429));

  const samples = await eventually(async () => {
    const read = await samplesOf(dealkeep);
    expect(read.get('dealkeep_delivery_attempts_total{fate="delivered",result="2xx"}')).toBe(1);
    expect(read.get('dealkeep_delivery_attempts_total{fate="again",result="5xx"}')).toBe(1);
    // What an attempt has come to is written after it has been counted.
    expect(read.get('dealkeep_webhooks{kind="rest_hook",state="failing"}')).toBe(1);
    return read;
  });
  expect(samples.get('dealkeep_delivery_first_attempt_delay_seconds_count')).toBe(2);
  expect(sumOf(samples, 'dealkeep_delivery_attempt_duration_seconds_count')).toBe(2);
  const request = 'dealkeep_http_request_duration_seconds_count';
  expect(samples.get(`${request}{operation="leads.create",status="2xx"}`)).toBe(1);
  expect(samples.get(`${request}{operation="me.get",status="4xx"}`)).toBe(1);
  expect(samples.get('dealkeep_rate_limit_refusals_total')).toBe(1);
  expect(samples.get('dealkeep_webhooks{kind="manual",state="active"}')).toBe(1);
  expect(samples.get('dealkeep_deliveries_waiting{state="scheduled"}')).toBe(1);
  expect(samples.get('dealkeep_delivery_log_dropped_total')).toBe(0);
  const text = await (await scrape(dealkeep, `Bearer ${metricsToken}`)).text();
  for (const name of [organization.id, organization.slug, '127.0.0.1', 'secret-path']) {
    expect(text).not.toContain(name);
  }
});

test('what is due and overdue is seen, what is in flight, and since when nothing was sent', async () => {
  const clock = new ManualClock();
  const receiver = await startReceiver(() => undefined);
  const dealkeep = await startDealkeep({ clock, metricsToken, timing: { slowAfterMs: 20 } });
  const api = dealkeep.as((await dealkeep.createOrganization()).key);
  await api.post('/webhooks', { target_url: receiver.url, events: ['lead.created'] });
  for (let made = 0; made < 7; made += 1) await api.post('/leads', { name: 'Lead' });
  await receiver.received(1);
  clock.advance(61_000);
  await eventually(async () => {
    const samples = await samplesOf(dealkeep);
    const inFlight = sumOf(samples, 'dealkeep_deliveries_in_flight');
    expect(samples.get('dealkeep_deliveries_in_flight{lane="slow"}')).toBe(inFlight);
    expect(samples.get('dealkeep_slow_webhooks')).toBe(1);
    expect(samples.get('dealkeep_deliveries_waiting{state="claimed"}')).toBe(inFlight);
    expect(samples.get('dealkeep_deliveries_waiting{state="due"}')).toBe(7 - inFlight);
    expect(samples.get('dealkeep_deliveries_waiting{state="overdue"}')).toBe(7 - inFlight);
    expect(samples.get('dealkeep_deliveries_oldest_due_seconds')).toBeGreaterThanOrEqual(61);
  });
});

test('what the operator has paused is counted, and neither due nor late', async () => {
  const dealkeep = await startDealkeep({ worker: false, metricsToken });
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const { id } = (
    await api.post('/webhooks', { target_url: 'http://127.0.0.1:9/', events: ['lead.created'] })
  ).data;
  await api.post('/leads', { name: 'Lead' });
  await dealkeep.sql`update deliveries set due_at = now() - interval '1 hour'`;
  const read = async () => {
    const samples = await samplesOf(dealkeep);
    const states = ['due', 'overdue', 'paused'].map((state) =>
      samples.get(`dealkeep_deliveries_waiting{state="${state}"}`),
    );
    const kinds = ['all', 'organization', 'host', 'webhook'].map((kind) =>
      samples.get(`dealkeep_queue_pauses{kind="${kind}"}`),
    );
    return { states, kinds, late: (samples.get('dealkeep_deliveries_oldest_due_seconds') ?? 0) > 120 };
  };
  expect(await read()).toEqual({ states: [1, 1, 0], kinds: [0, 0, 0, 0], late: true });
  await pauseQueue(dealkeep.sql, { webhook: id });
  expect(await read()).toEqual({ states: [0, 0, 1], kinds: [0, 0, 0, 1], late: false });
  await pauseQueue(dealkeep.sql, { organization: organization.slug });
  expect(await read()).toEqual({ states: [0, 0, 1], kinds: [0, 1, 0, 1], late: false });
});

test('processes, mails, migrations, long transactions and what waits for a connection are told', async () => {
  const dealkeep = await startDealkeep({ worker: false, metricsToken });
  const { sql, slowSql } = dealkeep.core;
  await sql`
    insert into processes (id, roles, host, version, secrets_key, deliveries_held, connections)
    values (${randomUUID()}, '{api,worker}', 'a', '1', 'a', false, 5)`;
  await sql`select graphile_worker.add_job('send_mail', '{}', job_key => 'mail/a')`;
  await sql`update graphile_worker._private_jobs set created_at = now() - interval '1 hour' where key = 'mail/a'`;
  await sql`delete from migrations where name = (select max(name) from migrations)`;
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  // All connections of the small pool are taken, and one more statement waits for them.
  const working = Array.from({ length: 3 }, () =>
    slowSql.begin(async (tx) => {
      await tx`select 1`;
      begun.resolve();
      await over.promise;
    }),
  );
  await begun.promise;
  const waiting = slowSql`select 1`.execute();
  const samples = await eventually(async () => {
    const read = await samplesOf(dealkeep);
    expect(read.get('dealkeep_database_statements_waiting{pool="slow"}')).toBe(1);
    return read;
  });
  over.resolve();
  await Promise.all([waiting, ...working]);
  expect(samples.get('dealkeep_database_statements_waiting{pool="requests"}')).toBe(0);
  expect(samples.get('dealkeep_processes{role="worker"}')).toBe(1);
  expect(samples.get('dealkeep_processes{role="console"}')).toBe(0);
  expect(samples.get('dealkeep_mails_waiting')).toBe(1);
  expect(samples.get('dealkeep_mails_oldest_seconds')).toBeGreaterThanOrEqual(3600);
  expect(samples.get('dealkeep_migrations{state="pending"}')).toBe(1);
  expect(samples.get('dealkeep_database_longest_transaction_seconds')).toBeGreaterThan(0);
  expect(samples.get('dealkeep_database_bytes')).toBeGreaterThan(1_000_000);
  const used = samples.get('dealkeep_database_server_connections') ?? 0;
  expect(used).toBeLessThanOrEqual(samples.get('dealkeep_database_server_connections_limit') ?? 0);
});

test('migrations of a newer version are told, those that this one lives with and those that it does not', async () => {
  const dealkeep = await startDealkeep({ worker: false, metricsToken });
  const told = async () => {
    const samples = await samplesOf(dealkeep);
    return ['pending', 'newer', 'unknown'].map((state) =>
      samples.get(`dealkeep_migrations{state="${state}"}`),
    );
  };
  expect(await told()).toEqual([0, 0, 0]);
  await dealkeep.core.sql`insert into migrations (name) values ('9998-adds.sql')`;
  await dealkeep.core.sql`insert into migrations (name, lived_with_since) values ('9999-takes.sql', '9998')`;
  expect(await told()).toEqual([0, 1, 1]);
});

test('metrics are there also while the database is away', async () => {
  const dealkeep = await startDealkeep({ worker: false, metricsToken });
  expect((await samplesOf(dealkeep)).get('dealkeep_database_up')).toBe(1);
  await dealkeep.core.gaugesSql.end();
  const samples = await samplesOf(dealkeep);
  expect(samples.get('dealkeep_database_up')).toBe(0);
  expect([...samples.keys()].filter((series) => series.startsWith('dealkeep_held'))).toEqual([]);
  expect(samples.has('dealkeep_rate_limit_refusals_total')).toBe(true);
});
