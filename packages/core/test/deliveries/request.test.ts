import { createHmac } from 'node:crypto';
import { startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

const dealkeep = await startDealkeep();

test('a delivery carries the eight headers and an envelope, nothing more (rules deliveries 1, deliveries 2 and events 10)', async () => {
  const receiver = await startHookReceiver();
  const { createLead, organization } = await subscribe(dealkeep, receiver.url);
  const before = Math.floor(Date.now() / 1000);
  const leadId = await createLead();
  const [request] = await receiver.received(1);
  if (!request) throw new Error('Nothing came');

  const { envelope, headers } = request;
  expect(headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'webhook-id': envelope.id,
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    'x-service-event': 'lead.created',
    'x-service-attempt': '1',
    'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    host: new URL(receiver.url).host,
    connection: 'keep-alive',
    'content-length': String(Buffer.byteLength(request.body)),
  });
  expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(before);
  expect(Number(headers['webhook-timestamp'])).toBeLessThanOrEqual(Date.now() / 1000);
  expect(Object.keys(envelope)).toEqual([
    'id',
    'type',
    'timestamp',
    'api_version',
    'organization',
    'test',
    'data',
  ]);
  expect(envelope).toMatchObject({
    id: expect.stringMatching(/^evt_\w{20,}$/),
    type: 'lead.created',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    api_version: '2026-10-01',
    organization: { id: organization.id, slug: organization.slug },
    test: false,
    data: { id: leadId },
  });
});

test('a receiver can verify both signatures over the raw body, and no other body passes (rules deliveries 4 and 5)', async () => {
  const receiver = await startHookReceiver();
  const { createLead, secret } = await subscribe(dealkeep, receiver.url);
  await createLead('Ľubovoľný názov — „úvodzovky“ 🚀');
  const [request] = await receiver.received(1);
  if (!request) throw new Error('Nothing came');

  const oracle = new Webhook(secret);
  expect(oracle.verify(request.body, request.headers)).toEqual(request.envelope);
  expect(() => oracle.verify(`${request.body} `, request.headers)).toThrow();
  expect(() => oracle.verify(request.body, { ...request.headers, 'webhook-id': 'evt_other' })).toThrow();
  expect(() => new Webhook('whsec_b3RoZXI=').verify(request.body, request.headers)).toThrow();

  // Rule deliveries 5: hex of the body with the whole secret string as key.
  const older = createHmac('sha256', secret).update(request.body).digest('hex');
  expect(request.headers['x-service-signature']).toBe(`sha256=${older}`);
});

test('data is byte for byte what the matching GET answers (rule events 11)', async () => {
  const receiver = await startHookReceiver();
  const events = ['company.created', 'contact.created', 'lead.created', 'lead.stage_changed', 'lead.won'];
  const { api } = await subscribe(dealkeep, receiver.url, { events });
  const lead = await api.post('/leads', {
    name: 'Nová kancelária',
    value: 1250.5,
    company: { name: 'Tatra Studio s. r. o.', email: 'info@tatra.example' },
    contact: { name: 'Eva Malá', email: 'eva@tatra.example' },
  });
  const [pipeline] = (await api.get('/pipelines')).page.data;
  const won = pipeline?.stages.find(({ kind }) => kind === 'won');
  await api.post(`/leads/${lead.data.id}/move`, { stage_id: won?.id });
  const requests = await receiver.received(5);

  const sent = new Map(requests.map((request) => [request.envelope.type, request]));
  const paths = {
    'company.created': `/companies/${lead.data.company?.id}`,
    'contact.created': `/contacts/${lead.data.contact?.id}`,
    'lead.stage_changed': `/leads/${lead.data.id}`,
    'lead.won': `/leads/${lead.data.id}`,
  };
  for (const [type, path] of Object.entries(paths)) {
    const got = (await api.send('GET', path)).text.slice('{"data":'.length, -1);
    expect(sent.get(type)?.body).toContain(`"data":${got}`);
  }
  expect(sent.get('lead.created')?.body).toContain(`"data":${lead.text.slice('{"data":'.length, -1)}`);
  expect(requests.map(({ headers }) => headers['x-service-event']).sort()).toEqual([...events].sort());
});

test('an update names the fields that changed, besides the specified ones', async () => {
  const receiver = await startHookReceiver();
  const { api } = await subscribe(dealkeep, receiver.url, { events: ['company.updated'] });
  const company = await api.post('/companies', { name: 'Before', city: 'Košice' });
  await api.patch(`/companies/${company.data.id}`, { name: 'After', city: 'Košice' });
  const [request] = await receiver.received(1);
  expect(request?.envelope).toMatchObject({ type: 'company.updated', changed_fields: ['name'] });
});

test('only subscribed events of the own organization are sent, each hook its own delivery', async () => {
  const first = await startHookReceiver();
  const second = await startHookReceiver();
  const one = await subscribe(dealkeep, first.url, { events: ['lead.created', 'lead.updated'] });
  await subscribe(dealkeep, second.url, { events: ['lead.updated'], organization: one.organization });
  const stranger = await subscribe(dealkeep, second.url);

  const id = await one.createLead();
  await one.api.patch(`/leads/${id}`, { name: 'Renamed' });
  await first.received(2);
  await second.received(1);
  const strangersLead = await stranger.createLead();
  await second.received(2);
  expect(first.requests.map(({ envelope }) => envelope.data.id)).toEqual([id, id]);
  expect(second.requests.map(({ envelope }) => [envelope.type, envelope.data.id])).toEqual([
    ['lead.updated', id],
    ['lead.created', strangersLead],
  ]);
  const updates = [...first.requests, ...second.requests].filter(
    ({ envelope }) => envelope.type === 'lead.updated',
  );
  expect(new Set(updates.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});
