import { updateOrganization } from '@dealkeep/core/accounts';
import { getWebhookWithHealth, listWebhooksWithHealth } from '@dealkeep/core/delivering';
import {
  createManualWebhook,
  disableWebhook,
  enableWebhook,
  eventually,
  ManualClock,
  removeWebhook,
  sendTestEvent,
  startDealkeep,
  startHookReceiver,
  updateManualWebhook,
} from '@dealkeep/testing';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });
const { core, sql } = dealkeep;

async function manualWebhook(
  targetUrl: string,
  changes: { events?: string[]; notify_user_ids?: string[] } = {},
) {
  const organization = await dealkeep.createOrganization();
  const input = { name: 'Warehouse', target_url: targetUrl, events: ['lead.created'], ...changes };
  const webhook = await createManualWebhook(core, organization, input);
  return { organization, webhook, api: dealkeep.as(organization.key) };
}
/** The code and the failing fields that a verb raises. */
const problemOf = async (work: Promise<unknown>) => {
  const problem = await work.then(
    () => undefined,
    (error) => error,
  );
  const fields = problem?.body('en').error.detail?.fields?.map(({ path }: { path: string }) => path);
  return fields ? `${problem.code} ${fields}` : problem?.code;
};

test('a webhook made by hand receives events, signed with the secret that making it has shown (rule deliveries 3)', async () => {
  const receiver = await startHookReceiver();
  const { organization, webhook, api } = await manualWebhook(receiver.url);
  expect(webhook).toMatchObject({
    kind: 'manual',
    name: 'Warehouse',
    target_url: receiver.url,
    events: ['lead.created'],
    state: 'active',
    disabled_reason: null,
    failing_since: null,
    last_success_at: null,
    held_events: 0,
    dropped_events: 0,
    notify_user_ids: [],
  });
  await api.post('/leads', { name: 'One' });
  const [request] = await receiver.received(1);
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
  expect(new Webhook(webhook.secret).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({
    type: 'lead.created',
    test: false,
  });
  vi.useRealTimers();
  // It is shown once and stands encrypted.
  expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await getWebhookWithHealth(core, organization, webhook.id)).not.toHaveProperty('secret');
  const [row] = await sql<{ secret: Buffer }[]>`select secret from webhooks where id = ${webhook.id}`;
  expect(row?.secret.toString('latin1')).not.toContain(webhook.secret);
  expect(row?.secret.includes(Buffer.from(webhook.secret.replace('whsec_', ''), 'base64'))).toBe(false);
});

test('health tells when it last succeeded and since when it fails', async () => {
  const receiver = await startHookReceiver();
  const { organization, webhook, api } = await manualWebhook(receiver.url);
  const began = clock.now().toISOString();
  await api.post('/leads', { name: 'Good' });
  await eventually(async () =>
    expect((await getWebhookWithHealth(core, organization, webhook.id)).last_success_at).toBe(began),
  );
  clock.advance(3_600_000);
  receiver.answerWith(500);
  await api.post('/leads', { name: 'Bad' });
  await eventually(async () =>
    expect(await getWebhookWithHealth(core, organization, webhook.id)).toMatchObject({
      state: 'active',
      last_success_at: began,
      failing_since: clock.now().toISOString(),
    }),
  );
});

test('the API shows no webhook made by hand, but it counts against the maximum (rules hooks 5 and 6)', async () => {
  const receiver = await startHookReceiver();
  const { organization, webhook, api } = await manualWebhook(receiver.url);
  expect((await api.get('/webhooks')).page.data).toEqual([]);
  expect((await api.get(`/webhooks/${webhook.id}`)).outcome).toBe('404 NOT_FOUND');
  expect((await api.delete(`/webhooks/${webhook.id}`)).outcome).toBe('404 NOT_FOUND');
  await updateOrganization(sql, organization.slug, { maxWebhooks: 2 });
  const hook = { target_url: receiver.url, event: 'lead.won' };
  const { data } = await api.post('/webhooks', hook);
  expect((await api.post('/webhooks', hook)).outcome).toBe('409 LIMIT_EXCEEDED');
  const input = { name: 'Third', target_url: receiver.url, events: ['lead.won'] };
  expect(await problemOf(createManualWebhook(core, organization, input))).toBe('LIMIT_EXCEEDED');
  expect((await listWebhooksWithHealth(core, organization)).map(({ id, kind }) => [id, kind])).toEqual(
    expect.arrayContaining([
      [data.id, 'rest_hook'],
      [webhook.id, 'manual'],
    ]),
  );
});

