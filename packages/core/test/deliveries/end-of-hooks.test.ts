import { revokeApiKey, updateUser } from '@dealkeep/core/accounts';
import { endHooksOfDeadKeys } from '@dealkeep/core/delivering';
import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { noteActivity } from '../../src/delivering/deliveries/upkeep/worker-upkeep.ts';
import { startInbox } from '../mails/inbox.ts';
import { hooksArePaused } from './paused-hooks.ts';
import { subscribe } from './subscriber.ts';

const clock = new ManualClock();
const inbox = await startInbox();
const mail = { url: inbox.url, from: 'Dealkeep <crm@example.com>' };
const dealkeep = await startDealkeep({ clock, mail });
const { sql } = dealkeep;
const hour = 3_600_000;

const markerReceiver = await startHookReceiver();
const marker = await subscribe(dealkeep, markerReceiver.url);
/** The worker has looked with the clock as it stands. */
async function letTheWorkerLook(): Promise<void> {
  await marker.createLead();
  await markerReceiver.received(markerReceiver.requests.length + 1);
}

test('a REST hook that takes nothing for 72 hours is removed, and what waits for it with it (rules deliveries 17 and 18)', async () => {
  const receiver = await startHookReceiver();
  receiver.answerWith(500);
  const subscriber = await subscribe(dealkeep, receiver.url);
  const began = clock.now().getTime();
  await subscriber.createLead('first');
  await subscriber.logged(1);
  // A fresh event each day, with attempts of its own.
  for (let hours = 0; hours < 72; hours += 24) {
    clock.set(new Date(began + hours * hour).toISOString());
    const count = (await subscriber.log()).length;
    await subscriber.createLead('another');
    await subscriber.logged(count + 1);
    expect(await subscriber.hookExists()).toBe(true);
  }
  clock.set(new Date(began + 72 * hour - 1).toISOString());
  await subscriber.createLead('shortly before');
  await letTheWorkerLook();
  await eventually(async () =>
    expect((await subscriber.pending()).every(({ worker_id }) => worker_id === null)).toBe(true),
  );
  expect(await subscriber.hookExists()).toBe(true);

  clock.set(new Date(began + 72 * hour).toISOString());
  await subscriber.createLead('too late');
  await eventually(async () => expect(await subscriber.hookExists()).toBe(false));
  expect(await subscriber.pending()).toEqual([]);
  const { ownerEmail } = subscriber.organization;
  await eventually(async () =>
    expect(inbox.mails.filter(({ to }) => to.includes(ownerEmail)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('has been failing for 24 hours'),
      expect.stringContaining('was deleted'),
    ]),
  );
});

test('one success within the 72 hours starts the count anew (rule deliveries 16)', async () => {
  const receiver = await startHookReceiver();
  receiver.answerWith(({ envelope }) => (envelope.data['name'] === 'good' ? 200 : 500));
  const subscriber = await subscribe(dealkeep, receiver.url);
  await subscriber.createLead('bad');
  await subscriber.logged(1);
  clock.advance(71 * hour);
  await subscriber.createLead('good');
  await eventually(async () =>
    expect((await subscriber.log()).some(({ status }) => status === 200)).toBe(true),
  );
  clock.advance(2 * hour);
  await subscriber.createLead('bad');
  await letTheWorkerLook();
  await eventually(async () => expect((await subscriber.log()).length).toBeGreaterThanOrEqual(4));
  expect(await subscriber.hookExists()).toBe(true);
});

test('time in which no worker ran does not count (rule deliveries 16)', async () => {
  const [hook] = await sql<{ id: string }[]>`
    update webhooks set failing_since = clock_timestamp() - interval '70 hours'
    where id = ${marker.hookId} returning id`;
  const failingHours = async () => {
    const [row] = await sql<{ hours: number }[]>`
      select round(extract(epoch from clock_timestamp() - failing_since) / 3600)::integer as hours
      from webhooks where id = ${hook?.id ?? ''}`;
    return row?.hours;
  };
  await noteActivity(sql);
  expect(await failingHours()).toBe(70);
  await sql`update worker_activity set seen_at = clock_timestamp() - interval '60 hours'`;
  await noteActivity(sql);
  expect(await failingHours()).toBe(10);
  await noteActivity(sql);
  expect(await failingHours()).toBe(10);
  await sql`update webhooks set failing_since = null where id = ${marker.hookId}`;
});

test('the hooks of a revoked key are gone at once, and get nothing more (rule deliveries 25)', async () => {
  const receiver = await startHookReceiver();
  receiver.answerWith(500);
  const subscriber = await subscribe(dealkeep, receiver.url);
  await subscriber.createLead();
  await subscriber.logged(1);
  await revokeApiKey({ sql, clock }, subscriber.organization.keyId);
  expect(await subscriber.hookExists()).toBe(false);
  expect(await subscriber.pending()).toEqual([]);
  clock.advance(24 * hour);
  await letTheWorkerLook();
  expect(receiver.requests).toHaveLength(1);
});

test('a hook that was made while its key was being revoked gets nothing and goes', async () => {
  const receiver = await startHookReceiver();
  const other = await startHookReceiver();
  const organization = await dealkeep.createOrganization();
  const { id: keyId, token } = await organization.createKey();
  const late = await subscribe(dealkeep, receiver.url, { organization, key: token });
  const lasting = await subscribe(dealkeep, other.url, { organization });
  await sql`update api_keys set revoked_at = ${clock.now().toISOString()} where id = ${keyId}`;
  await lasting.createLead();
  await other.received(1);
  await eventually(async () => expect(await late.hookExists()).toBe(false));
  expect(receiver.requests).toEqual([]);
  expect(await lasting.hookExists()).toBe(true);
});

test('the hooks of an expired key get nothing and go, with an event or without', async () => {
  const receiver = await startHookReceiver();
  const other = await startHookReceiver();
  const organization = await dealkeep.createOrganization();
  const expiresAt = new Date(clock.now().getTime() + hour).toISOString();
  const { token } = await organization.createKey({ expiresAt });
  const expiring = await subscribe(dealkeep, receiver.url, { organization, key: token });
  const unused = await subscribe(dealkeep, receiver.url, { organization, key: token, events: ['lead.won'] });
  const lasting = await subscribe(dealkeep, other.url, { organization });
  clock.advance(hour);
  await lasting.createLead();
  await other.received(1);
  await eventually(async () => expect(await expiring.hookExists()).toBe(false));
  expect(receiver.requests).toEqual([]);
  expect(await unused.hookExists()).toBe(true);
  expect(await endHooksOfDeadKeys({ sql, clock })).toBe(1);
  expect(await unused.hookExists()).toBe(false);
  expect(await lasting.hookExists()).toBe(true);
});

test('an inactive owner pauses the hooks; what waits is held, and delivered afterwards in order, once each (rule deliveries 23)', () =>
  hooksArePaused(dealkeep, clock, {
    begin: (slug) => updateUser({ sql, clock }, `owner@${slug}.example`, { active: false }),
    end: (slug) => updateUser({ sql, clock }, `owner@${slug}.example`, { active: true }),
  }));
