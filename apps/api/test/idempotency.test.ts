import { removeOld } from '@dealkeep/core/installation';
import { growOlder, lockWaits, startDealkeep } from '@dealkeep/testing';
import { defaultPipeline, openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const moment = Date.now();
const clock = { now: () => new Date(moment) };
const dealkeep = await startDealkeep({ worker: false, clock });

/** For so long a process relies on what it knows of a key's scopes, and a little. */
const reliedOn = 1001;

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const hook = { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' };

describe('a repeat', () => {
  test('answers what the first answered, marked as replayed, and writes nothing (rule idempotency 4)', async () => {
    const { api, eventTypes } = await openBusiness(dealkeep);
    const first = await api.post('/leads', { name: 'Bikes' }, keyed('a'));
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const again = await api.post('/leads', { name: 'Bikes' }, keyed('a'));
      expect(again.status).toBe(201);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('content-type')).toBe('application/json');
    }
    expect(await eventTypes()).toEqual(['lead.created']);
    expect((await api.get('/leads')).page.data).toHaveLength(1);
  });

  test('keeps the status 200 of a deduplicated lead', async () => {
    const { api } = await openBusiness(dealkeep);
    await api.post('/leads', { company: { name: 'Acme' } });
    const body = { company: { name: 'Acme' }, dedupe: 'company' };
    expect((await api.post('/leads', body, keyed('a'))).status).toBe(200);
    const again = await api.post('/leads', body, keyed('a'));
    expect([again.status, again.data.deduplicated]).toEqual([200, true]);
  });

  test('of POST /webhooks returns the same secret, and is not to be cached either (rules http 16 and idempotency 4)', async () => {
    const { api } = await openBusiness(dealkeep);
    const first = await api.post('/webhooks', hook, keyed('a'));
    const again = await api.post('/webhooks', hook, keyed('a'));
    expect(again.data.secret).toBe(first.data.secret);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('cache-control')).toBe('no-store');
    expect((await api.get('/webhooks')).page.data).toHaveLength(1);
  });

  test('answers as it was then, whatever happened since', async () => {
    const { api } = await openBusiness(dealkeep);
    const { stages } = await defaultPipeline(api);
    const lead = (await api.post('/leads', {})).data;
    const move = (key: string) => api.post(`/leads/${lead.id}/move`, { stage_id: stages['Won'] }, keyed(key));
    const first = await move('a');
    await api.patch(`/leads/${lead.id}`, { name: 'Renamed', stage_id: stages['New'] });
    expect((await move('a')).text).toBe(first.text);
    expect((await api.get(`/leads/${lead.id}`)).data.status).toBe('open');
  });

  test('is for one key and for another not', async () => {
    const { api } = await openBusiness(dealkeep);
    const [one, other] = await Promise.all([
      api.post('/leads', {}, keyed('a')),
      api.post('/leads', {}, keyed('A')),
    ]);
    expect(one.data.id).not.toBe(other.data.id);
  });

  test('is of the same credential: another key of the organization does its own (rule idempotency 2)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const other = dealkeep.as((await organization.createKey()).token);
    const first = await api.post('/leads', {}, keyed('a'));
    const second = await other.post('/leads', {}, keyed('a'));
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(second.data.id).not.toBe(first.data.id);
  });

  test('is remembered for 24 hours (rule idempotency 10)', async () => {
    const { api } = await openBusiness(dealkeep);
    const first = await api.post('/leads', {}, keyed('a'));
    // Its age goes by PostgreSQL's clock, too, and the one here stands still.
    const pass = (time: string) => dealkeep.sql`
      update idempotent_answers set created_at = created_at - ${time}::interval`;
    await pass('23 hours');
    await removeOld({ ...dealkeep.core, sql: dealkeep.sql, clock });
    expect((await api.post('/leads', {}, keyed('a'))).text).toBe(first.text);
    await pass('2 hours');
    const later = await api.post('/leads', { name: 'Quite another' }, keyed('a'));
    expect(later.status).toBe(201);
    expect(later.headers.get('idempotent-replayed')).toBeNull();
    expect((await api.post('/leads', { name: 'Quite another' }, keyed('a'))).text).toBe(later.text);
    await pass('25 hours');
    await removeOld({ ...dealkeep.core, sql: dealkeep.sql, clock });
    expect(await dealkeep.sql`select from idempotent_answers`).toHaveLength(0);
  });
});

describe('the same key for something else (rule idempotency 3)', () => {
  test.each([
    ['another body', '/leads', '{"name":"y"}'],
    ['the same body written otherwise', '/leads', '{ "name": "x" }'],
    ['another path', '/companies', '{"name":"x"}'],
    ['a body that is no JSON', '/leads', '{'],
    ['no body', '/leads', ''],
  ])('%s', async (_, path, body) => {
    const { api } = await openBusiness(dealkeep);
    const send = (to: string, text: string) =>
      api.send('POST', to, { body: text, headers: { 'Content-Type': 'application/json', ...keyed('a') } });
    expect((await send('/leads', '{"name":"x"}')).outcome).toBe('201');
    expect((await send(path, body)).outcome).toBe('422 IDEMPOTENCY_KEY_REUSED');
    const again = await send('/leads', '{"name":"x"}');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('at once', () => {
  test('one is done; the others are told that it runs, or its answer (rules idempotency 5 and 9)', async () => {
    const { api, eventTypes } = await openBusiness(dealkeep);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post('/leads', { company: { name: 'Acme' } }, keyed('a'))),
    );
    const done = answers.filter((each) => each.status === 201);
    expect(done.length).toBeGreaterThanOrEqual(1);
    expect(done.filter((each) => each.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    for (const each of answers) expect(['201', '409 IDEMPOTENCY_IN_PROGRESS']).toContain(each.outcome);
    expect(await eventTypes()).toEqual(['company.created', 'lead.created']);
    expect((await api.post('/leads', { company: { name: 'Acme' } }, keyed('a'))).text).toBe(done[0]?.text);
  });

  test('while the first one runs the second is told so, whatever it sends (rule idempotency 5)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { stages } = await defaultPipeline(api);
    const lead = (await api.post('/leads', {})).data;
    const move = (stage: string) =>
      api.post(`/leads/${lead.id}/move`, { stage_id: stages[stage] }, keyed('a'));
    const first = await dealkeep.sql.begin(async (tx) => {
      await tx`select from leads where organization_id = ${organization.id} and id = ${lead.id} for update`;
      const waiting = move('Won');
      await expect.poll(() => lockWaits(dealkeep.sql)).toBe(1);
      expect((await move('Won')).outcome).toBe('409 IDEMPOTENCY_IN_PROGRESS');
      expect((await move('Lost')).outcome).toBe('409 IDEMPOTENCY_IN_PROGRESS');
      return { waiting };
    });
    expect((await first.waiting).data.status).toBe('won');
    expect((await move('Won')).headers.get('idempotent-replayed')).toBe('true');
    expect((await move('Lost')).outcome).toBe('422 IDEMPOTENCY_KEY_REUSED');
  });
});

describe('what went wrong', () => {
  test.each([
    ['400 BAD_REQUEST', '/leads', '['],
    ['422 VALIDATION_ERROR', '/leads', '{"value":-1}'],
    ['404 NOT_FOUND', '/leads/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63/archive', '{}'],
    ['404 NOT_FOUND', '/leads/nonsense/archive', '{}'],
    ['400 UNSUPPORTED_FILTER', '/leads?nonsense=1', '{}'],
    ['422 UNKNOWN_EVENT', '/webhooks', JSON.stringify({ ...hook, event: 'lead.exploded' })],
    ['422 WEBHOOK_URL_INVALID', '/webhooks', JSON.stringify({ ...hook, target_url: 'nonsense' })],
  ])('%s is repeated as it was (rule idempotency 7)', async (outcome, path, body) => {
    const { api } = await openBusiness(dealkeep);
    const send = () =>
      api.send('POST', path, { body, headers: { 'Content-Type': 'application/json', ...keyed('a') } });
    const first = await send();
    const again = await send();
    expect([first.outcome, again.outcome]).toEqual([outcome, outcome]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('409 CONFLICT is repeated, though the cause be gone', async () => {
    const { api } = await openBusiness(dealkeep);
    const lead = (await api.post('/leads', {})).data;
    await api.post(`/leads/${lead.id}/archive`);
    const archive = () => api.post(`/leads/${lead.id}/archive`, {}, keyed('a'));
    expect((await archive()).outcome).toBe('409 CONFLICT');
    await dealkeep.sql`update leads set archived_at = null where id = ${lead.id}`;
    const again = await archive();
    expect([again.outcome, again.headers.get('idempotent-replayed')]).toEqual(['409 CONFLICT', 'true']);
  });

  test('a refusal for a missing scope is not: with the scope the same key goes through (rule idempotency 7)', async () => {
    const { organization } = await openBusiness(dealkeep);
    const key = await organization.createKey({ scopes: ['webhooks:manage', 'leads:write'] });
    const api = dealkeep.as(key.token, { writesOnly: true });
    expect((await api.post('/webhooks', hook, keyed('a'))).outcome).toBe('403 FORBIDDEN');
    expect((await api.post('/companies', { name: 'x' }, keyed('b'))).outcome).toBe('403 FORBIDDEN');
    await dealkeep.sql`
      update api_keys set scopes = array['webhooks:manage', 'leads:read', 'companies:write'] where id = ${key.id}`;
    growOlder(reliedOn);
    expect((await api.post('/webhooks', hook, keyed('a'))).outcome).toBe('201');
    expect((await api.post('/companies', { name: 'x' }, keyed('b'))).outcome).toBe('201');
  });

  test('a credential that was refused since gets no replay (rule idempotency 6)', async () => {
    const { organization } = await openBusiness(dealkeep);
    const key = await organization.createKey({ scopes: ['leads:write'] });
    const api = dealkeep.as(key.token, { writesOnly: true });
    expect((await api.post('/leads', {}, keyed('a'))).outcome).toBe('201');
    await dealkeep.sql`update api_keys set scopes = array['leads:read'] where id = ${key.id}`;
    growOlder(reliedOn);
    expect((await api.post('/leads', {}, keyed('a'))).outcome).toBe('403 FORBIDDEN');
  });

  test('what is refused leaves nothing of its work (rule idempotency 8)', async () => {
    const { api, eventTypes } = await openBusiness(dealkeep);
    const body = { company: { name: 'New' }, contact: { email: 'x@y.example' } };
    expect((await api.post('/leads', body, keyed('a'))).fields).toEqual({ 'contact.name': 'required' });
    expect((await api.get('/companies')).page.data).toEqual([]);
    expect(await eventTypes()).toEqual([]);
  });
});

describe('the key itself (rules idempotency 1 and limits 1)', () => {
  test.each([
    ['empty', '', '400 INVALID_PARAMETER'],
    ['of spaces', '   ', '400 INVALID_PARAMETER'],
    ['of 255 characters', 'k'.repeat(255), '201'],
    ['of 256 characters', 'k'.repeat(256), '400 INVALID_PARAMETER'],
    ['of 255 letters beyond ASCII', '\u00e9'.repeat(255), '201'],
    ['with signs', `'"; drop table leads; -- {}[]<>\\%00`, '201'],
  ])('%s', async (_, key, outcome) => {
    const { api } = await openBusiness(dealkeep);
    const answer = await api.post('/leads', {}, keyed(key));
    expect(answer.outcome).toBe(outcome);
    if (answer.status === 400) expect(answer.error.detail).toEqual({ parameter: 'Idempotency-Key' });
    else expect((await api.post('/leads', {}, keyed(key))).text).toBe(answer.text);
  });

  test('means nothing to PATCH, GET and DELETE (rule idempotency 1)', async () => {
    const { api } = await openBusiness(dealkeep);
    const same = api.with(keyed('a'));
    const lead = (await same.post('/leads', {})).data;
    for (const name of ['One', 'Two']) {
      const answer = await same.patch(`/leads/${lead.id}`, { name });
      expect(answer.data.name).toBe(name);
      expect(answer.headers.get('idempotent-replayed')).toBeNull();
    }
    expect((await same.get(`/leads/${lead.id}`)).headers.get('idempotent-replayed')).toBeNull();
    expect((await api.with(keyed('')).get('/me')).outcome).toBe('200');
  });
});

test('what is stored cannot be read in the database (rule idempotency 10)', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const { secret } = (await api.post('/webhooks', hook, keyed('a'))).data;
  const rows = await dealkeep.sql<{ answer: Buffer }[]>`
    select answer from idempotent_answers where organization_id = ${organization.id}`;
  expect(rows).toHaveLength(1);
  for (const { answer } of rows) {
    for (const readable of [secret, secret.slice(6), 'lead.created', 'status']) {
      expect(answer.includes(readable)).toBe(false);
    }
  }
});