test('what is wrong with a new webhook is told as the API tells it (rule hooks 10)', async () => {
  const organization = await dealkeep.createOrganization();
  const stranger = await dealkeep.createOrganization();
  const good = { name: 'Good', target_url: 'https://127.0.0.1:5000/', events: ['lead.created'] };
  const refusals: [Partial<typeof good> & { notify_user_ids?: string[] }, string][] = [
    [{ name: ' ' }, 'VALIDATION_ERROR name'],
    [{ events: [] }, 'VALIDATION_ERROR events'],
    [{ events: ['lead.won', 'lead.won'] }, 'VALIDATION_ERROR events[1]'],
    [{ events: ['lead.lost', 'lead.found'] }, 'UNKNOWN_EVENT'],
    [{ target_url: 'ftp://127.0.0.1/' }, 'WEBHOOK_URL_INVALID'],
    [{ target_url: 'https://10.1.2.3/' }, 'WEBHOOK_URL_BLOCKED'],
    [{ notify_user_ids: [organization.ownerId, stranger.ownerId] }, 'VALIDATION_ERROR notify_user_ids[1]'],
  ];
  const { id } = await createManualWebhook(core, organization, good);
  for (const [bad, expected] of refusals) {
    const creating = createManualWebhook(core, organization, { ...good, ...bad });
    expect(await problemOf(creating)).toBe(expected);
    const updating = updateManualWebhook(core, organization, { id, ...bad });
    expect(await problemOf(updating)).toBe(expected);
  }
  expect(await listWebhooksWithHealth(core, organization)).toHaveLength(1);
});

test('a REST hook and a webhook of another organization cannot be changed by hand', async () => {
  const receiver = await startHookReceiver();
  const { organization, webhook, api } = await manualWebhook(receiver.url);
  const stranger = await dealkeep.createOrganization();
  const { id: restHook } = (await api.post('/webhooks', { target_url: receiver.url, event: 'lead.won' }))
    .data;
  for (const [where, id] of [
    [organization, restHook],
    [stranger, webhook.id],
  ] as const) {
    const changes = [
      () => updateManualWebhook(core, where, { id, name: 'Mine' }),
      () => enableWebhook(core, where, { id }),
      () => disableWebhook(core, where, { id }),
      () => sendTestEvent(core, where, { id }),
    ];
    for (const change of changes) expect(await problemOf(change())).toBe('NOT_FOUND');
  }
  expect(await problemOf(removeWebhook(core, stranger, { id: webhook.id }))).toBe('NOT_FOUND');
  await removeWebhook(core, organization, { id: restHook });
  await removeWebhook(core, organization, { id: webhook.id });
  expect(await listWebhooksWithHealth(core, organization)).toEqual([]);
});

test('events, name, address and people change; a new address starts without the failures of the old (rules hooks 10 and 25)', async () => {
  const before = await startHookReceiver();
  const after = await startHookReceiver();
  before.answerWith(500);
  const { organization, webhook, api } = await manualWebhook(before.url);
  const { id } = webhook;
  await api.post('/leads', { name: 'First' });
  await eventually(async () =>
    expect((await getWebhookWithHealth(core, organization, id)).failing_since).not.toBeNull(),
  );
  const changes = {
    name: 'Shop',
    target_url: after.url,
    events: ['company.created'],
    notify_user_ids: [organization.ownerId],
  };
  expect(await updateManualWebhook(core, organization, { id, ...changes })).toMatchObject({
    ...changes,
    failing_since: null,
  });
  await api.post('/leads', { name: 'Second' });
  await api.post('/companies', { name: 'Third' });
  clock.advance(6000);
  await after.received(2);
  expect(after.requests.map(({ envelope }) => envelope.data['name']).sort()).toEqual(['First', 'Third']);
});

test('disabling by hand sends and holds nothing, and what waited is dropped (rule deliveries 20)', async () => {
  const receiver = await startHookReceiver();
  receiver.answerWith(500);
  const { organization, webhook, api } = await manualWebhook(receiver.url);
  const { id } = webhook;
  await api.post('/leads', { name: 'Waiting' });
  await eventually(async () =>
    expect(await sql`select from deliveries where webhook_id = ${id} and attempts = 1`).toHaveLength(1),
  );
  expect(await disableWebhook(core, organization, { id })).toMatchObject({
    state: 'disabled',
    disabled_reason: 'by_hand',
    disabled_at: clock.now().toISOString(),
    held_events: 0,
  });
  await api.post('/leads', { name: 'Meanwhile' });
  receiver.answerWith(200);
  expect(await enableWebhook(core, organization, { id })).toMatchObject({
    state: 'active',
    disabled_reason: null,
    failing_since: null,
  });
  await api.post('/leads', { name: 'Afterwards' });
  await receiver.received(2);
  clock.advance(24 * 3_600_000);
  await api.post('/leads', { name: 'Last' });
  await receiver.received(3);
  expect(receiver.requests.map(({ envelope }) => envelope.data['name'])).toEqual([
    ...['Waiting', 'Afterwards', 'Last'],
  ]);
});

test('410 disables a webhook made by hand with the reason gone, and holds nothing (rules deliveries 19 and 20)', async () => {
  const receiver = await startHookReceiver();
  receiver.answerWith(410);
  const { organization, webhook, api } = await manualWebhook(receiver.url);
  await api.post('/leads', { name: 'Refused' });
  await eventually(async () =>
    expect(await getWebhookWithHealth(core, organization, webhook.id)).toMatchObject({
      state: 'disabled',
      disabled_reason: 'gone',
      held_events: 0,
    }),
  );
  await api.post('/leads', { name: 'Not held' });
  expect(await getWebhookWithHealth(core, organization, webhook.id)).toMatchObject({ held_events: 0 });
  expect(await sql`select from deliveries where webhook_id = ${webhook.id}`).toHaveLength(0);
  expect(receiver.requests).toHaveLength(1);
});
