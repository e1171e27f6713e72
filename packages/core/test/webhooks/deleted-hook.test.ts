import { getOrganization, revokeApiKey, updateOrganization } from '@dealkeep/core/accounts';
import { listWebhooksWithHealth } from '@dealkeep/core/delivering';
import { removeOld } from '@dealkeep/core/installation';
import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { subscribe } from '../deliveries/subscriber.ts';

const clock = new ManualClock();
// No attempt counts as slow, however busy the machine is.
const timing = { attemptLimitMs: 60_000, slowAfterMs: 60_000 };
const dealkeep = await startDealkeep({ clock, timing });
const { core, sql } = dealkeep;
const hour = 3_600_000;

/** A hook whose receiver is down at first. */
async function subscribed(events = ['lead.created', 'company.created']) {
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(dealkeep, receiver.url, { events });
  const { api, hookId } = subscriber;
  const again = async (changes: object = {}) => {
    const answer = await api.post('/webhooks', { target_url: receiver.url, events, ...changes });
    clock.advance(5000);
    return answer;
  };
  const failing = async (name: string) => {
    receiver.answerWith(500);
    await subscriber.createLead(name);
    await eventually(async () => expect((await subscriber.pending())[0]?.attempts).toBe(1));
    receiver.answerWith(200);
  };
  const names = () => receiver.requests.map(({ envelope }) => envelope.data['name']);
  const row = async () =>
    (
      await sql<{ secret: Buffer | null; previous_secret: Buffer | null; deleted_at: string | null }[]>`
        select secret, previous_secret, deleted_at from webhooks where id = ${hookId}`
    )[0];
  return { ...subscriber, receiver, again, failing, names, row, hook: `/webhooks/${hookId}` as const };
}

describe('a hook that its credential deletes and creates again within a day (rule hooks 27)', () => {
  test('gets what waited and what happened meanwhile, once and in order, and nothing that it had', async () => {
    const { api, hook, hookId, secret, again, createLead, failing, names, receiver } = await subscribed();
    await createLead('had before');
    await receiver.received(1);
    await failing('waited');
    expect((await api.delete(hook)).outcome).toBe('204');
    await createLead('meanwhile 1');
    await api.post('/companies', { name: 'meanwhile 2' });
    clock.advance(23 * hour);
    await createLead('meanwhile 3');
    const made = await again();
    expect(made.outcome).toBe('201');
    expect(made.data).toMatchObject({
      id: hookId,
      created_at: new Date(clock.now().getTime() - 5000).toISOString(),
    });
    expect(made.data.secret).not.toBe(secret);
    await receiver.received(6);
    await createLead('after');
    await receiver.received(7);
    expect(names()).toEqual([
      ...['had before', 'waited', 'waited', 'meanwhile 1', 'meanwhile 2', 'meanwhile 3', 'after'],
    ]);
    expect(receiver.requests[2]?.headers['x-service-attempt']).toBe('2');
    const { secret: _, ...shown } = made.data;
    expect((await api.get('/webhooks')).page.data).toEqual([shown]);
  });

  test('gets of it what both want: events that it no longer wants, and what its filters do not let through, are dropped', async () => {
    const { api, hook, again, createLead, names, receiver } = await subscribed();
    await api.delete(hook);
    await createLead('plain');
    await api.post('/companies', { name: 'company' });
    await api.post('/leads', { name: 'VIP', tags: ['VIP'] });
    await again({ events: ['lead.created'], filters: { tag: ['VIP'] } });
    await receiver.received(1);
    await api.delete(hook);
    await createLead('not tagged');
    await api.post('/leads', { name: 'tagged', tags: ['VIP'] });
    await again();
    await createLead('last');
    await receiver.received(3);
    // New events do not wait for what was held.
    expect(names().toSorted()).toEqual(['VIP', 'last', 'tagged']);
  });

  test.each(['before', 'after'])(
    'is not sent again what was under way when it was deleted and arrives %s it is made again',
    async (moment) => {
      const { api, hook, again, createLead, names, receiver, pending } = await subscribed();
      let answer = (_: number): void => {};
      const answered = new Promise<number>((resolve) => {
        answer = resolve;
      });
      receiver.answerWith(() => answered);
      await createLead('under way');
      await receiver.received(1);
      await api.delete(hook);
      await createLead('meanwhile');
      receiver.answerWith(200);
      if (moment === 'before') {
        answer(200);
        await eventually(async () => expect(await pending()).toEqual([]));
      }
      await again();
      answer(200);
      await receiver.received(2);
      await eventually(async () => expect(await pending()).toEqual([]));
      expect(names()).toEqual(['under way', 'meanwhile']);
    },
  );

  test('begins anew with resume false', async () => {
    const { api, hook, hookId, again, createLead, failing, names, receiver } = await subscribed();
    await failing('waited');
    await api.delete(hook);
    expect((await again({ resume: false })).data.id).not.toBe(hookId);
    await createLead('new');
    await receiver.received(2);
    expect(names()).toEqual(['waited', 'new']);
  });

  test('is one of two that are made at once; a second hook of its target stays a second one', async () => {
    const { api, hook, hookId, again, createLead, names, receiver } = await subscribed();
    await api.delete(hook);
    await createLead('meanwhile');
    const both = await Promise.all([again(), again()]);
    expect(both.map(({ outcome }) => outcome)).toEqual(['201', '201']);
    expect(both.filter(({ data }) => data.id === hookId)).toHaveLength(1);
    await receiver.received(1);
    expect((await api.get('/webhooks')).page.data).toHaveLength(2);
    await createLead('after');
    await receiver.received(3);
    expect(names()).toEqual(['meanwhile', 'after', 'after']);
  });

  test('loses nothing when it is deleted at once with a creation', async () => {
    const { api, hook, again, createLead, names, receiver } = await subscribed();
    const [deleted, made] = await Promise.all([api.delete(hook), again()]);
    expect([deleted.outcome, made.outcome]).toEqual(['204', '201']);
    expect((await api.get('/webhooks')).page.data).toMatchObject([{ id: made.data.id }]);
    await createLead('after');
    await receiver.received(1);
    expect(names()).toEqual(['after']);
  });

  test('a repeat with the same Idempotency-Key answers the same and takes up nothing more', async () => {
    const { api, hook, receiver, failing, names } = await subscribed();
    await failing('waited');
    await api.delete(hook);
    const body = { target_url: receiver.url, events: ['lead.created'] };
    const make = () => api.post('/webhooks', body, { 'Idempotency-Key': 'once' });
    const [first, second] = [await make(), await make()];
    clock.advance(5000);
    expect(second.data).toEqual(first.data);
    await receiver.received(2);
    expect(names()).toEqual(['waited', 'waited']);
    expect((await api.get('/webhooks')).page.data).toHaveLength(1);
  });

  test('is given a moment before it gets what was held, so that its secret is known by then', async () => {
    const { api, hook, createLead, receiver, pending } = await subscribed();
    await api.delete(hook);
    await createLead('held');
    await api.post('/webhooks', { target_url: receiver.url, event: 'lead.created' });
    expect(await pending()).toMatchObject([{ due_at: new Date(clock.now().getTime() + 5000).toISOString() }]);
  });
});

