import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually, lockWaits, sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline, openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

async function openOffice() {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  /** The bytes of a POST with an Idempotency-Key. */
  const bytes = (path: string, key: string, body: string): string =>
    [
      `POST /api/v1/public${path} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${organization.key}`,
      'Content-Type: application/json',
      `Idempotency-Key: ${key}`,
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  const retry = async (path: string, key: string, json: unknown) => {
    const answer = await eventually(async () => {
      const again = await api.post(path, json, { 'Idempotency-Key': key });
      expect(again.outcome).not.toBe('409 IDEMPOTENCY_IN_PROGRESS');
      return again;
    });
    return { status: answer.status, replayed: answer.headers.get('idempotent-replayed') === 'true' };
  };
  return { ...business, bytes, retry };
}

async function sendAndLeave(text: string, leave: (socket: Socket) => void): Promise<void> {
  const { hostname, port } = new URL(dealkeep.origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.on('error', () => {});
  socket.write(text, () => leave(socket));
  await closed;
}

test('in the middle of the body: nothing happened, and the same key does the work', async () => {
  const { api, bytes, retry, eventTypes } = await openOffice();
  const body = JSON.stringify({ name: 'Bikes', company: { name: 'Acme' } });
  const whole = bytes('/leads', 'middle', body);
  for (let missing = 1; missing <= body.length; missing += 4) {
    await sendAndLeave(whole.slice(0, -missing), (socket) => socket.destroy());
    await sendAndLeave(whole.slice(0, -missing), (socket) => socket.resetAndDestroy());
  }
  expect(await eventTypes()).toEqual([]);
  expect(await retry('/leads', 'middle', JSON.parse(body))).toEqual({ status: 201, replayed: false });
  expect(await eventTypes()).toEqual(['company.created', 'lead.created']);
  expect(await api.walk('/leads')).toHaveLength(1);
});

test('after the body, at any moment before the answer: all or nothing happened, and the same key says which', async () => {
  const { api, bytes, retry, eventTypes } = await openOffice();
  const rounds = 30;
  const outcomes = new Set<boolean>();
  for (let round = 0; round < rounds; round += 1) {
    const body = { name: `Lead ${round}` };
    const whole = bytes('/leads', body.name, JSON.stringify(body));
    await sendAndLeave(whole, (socket) => {
      if (round === 0) socket.resetAndDestroy();
      else setTimeout(() => socket.destroy(), round / 3);
    });
    const done = (await api.walk('/leads')).length === round + 1;
    const again = await retry('/leads', body.name, body);
    expect(again.status).toBe(201);
    if (done) expect(again.replayed).toBe(true);
    outcomes.add(again.replayed);
    expect(await api.walk('/leads')).toHaveLength(round + 1);
  }
  expect(outcomes).toContain(true);
  expect(await eventTypes()).toEqual(Array.from({ length: rounds }, () => 'lead.created'));
});

test('while the work waits: it is done all the same, once, and the same key gets the answer', async () => {
  const { api, organization, bytes, retry, eventTypes } = await openOffice();
  const { stages } = await defaultPipeline(api);
  const lead = (await api.post('/leads', {})).data;
  const path = `/leads/${lead.id}/move`;
  const body = { stage_id: stages['Won'] };
  await dealkeep.sql.begin(async (tx) => {
    await tx`select from leads where organization_id = ${organization.id} and id = ${lead.id} for update`;
    await sendAndLeave(bytes(path, 'waits', JSON.stringify(body)), async (socket) => {
      await expect.poll(() => lockWaits(dealkeep.sql)).toBe(1);
      socket.resetAndDestroy();
    });
  });
  expect(await retry(path, 'waits', body)).toEqual({ status: 200, replayed: true });
  expect((await api.get(`/leads/${lead.id}`)).data.status).toBe('won');
  expect(await eventTypes()).toEqual(['lead.created', 'lead.stage_changed', 'lead.won']);
});
