import { getWebhookWithHealth } from '@dealkeep/core/delivering';
import { parseOutboundProxy } from '@dealkeep/core/foundations';
import { removeOld } from '@dealkeep/core/installation';
import {
  createManualWebhook,
  disableWebhook,
  type HookRequest,
  ManualClock,
  recoverDeliveries,
  rotateWebhookSecret,
  sendTestEvent,
  startDealkeep,
  startHookReceiver,
} from '@dealkeep/testing';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { startProxyServer } from '../outgoing/proxy-server.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });
const { core, sql } = dealkeep;
const hour = 3_600_000;

async function manualWebhook(targetUrl: string) {
  const organization = await dealkeep.createOrganization();
  const input = { name: 'Warehouse', target_url: targetUrl, events: ['lead.created', 'order.paid'] };
  const webhook = await createManualWebhook(core, organization, input);
  return { organization, ...webhook, api: dealkeep.as(organization.key) };
}

/** Which of the secrets a library for Standard Webhooks accepts the request under. */
function verifying(request: HookRequest, secrets: readonly string[]): string[] {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(request.headers['webhook-timestamp']) * 1000 });
  const accepted = secrets.filter((secret) => {
    try {
      return new Webhook(secret).verify(request.body, request.headers);
    } catch {
      return false;
    }
  });
  vi.useRealTimers();
  return accepted;
}

test('a rotated secret signs beside the new one for 24 hours, and is then forgotten (rule deliveries 6)', async () => {
  const receiver = await startHookReceiver();
  const { organization, id, secret: old, api } = await manualWebhook(receiver.url);
  const { secret, previous_secret_until } = await rotateWebhookSecret(core, organization, { id });
  expect(secret).not.toBe(old);
  expect(Date.parse(previous_secret_until ?? '') - clock.now().getTime()).toBe(24 * hour);
  expect(await getWebhookWithHealth(core, organization, id)).toMatchObject({ previous_secret_until });

  await api.post('/leads', { name: 'At once' });
  const [first] = await receiver.received(1);
  expect(first?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  if (first) expect(verifying(first, [old, secret])).toEqual([old, secret]);

  clock.advance(24 * hour - 1000);
  await api.post('/leads', { name: 'Shortly before' });
  const [, second] = await receiver.received(2);
  if (second) expect(verifying(second, [old, secret])).toEqual([old, secret]);
  expect((await removeOld(core)).secrets).toBe(0);

  clock.advance(1000);
  await api.post('/leads', { name: 'Afterwards' });
  const [, , third] = await receiver.received(3);
  if (third) expect(verifying(third, [old, secret])).toEqual([secret]);
  expect(await getWebhookWithHealth(core, organization, id)).toMatchObject({ previous_secret_until: null });
  expect((await removeOld(core)).secrets).toBe(1);
  const [row] = await sql`select previous_secret from webhooks where id = ${id}`;
  expect(row?.['previous_secret']).toBeNull();
});

test('a REST hook is given a new secret by an owner, and is signed with both for a while (rule deliveries 6)', async () => {
  const receiver = await startHookReceiver();
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const { data: hook } = await api.post('/webhooks', { target_url: receiver.url, event: 'lead.created' });
  const { secret } = await rotateWebhookSecret(core, organization, { id: hook.id });
  await api.post('/leads', { name: 'Lead' });
  const [request] = await receiver.received(1);
  if (request) expect(verifying(request, [hook.secret, secret])).toEqual([hook.secret, secret]);
  const other = await dealkeep.createOrganization();
  await expect(rotateWebhookSecret(core, other, { id: hook.id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('a second rotation within the 24 hours ends the first secret (rule deliveries 6)', async () => {
  const receiver = await startHookReceiver();
  const { organization, id, secret: first, api } = await manualWebhook(receiver.url);
  const { secret: second } = await rotateWebhookSecret(core, organization, { id });
  const { secret: third } = await rotateWebhookSecret(core, organization, { id });
  await api.post('/leads', { name: 'Lead' });
  const [request] = await receiver.received(1);
  if (request) expect(verifying(request, [first, second, third])).toEqual([second, third]);
});

test('a test event is a signed sample with an id of its own, tried once, and stands in the log (rule deliveries 30)', async () => {
  const receiver = await startHookReceiver();
  const { organization, id, secret } = await manualWebhook(receiver.url);
  receiver.answerWith({ status: 200, body: 'thanks' });
  const first = await sendTestEvent(core, organization, { id });
  const second = await sendTestEvent(core, organization, { id, event: 'order.paid' });
  expect(first).toMatchObject({
    delivered: true,
    response_status: 200,
    error: null,
    response_start: 'thanks',
  });
  const [one, two] = receiver.requests;
  expect([one?.envelope, two?.envelope]).toMatchObject([
    { id: first.delivery_id, type: 'lead.created', test: true },
    { id: second.delivery_id, type: 'order.paid', test: true },
  ]);
  expect(one?.headers).toMatchObject({ 'webhook-id': first.delivery_id, 'x-service-attempt': '1' });
  if (one) expect(verifying(one, [secret])).toEqual([secret]);
  const logged = await sql`
    select e.type, e.test, a.number, a.status from attempts a
    join events e on e.organization_id = a.organization_id and e.id = a.event_id
    where a.webhook_id = ${id} order by a.id`;
  expect(logged).toEqual([
    { type: 'lead.created', test: true, number: 1, status: 200 },
    { type: 'order.paid', test: true, number: 1, status: 200 },
  ]);
});

test('a test event goes through OUTBOUND_PROXY as deliveries do (rule operator 11)', async () => {
  const receiver = await startHookReceiver();
  const { organization, id } = await manualWebhook(receiver.url);
  const proxy = await startProxyServer();
  const outboundProxy = parseOutboundProxy(proxy.url);
  expect(await sendTestEvent({ ...core, outboundProxy }, organization, { id })).toMatchObject({
    response_status: 200,
  });
  expect(proxy.asked).toHaveLength(1);
});

test('a test event that fails is told in both languages and not tried again; the webhook is as well as before (rule deliveries 30)', async () => {
  const receiver = await startHookReceiver();
  const { organization, id } = await manualWebhook(receiver.url);
  await disableWebhook(core, organization, { id });
  receiver.answerWith(503);
  expect(await sendTestEvent(core, organization, { id })).toMatchObject({
    delivered: false,
    response_status: 503,
  });
  await receiver.stop();
  expect(await sendTestEvent(core, organization, { id })).toMatchObject({
    delivered: false,
    response_status: null,
    error: { en: 'connection refused', sk: 'spojenie bolo odmietnuté' },
  });
  expect(await getWebhookWithHealth(core, organization, id)).toMatchObject({ failing_since: null });
  expect(await sql`select from deliveries where webhook_id = ${id}`).toHaveLength(0);
});

test('sending again all that failed leaves test events out (rule deliveries 29)', async () => {
  const receiver = await startHookReceiver();
  const { organization, id } = await manualWebhook(receiver.url);
  receiver.answerWith(503);
  await sendTestEvent(core, organization, { id });
  const since = clock.now().toISOString();
  for (const only_failed of [true, false]) {
    expect(await recoverDeliveries(core, organization, { id, since, only_failed })).toEqual({ count: 0 });
  }
});