describe('a hook that was deleted (rules hooks 7 and hooks 27)', () => {
  test('gets nothing, is nowhere to be seen, has no secret and takes no place', async () => {
    const { api, hook, hookId, organization, row, createLead, receiver, again } = await subscribed();
    await updateOrganization(sql, organization.slug, { maxWebhooks: 1 });
    await api.patch(hook, { rotate_secret: true });
    await api.delete(hook);
    expect(await row()).toEqual({
      secret: null,
      previous_secret: null,
      deleted_at: clock.now().toISOString(),
    });
    await createLead('unheard');
    expect((await api.get('/webhooks')).page.data).toEqual([]);
    for (const answer of [
      await api.get(hook),
      await api.patch(hook, { name: 'Mine' }),
      await api.delete(hook),
      await api.get(`${hook}/deliveries`),
      await api.post(`${hook}/test`, {}),
    ]) {
      expect(answer.outcome).toBe('404 NOT_FOUND');
    }
    expect(await listWebhooksWithHealth(core, organization)).toEqual([]);
    expect(await getOrganization(core, organization)).toMatchObject({ webhooks: 0 });
    const other = await api.post('/webhooks', { target_url: 'http://127.0.0.1:9/', event: 'lead.won' });
    expect(other.outcome).toBe('201');
    expect((await again()).outcome).toBe('409 LIMIT_EXCEEDED');
    expect(receiver.requests).toEqual([]);
    await api.delete(`/webhooks/${other.data.id}`);
    expect((await again()).data.id).toBe(hookId);
  });

  test('comes back for no other credential and target', async () => {
    const { api, hook, hookId, organization, receiver, createLead } = await subscribed();
    await api.delete(hook);
    await createLead('unheard');
    const { token } = await organization.createKey({ name: 'Other' });
    const body = { target_url: receiver.url, event: 'lead.created' };
    const others = [
      await dealkeep.as(token).post('/webhooks', body),
      await api.post('/webhooks', { ...body, target_url: `${receiver.url}?other` }),
    ];
    for (const { data } of others) expect(data.id).not.toBe(hookId);
    expect(receiver.requests).toEqual([]);
  });

  test('is gone for good with its credential, and after a day', async () => {
    const { api, hook, again, hookId, organization, row, createLead } = await subscribed();
    await api.delete(hook);
    await createLead('held');
    const { id, token } = await organization.createKey({ name: 'Ends' });
    const ends = dealkeep.as(token);
    const made = (await ends.post('/webhooks', { target_url: 'http://127.0.0.1:9/', event: 'lead.won' }))
      .data;
    await ends.delete(`/webhooks/${made.id}`);
    await revokeApiKey(core, id);
    expect(await sql`select from webhooks where id = ${made.id}`).toEqual([]);
    clock.advance(24 * hour - 1);
    await removeOld(core, { only: ['deletedHooks'] });
    expect(await row()).toBeDefined();
    clock.advance(1);
    expect((await again()).data.id).not.toBe(hookId);
    expect((await removeOld(core, { only: ['deletedHooks'] })).deletedHooks).toBeGreaterThan(0);
    expect(await row()).toBeUndefined();
    expect(await sql`select from held_events where webhook_id = ${hookId}`).toEqual([]);
  });

  test('is one of fifty that an organization keeps at most: the oldest go', async () => {
    const { api, hook, hookId, row } = await subscribed();
    await api.delete(hook);
    // As if forty-nine others had been deleted since.
    await sql`
      insert into webhooks (organization_id, id, name, target_url, events, created_at, deleted_at, disabled_reason, disabled_at)
      select organization_id, gen_random_uuid(), 'Other', target_url, events, created_at, later, 'failing', later
      from webhooks cross join generate_series(1, 49) n
      cross join lateral (select deleted_at + n * interval '1 millisecond' as later) moment where id = ${hookId}`;
    clock.advance(1000);
    expect(await row()).toBeDefined();
    const { data } = await api.post('/webhooks', { target_url: 'http://127.0.0.1:9/', event: 'lead.won' });
    await api.delete(`/webhooks/${data.id}`);
    expect(await row()).toBeUndefined();
  });
});
