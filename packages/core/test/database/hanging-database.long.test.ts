import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startHangingServer } from './hanging-server.ts';

/** Rejects when the answer is not there in time. */
const within = (seconds: number, url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(seconds * 1000) });

test('a database that hangs: every request is answered 503 within 15 s, /readyz within 3 s, and all goes on without a restart', async () => {
  const server = await startHangingServer();
  const dealkeep = await startDealkeep({ databaseUrl: server.url, log: quiet });
  const [organization, other] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
  const api = dealkeep.as(organization.key);
  const receiver = await startHookReceiver();
  await api.post('/webhooks', { target_url: receiver.url, events: ['lead.created'] });
  const lead = (await api.post('/leads', { name: 'Before' })).data;
  await receiver.received(1);

  const headers = { Authorization: `Bearer ${organization.key}`, 'Content-Type': 'application/json' };
  const ask = (method: string, path: string, body?: unknown, further: Record<string, string> = {}) =>
    within(15, `${dealkeep.baseUrl}${path}`, {
      method,
      headers: { ...headers, ...further },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  // The server stops while these are on their way.
  const surprised: number[] = [];
  const load = Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      for (;;) {
        const answer = await (at % 2 === 0
          ? ask('GET', '/leads')
          : ask('PATCH', `/leads/${lead.id}`, { name: `${at}` }));
        surprised.push(answer.status);
        if (answer.status === 503) return;
      }
    }),
  );
  await eventually(() => expect(surprised.length).toBeGreaterThan(20));
  await server.hang();
  const otherKey = { Authorization: `Bearer ${other.key}` };
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const asked = [
    ask('GET', '/leads'),
    ask('GET', `/leads/${lead.id}`),
    ask('PATCH', `/leads/${lead.id}`, { name: 'During' }),
    ask('POST', '/leads', { name: 'During' }),
    ask('POST', '/leads', { name: 'During' }, { 'Idempotency-Key': 'during' }),
    ask('POST', '/webhooks', { target_url: receiver.url, event: 'lead.created' }),
    ask('GET', '/me', undefined, { Authorization: `Bearer dk_live_${'x'.repeat(43)}` }),
    // Requests of one organization wait for each other to be counted.
    ...Array.from({ length: 20 }, () => ask('GET', '/me', undefined, otherKey)),
    within(15, `${dealkeep.origin}/oauth/token`, {
      method: 'POST',
      headers: form,
      body: 'grant_type=refresh_token&refresh_token=dk_ort_x&client_id=x&client_secret=x',
    }),
    within(15, `${dealkeep.origin}/listen`, { headers }),
  ];
  const ofAssistant = within(15, `${dealkeep.origin}/mcp`, {
    method: 'POST',
    headers: { ...headers, Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_lead', arguments: { id: lead.id } },
    }),
  }).then((answer) => answer.text());
  const ready = await within(3, `${dealkeep.origin}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'database not reachable' }]);
  expect((await within(3, `${dealkeep.origin}/healthz`)).status).toBe(200);
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 503));
  expect(await ofAssistant).toContain('SERVICE_UNAVAILABLE');
  await load;
  expect(new Set(surprised)).toEqual(new Set([200, 503]));
  expect((await within(3, `${dealkeep.origin}/readyz`)).status).toBe(503);

  server.goOn();
  await eventually(async () => expect((await fetch(`${dealkeep.origin}/readyz`)).status).toBe(200));
  await eventually(async () => expect((await api.get(`/leads/${lead.id}`)).status).toBe(200));
  const after = await api.post('/leads', { name: 'After' }, { 'Idempotency-Key': 'after' });
  expect(after.outcome).toBe('201');
  await eventually(() =>
    expect(receiver.requests.map(({ envelope }) => envelope.data.id)).toContain(after.data.id),
  );
});

const nothing = (): void => {};
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing };
