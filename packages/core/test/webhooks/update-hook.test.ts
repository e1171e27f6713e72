import { eventually, type HookRequest, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { subscribe } from '../deliveries/subscriber.ts';

const dealkeep = await startDealkeep();
const { sql } = dealkeep;
const vip = { filters: { tag: ['VIP'] } };

/** What a library for Standard Webhooks says. */
function signedWith({ body, headers }: HookRequest, secret: string): boolean {
  return Boolean(new Webhook(secret).verify(body, headers));
}

async function subscribed(events = ['lead.created', 'lead.updated']) {
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(dealkeep, receiver.url, { events });
  return { ...subscriber, receiver, hook: `/webhooks/${subscriber.hookId}` as const };
}

describe('PATCH /webhooks/{id} (name, events, filters, target_url)', () => {
  test('changes what is sent and leaves the rest as it was (rule hooks 24)', async () => {
    const { api, hook } = await subscribed();
    const before = (await api.get(hook)).data;
    const named = (await api.patch(hook, { name: 'New leads' })).data;
    expect(named).toEqual({ ...before, name: 'New leads' });
    const filtered = (await api.patch(hook, { ...vip, changed_fields: ['value'] })).data;
    expect(filtered).toEqual({ ...named, ...vip, changed_fields: ['value'] });
    const fewer = (await api.patch(hook, { events: ['lead.updated'] })).data;
    expect(fewer).toEqual({ ...filtered, events: ['lead.updated'] });
    expect((await api.get(hook)).data).toEqual(fewer);
    const { filters: _, changed_fields: __, ...plain } = fewer;
    expect((await api.patch(hook, { filters: null, changed_fields: null })).data).toEqual(plain);
    expect((await api.patch(hook, {})).data).toEqual(plain);
  });

  test('from now on only what is wanted is sent', async () => {
    const { api, hook, createLead, receiver } = await subscribed();
    await api.patch(hook, { filters: { status: ['won'] } });
    await createLead('open');
    await api.patch(hook, { filters: null });
    const lead = await createLead('wanted');
    const [only] = await receiver.received(1);
    expect(only?.envelope.data.id).toBe(lead);
  });

  test('what was to be delivered goes to the new target_url with the same secret, events no longer chosen as well (rule hooks 25)', async () => {
    const { api, hook, hookId, createLead, logged, secret, receiver, pending } = await subscribed();
    receiver.answerWith(500);
    await createLead();
    await logged(1);
    const moved = await startHookReceiver();
    expect((await api.patch(hook, { target_url: moved.url, events: ['company.created'] })).status).toBe(200);
    const [stored] = await sql<{ failing_since: string | null }[]>`
      select failing_since from webhooks where id = ${hookId}`;
    expect(stored).toEqual({ failing_since: null });
    await eventually(async () => expect(await pending()).toHaveLength(1));
    const [event] = receiver.requests;
    await api.post(`${hook}/deliveries/${event?.envelope.id}/resend`, {});
    const [arrived] = await moved.received(1);
    expect(arrived?.body).toBe(event?.body);
    expect(arrived && signedWith(arrived, secret)).toBe(true);
    // Leads that come from now on are not wanted.
    await createLead();
    const company = (await api.post('/companies', { name: 'Kováč' })).data;
    const [, next] = await moved.received(2);
    expect(next?.envelope.data.id).toBe(company.id);
  });

  test('a target that POST /webhooks refuses is refused with the same words', async () => {
    const { api, hook } = await subscribed();
    for (const target_url of [
      'http://169.254.169.254/latest/meta-data',
      'https://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/',
      'https://[::ffff:10.0.0.1]/',
      'ftp://example.com/',
      'https://user:secret@example.com/',
      `https://example.com/${'x'.repeat(2048)}`,
      'nonsense',
    ]) {
      const made = await api.post('/webhooks', { target_url, event: 'lead.created' });
      const changed = await api.patch(hook, { target_url });
      expect(changed.status).toBe(422);
      expect([target_url, changed.error]).toEqual([target_url, made.error]);
    }
  });

  test('a filter that an event does not have is 422 naming both, of stored and of new ones alike (rule hooks 24)', async () => {
    const { api, hook } = await subscribed();
    await api.patch(hook, { filters: { pipeline_id: ['01985f6e-2c41-7990-a4fe-60d8b21c7e35'] } });
    const refused = await api.patch(hook, { events: ['company.created'] });
    expect(refused.fields).toEqual({ 'filters.pipeline_id': expect.any(String) });
    expect(JSON.stringify(refused.error)).toMatch(/company\.created.*pipeline_id/);
    expect((await api.patch(hook, { events: ['company.created'], filters: null })).status).toBe(200);
    expect((await api.patch(hook, { changed_fields: ['name'] })).fields).toEqual({
      changed_fields: expect.any(String),
    });
  });

  test('10,000 filters, and 10,000 values of one, are refused in one word', async () => {
    const { api, hook } = await subscribed();
    const filters = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field_${at}`, ['x']]));
    const refused = await api.patch(hook, { filters });
    expect(refused.fields).toEqual({ filters: expect.any(String) });
    const values = await api.patch(hook, { filters: { tag: Array.from({ length: 10_000 }, String) } });
    expect(values.fields).toEqual({ 'filters.tag': expect.any(String) });
  });

  test('unknown, doubled and no events', async () => {
    const { api, hook } = await subscribed();
    expect((await api.patch(hook, { events: ['lead.eaten'] })).outcome).toBe('422 UNKNOWN_EVENT');
    expect((await api.patch(hook, { events: ['lead.won', 'lead.won'] })).outcome).toBe(
      '422 VALIDATION_ERROR',
    );
    expect((await api.patch(hook, { events: [] })).outcome).toBe('422 VALIDATION_ERROR');
    expect((await api.patch(hook, { secret: 'whsec_mine' })).outcome).toBe('422 VALIDATION_ERROR');
  });

  test('an event whose read scope is missing is 403 and nothing changes', async () => {
    const { organization } = await subscribed();
    const { token } = await organization.createKey({
      name: 'Leads',
      scopes: ['leads:read', 'webhooks:manage'],
    });
    const api = dealkeep.as(token);
    const { secret: _, ...made } = (
      await api.post('/webhooks', { target_url: 'http://127.0.0.1:9/', event: 'lead.created' })
    ).data;
    const refused = await api.patch(`/webhooks/${made.id}`, { name: 'x', events: ['order.paid'] });
    expect(refused.outcome).toBe('403 FORBIDDEN');
    expect((await api.get(`/webhooks/${made.id}`)).data).toEqual(made);
  });

  test('own hooks only, as for GET', async () => {
    const { organization, hook, api } = await subscribed();
    const before = (await api.get(hook)).data;
    const colleague = dealkeep.as((await organization.createKey({ name: 'Other' })).token);
    const stranger = dealkeep.as((await dealkeep.createOrganization()).key);
    for (const other of [colleague, stranger]) {
      expect((await other.patch(hook, { name: 'Mine' })).outcome).toBe('404 NOT_FOUND');
    }
    expect((await api.get(hook)).data).toEqual(before);
  });

  test('rotate_secret answers a new secret once; what waits stays, both secrets sign it, and failing begins anew (rule hooks 28)', async () => {
    const { api, hook, hookId, createLead, logged, secret, receiver, pending } = await subscribed();
    receiver.answerWith(500);
    await createLead();
    await logged(1);
    const answer = await api.patch(hook, { name: 'Again', rotate_secret: true });
    expect(answer.data).toEqual({
      ...(await api.get(hook)).data,
      name: 'Again',
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('etag')).toBeNull();
    const { secret: fresh } = Object(answer.data);
    expect(fresh).not.toBe(secret);
    await eventually(async () => expect(await pending()).toHaveLength(1));
    expect(await sql`select failing_since from webhooks where id = ${hookId}`).toEqual([
      { failing_since: null },
    ]);
    receiver.answerWith(200);
    await api.post(`${hook}/deliveries/${receiver.requests[0]?.envelope.id}/resend`, {});
    const [, again] = await receiver.received(2);
    expect([secret, String(fresh)].map((each) => again && signedWith(again, each))).toEqual([true, true]);
    const plain = await api.patch(hook, { rotate_secret: false });
    expect(plain.data).toEqual((await api.get(hook)).data);
    expect(plain.headers.get('etag')).not.toBeNull();
  });

  test('with If-Match, of several at once with one tag one is done', async () => {
    const { api, hook } = await subscribed();
    const tag = (await api.get(hook)).headers.get('etag') ?? '';
    const answers = await Promise.all(
      [1, 2, 3].map((each) =>
        api.send('PATCH', hook, { json: { name: `Name ${each}` }, headers: { 'If-Match': tag } }),
      ),
    );
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual([
      '200',
      '412 PRECONDITION_FAILED',
      '412 PRECONDITION_FAILED',
    ]);
    const done = answers.find(({ status }) => status === 200);
    expect(done?.headers.get('etag')).toBe((await api.get(hook)).headers.get('etag'));
  });
});
