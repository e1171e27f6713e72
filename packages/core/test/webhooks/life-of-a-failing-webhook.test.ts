import { createUser } from '@dealkeep/core/accounts';
import { getWebhookWithHealth } from '@dealkeep/core/delivering';
import { queueSummary } from '@dealkeep/core/installation';
import {
  createManualWebhook,
  enableWebhook,
  eventually,
  ManualClock,
  startDealkeep,
  startHookReceiver,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startInbox } from '../mails/inbox.ts';

const clock = new ManualClock('2026-10-01T08:00:00.000Z');
const inbox = await startInbox();
const mail = { url: inbox.url, from: 'Dealkeep <crm@example.com>' };
const dealkeep = await startDealkeep({ clock, mail });
const { core, sql } = dealkeep;
/** Every mail that is due has arrived. */
const mailed = async () => {
  await eventually(async () => expect((await queueSummary(sql)).mails).toBe(0));
  return inbox.mails;
};
const hour = 3_600_000;
const began = clock.now().getTime();
const at = (hours: number): string => new Date(began + hours * hour).toISOString();

test('the whole life of a failing webhook: tries, mails, disabled, held, enabled, delivered in order (rules deliveries 17, 18, 21 and 22)', async () => {
  const receiver = await startHookReceiver();
  receiver.answerWith(500);
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const person = { organization: organization.slug, role: 'owner' };
  const slovak = `eva@${organization.slug}.example`;
  const eva = await createUser(core, { ...person, name: 'Eva', email: slovak, language: 'sk' });
  await createUser(core, { ...person, name: 'Not marked', email: `peter@${organization.slug}.example` });
  const { id, secret } = await createManualWebhook(core, organization, {
    name: 'Warehouse',
    target_url: `${receiver.url}?token=hidden`,
    events: ['lead.created'],
    notify_user_ids: [organization.ownerId, eva.id],
  });
  const health = () => getWebhookWithHealth(core, organization, id);
  const attemptsOf = (name: string) =>
    receiver.requests.filter(({ envelope }) => envelope.data['name'] === name).length;
  const settled = () =>
    eventually(async () => {
      const now = clock.now().toISOString();
      const busy = await sql`
        select from deliveries where webhook_id = ${id} and (worker_id is not null or due_at <= ${now})`;
      expect(busy).toHaveLength(0);
    });
  /** Lets time pass, and with it every attempt that falls due. */
  const until = async (hours: number) => {
    for (;;) {
      const [next] = await sql<{ due_at: string | null }[]>`
        select min(due_at) as due_at from deliveries where webhook_id = ${id}`;
      const isLater = !next?.due_at || next.due_at > at(hours);
      clock.set(isLater ? at(hours) : (next.due_at ?? ''));
      if (isLater) return;
      await settled();
    }
  };
  const createLead = async (name: string) => {
    const before = receiver.requests.length;
    await api.post('/leads', { name });
    return before;
  };
  const failing = async (name: string) => {
    await receiver.received((await createLead(name)) + 1);
    await settled();
  };

  // A day of failing, with several messages under way.
  await failing('one');
  expect(await health()).toMatchObject({ failing_since: at(0), state: 'active' });
  await until(10);
  await failing('two');
  await until(23.9);
  expect(await mailed()).toEqual([]);
  await until(24);
  await failing('three');
  await mailed();
  expect(inbox.mails.flatMap(({ to }) => to).sort()).toEqual([organization.ownerEmail, slovak].sort());
  const english = inbox.mails.find(({ to }) => to.includes(organization.ownerEmail));
  expect(english?.subject).toBe('The webhook "Warehouse" has been failing for 24 hours');
  expect(english?.text).toBe(
    `${[
      'Hello Jana Horváthová,',
      'Nothing has reached the webhook "Warehouse" of Test organization at 127.0.0.1 since 1 October 2026 at 10:00 CEST.',
      'The last error: it answered with status 500.',
      'It is still tried. After 72 hours without success it is disabled; events are then held for up to 30 days, at most 1,000, and delivered once it is enabled again.',
      `Deliveries and their errors: http://localhost:3000/webhooks/${id}`,
    ].join('\n\n')}\n`,
  );
  const other = inbox.mails.find(({ to }) => to.includes(slovak));
  expect(other?.subject).toBe('Webhook "Warehouse" zlyháva už 24 hodín');
  expect(other?.text).toContain('Posledná chyba: odpoveď so stavom 500.');

  // Told once; every message has its nine attempts.
  await until(65);
  expect(attemptsOf('one')).toBe(9);
  expect(await mailed()).toHaveLength(2);
  await until(71.9);
  expect(attemptsOf('two')).toBe(9);
  expect(await health()).toMatchObject({ state: 'active' });

  // The first failure after 72 hours disables it; what waits is held, and so is what happens meanwhile.
  const triesOfThree = attemptsOf('three');
  await until(72);
  await failing('four');
  expect(await health()).toMatchObject({
    state: 'disabled',
    disabled_reason: 'failing',
    disabled_at: at(72),
    held_events: 2,
  });
  expect(
    (await mailed())
      .slice(2)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(['The webhook "Warehouse" was disabled', 'Webhook "Warehouse" bol vypnutý']);
  for (const name of ['five', 'six', 'seven']) await createLead(name);
  clock.set(at(24 * 20));
  const sentBefore = receiver.requests.length;
  expect(await health()).toMatchObject({ held_events: 5, dropped_events: 0 });

  // Enabled, it gets everything in order, and nothing twice.
  receiver.answerWith(200);
  expect(await enableWebhook(core, organization, { id })).toMatchObject({
    state: 'active',
    disabled_reason: null,
  });
  await receiver.received(sentBefore + 5);
  const arrived = receiver.requests.slice(sentBefore);
  expect(arrived.map(({ envelope }) => envelope.data['name'])).toEqual([
    ...['three', 'four', 'five', 'six', 'seven'],
  ]);
  expect(arrived.map(({ headers }) => Number(headers['x-service-attempt']))).toEqual([
    triesOfThree + 1,
    2,
    1,
    1,
    1,
  ]);
  await settled();
  expect(await health()).toMatchObject({ held_events: 0, failing_since: null, last_success_at: at(24 * 20) });
  expect(receiver.requests).toHaveLength(sentBefore + 5);

  // No mail holds a secret, nor the path of the address, which may be one.
  for (const { raw, text } of inbox.mails) {
    for (const each of [raw, text]) {
      expect(each).not.toContain(secret.slice(6, 20));
      expect(each).not.toContain('hidden');
    }
  }
});
