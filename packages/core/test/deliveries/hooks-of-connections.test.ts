import { disconnect, updateOrganization } from '@dealkeep/core/accounts';
import { endHooksOfDeadKeys, getWebhookWithHealth, releaseHeldEvents } from '@dealkeep/core/delivering';
import {
  connectedUser,
  disableWebhook,
  eventually,
  ManualClock,
  startDealkeep,
  startHookReceiver,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startInbox } from '../mails/inbox.ts';
import { subscribe } from './subscriber.ts';

const clock = new ManualClock();
const inbox = await startInbox();
const mail = { url: inbox.url, from: 'Dealkeep <crm@example.com>' };
const dealkeep = await startDealkeep({ clock, mail });
const { core, sql } = dealkeep;
const hour = 3_600_000;
const all = { 'leads.view': 'all', 'companies.view': 'all' };

/** A hook of a person's connection; the organization's own key makes the records. */
async function connected(events: readonly string[] = ['lead.created', 'company.created']) {
  const receiver = await startHookReceiver();
  const organization = await dealkeep.createOrganization();
  const person = await connectedUser(dealkeep, organization, 'leads.view=all,companies.view=all');
  const hook = await subscribe(dealkeep, receiver.url, { organization, key: person.token, events });
  const api = dealkeep.as(organization.key);
  return {
    receiver,
    organization,
    person,
    hook,
    lead: (name: string) => api.post('/leads', { name }),
    company: (name: string) => api.post('/companies', { name }),
    names: () => receiver.requests.map(({ envelope }) => envelope.data['name']),
  };
}

test('a hook of a connection gets events, and is no hand-made webhook', async () => {
  const { receiver, organization, person, hook, lead } = await connected();
  await lead('one');
  await receiver.received(1);
  expect(await getWebhookWithHealth(core, organization, hook.hookId)).toMatchObject({
    kind: 'rest_hook',
    made_by: { kind: 'connection', id: person.connectionId },
    state: 'active',
  });
  await expect(disableWebhook(core, organization, { id: hook.hookId })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test.each([
  ['lacks the permission', { 'companies.view': 'all' }],
  ['is limited to assigned records', { 'companies.view': 'all', 'leads.view': 'assigned' }],
])(
  'what happens while the role %s is dropped; other events arrive (rule deliveries 24)',
  async (_what, permissions) => {
    const { receiver, person, lead, company, names } = await connected();
    await person.permit(permissions);
    await lead('lost');
    await company('seen');
    await receiver.received(1);
    await person.permit(all);
    await lead('seen again');
    await receiver.received(2);
    expect(names()).toEqual(['seen', 'seen again']);
  },
);

test('what waits while the role lacks the permission is held, and delivered once it has it again (rules deliveries 24 and scopes 10)', async () => {
  const { receiver, organization, person, hook, lead, company, names } = await connected();
  receiver.answerWith(({ envelope }) => (envelope.data['name'] === 'waits' ? 500 : 200));
  await lead('waits');
  await hook.logged(1);
  await person.permit({ 'companies.view': 'all' });
  clock.advance(hour);
  await eventually(async () => expect(await hook.pending()).toEqual([]));
  expect(await getWebhookWithHealth(core, organization, hook.hookId)).toMatchObject({
    state: 'paused',
    held_events: 1,
  });
  await releaseHeldEvents(core);
  await company('meanwhile');
  await receiver.received(2);
  expect(names()).toEqual(['waits', 'meanwhile']);

  receiver.answerWith(200);
  await person.permit(all);
  await releaseHeldEvents(core);
  await receiver.received(3);
  expect(names()).toEqual(['waits', 'meanwhile', 'waits']);
});

test('a lapsed subscription pauses the hooks of connections (rule deliveries 23)', async () => {
  const { receiver, organization, hook, lead } = await connected();
  receiver.answerWith(500);
  await lead('one');
  await hook.logged(1);
  await updateOrganization(sql, organization.slug, { subscription: 'lapsed' });
  clock.advance(hour);
  await eventually(async () => expect(await hook.pending()).toEqual([]));
  receiver.answerWith(200);
  await updateOrganization(sql, organization.slug, { subscription: 'active' });
  await releaseHeldEvents(core);
  await receiver.received(2);
  expect(await hook.hookExists()).toBe(true);
});

test('a hook that was made while its connection was being ended gets nothing and goes', async () => {
  const { receiver, person, hook } = await connected();
  await sql`
    update oauth_connections set ended_at = ${clock.now().toISOString()}, ended_because = 'disconnected'
    where id = ${person.connectionId}`;
  expect(await endHooksOfDeadKeys({ sql, clock })).toBe(1);
  expect(await hook.hookExists()).toBe(false);
  expect(receiver.requests).toEqual([]);
});

test('who disconnects an application ends its hooks, with what waits for them (rules deliveries 25 and oauth 19)', async () => {
  const { receiver, organization, person, hook, lead } = await connected();
  receiver.answerWith(500);
  await lead('one');
  await hook.logged(1);
  await disconnect(core, { organization: organization.id, id: person.connectionId });
  expect(await hook.hookExists()).toBe(false);
  expect(await hook.pending()).toEqual([]);
});

test('the person behind the connection is told of a hook that fails, and it is removed after 72 hours (rules deliveries 17 and 18)', async () => {
  const { receiver, organization, person, hook, lead } = await connected();
  receiver.answerWith(500);
  await lead('one');
  await hook.logged(1);
  await sql`
    update webhooks set failing_since = ${new Date(clock.now().getTime() - 72 * hour).toISOString()}
    where id = ${hook.hookId}`;
  await lead('two');
  await eventually(async () => expect(await hook.hookExists()).toBe(false));
  const [{ email } = { email: '' }] = await sql<{ email: string }[]>`
    select u.email from users u join memberships m on m.person_id = u.id
    where m.organization_id = ${organization.id} and m.id = ${person.id}`;
  await eventually(async () =>
    expect(inbox.mails).toMatchObject([{ to: [email], subject: expect.stringContaining('was deleted') }]),
  );
});

test('a successful delivery counts as use of the connection, at most once a minute (rule oauth 18)', async () => {
  const { receiver, person, hook, lead } = await connected();
  const lastUsed = async () => {
    const [row] = await sql<{ last_used_at: string }[]>`
      select last_used_at from oauth_connections where id = ${person.connectionId}`;
    return row?.last_used_at;
  };
  clock.advance(hour);
  await lead('one');
  await receiver.received(1);
  const first = clock.now().toISOString();
  await eventually(async () => expect(await lastUsed()).toBe(first));
  clock.advance(30_000);
  await lead('two');
  await hook.logged(2);
  expect(await lastUsed()).toBe(first);
  clock.advance(30_000);
  await lead('three');
  await hook.logged(3);
  await eventually(async () => expect(await lastUsed()).toBe(clock.now().toISOString()));
});
