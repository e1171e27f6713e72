import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { gone } from '../nodes/shared/transport/gone.ts';
import type { ApiRequest, DealkeepApi } from '../nodes/shared/transport/request.ts';
import { isSubscribed, subscribe, unsubscribe } from '../nodes/shared/trigger/subscription.ts';
import { signatureProblem } from '../nodes/shared/trigger/verify-signature.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });

/** A workflow whose receiver is down for the first event. */
async function failing() {
  const receiver = await startHookReceiver();
  const { key } = await dealkeep.createOrganization();
  const program = dealkeep.as(key);
  /** As a node sends them. */
  const request = async ({ method, path, body, idempotencyKey, mayBeGone }: ApiRequest) => {
    const response = await fetch(dealkeep.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (mayBeGone && response.status === 404) return gone;
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text === '' ? undefined : JSON.parse(text);
  };
  const api: Pick<DealkeepApi, 'request'> = { request };
  const wanted = { events: ['lead.created' as const], filters: {}, changedFields: [] };
  const asked = { url: receiver.url, name: 'n8n: Leads', owner: 'n8n/1', wanted, resume: true };
  const slot = await subscribe(api, undefined, asked);
  receiver.answerWith(500);
  await program.post('/leads', { name: 'Waits' });
  await eventually(async () =>
    expect(
      await dealkeep.sql`select from deliveries where webhook_id = ${slot.id} and attempts = 1`,
    ).toHaveLength(1),
  );
  receiver.answerWith(200);
  const hooks = async () => (await program.get('/webhooks')).page.data;
  return { api, program, receiver, slot, asked, hooks };
}

/** What is wrong with the signature of the last request. */
const problemOf = ({ requests }: Awaited<ReturnType<typeof startHookReceiver>>, secret: string) => {
  const request = requests.at(-1) ?? expect.unreachable();
  const { headers, body } = request;
  const header = (name: string) => String(headers[name]);
  return signatureProblem({ header, body: Buffer.from(body) }, secret, () => clock.now().getTime());
};

describe('the subscription of a trigger (rules connectors 9 and n8n 15)', () => {
  test('that is unpublished and published gets what waited and what happened meanwhile', async () => {
    const { api, program, receiver, slot, asked, hooks } = await failing();
    await unsubscribe(api, slot.id);
    await program.post('/leads', { name: 'Meanwhile' });
    const { id, secret } = await subscribe(api, undefined, asked);
    clock.advance(5000);
    await receiver.received(3);
    const names = receiver.requests.map(({ envelope }) => envelope.data['name']);
    expect(names).toEqual(['Waits', 'Waits', 'Meanwhile']);
    expect(problemOf(receiver, secret)).toBeUndefined();
    expect(await hooks()).toMatchObject([{ id }]);
  });

  test('that was left behind is changed and keeps what waits, also when n8n has moved', async () => {
    const { api, program, receiver, slot, asked, hooks } = await failing();
    await program.post('/webhooks', { target_url: receiver.url, event: 'lead.won' });
    const moved = await startHookReceiver();
    const wanted = { ...asked.wanted, events: ['lead.created' as const, 'lead.won' as const] };
    const { id, secret } = await subscribe(api, slot, { ...asked, url: moved.url, wanted });
    expect(id).toBe(slot.id);
    expect(await hooks()).toContainEqual(
      expect.objectContaining({ id, target_url: moved.url, events: ['lead.created', 'lead.won'] }),
    );
    clock.advance(6000);
    await moved.received(1);
    expect(problemOf(moved, secret)).toBeUndefined();
    const second = await subscribe(api, { ...slot, id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, asked);
    expect(second.id).not.toBe(slot.id);
    expect((await hooks()).filter(({ target_url: url }) => url === receiver.url)).toMatchObject([
      { id: second.id, events: ['lead.created'] },
    ]);
  });

  test('that somebody else has made anew in its place is given a secret that the node knows', async () => {
    const { api, program, receiver, slot, asked } = await failing();
    await program.delete(`/webhooks/${slot.id}`);
    clock.advance(1);
    const other = (await program.post('/webhooks', { target_url: receiver.url, event: 'lead.created' })).data;
    expect(other.id).toBe(slot.id);
    expect(await isSubscribed(api, slot, receiver.url, asked.wanted)).toBe(false);
    const subscribed = await subscribe(api, slot, asked);
    expect(await isSubscribed(api, subscribed, receiver.url, asked.wanted)).toBe(true);
    expect([slot.secret, other.secret]).not.toContain(subscribed.secret);
    clock.advance(5000);
    await receiver.received(2);
    expect(problemOf(receiver, subscribed.secret)).toBeUndefined();
  });

  test('of a test begins anew: nothing that waited starts it', async () => {
    const { api, program, receiver, slot, asked } = await failing();
    const testing = await subscribe(api, slot, { ...asked, resume: false });
    expect(testing.id).not.toBe(slot.id);
    await program.post('/leads', { name: 'Now' });
    await receiver.received(2);
    expect(receiver.requests.map(({ envelope }) => envelope.data['name'])).toEqual(['Waits', 'Now']);
  });
});
