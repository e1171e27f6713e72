import { setTimeout } from 'node:timers/promises';
import { createClient, DealkeepError, etagOf } from '@dealkeep/client';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { instant } from './instant.ts';
import { lossyProxy } from './servers/lossy-proxy.ts';

const { baseUrl, createOrganization } = await sharedDealkeep();

async function organization() {
  const { key: apiKey, createKey } = await createOrganization();
  return { apiKey, createKey, dealkeep: createClient({ baseUrl, apiKey }) };
}

test('a lead whose answer was lost twice exists once, and is the one that is returned', async () => {
  const { apiKey, dealkeep } = await organization();
  const proxy = await lossyProxy(baseUrl, 2);
  const { timing } = instant();

  const created = await createClient({ baseUrl: proxy.baseUrl, apiKey, timing }).leads.create({
    name: 'Once',
  });

  expect((await dealkeep.leads.list()).data.map(({ id }) => id)).toEqual([created.id]);
  expect(proxy.statuses).toEqual([201, 201, 201]);
});

test('a webhook whose secret was lost on the way is created once, and its secret arrives', async () => {
  const { apiKey, dealkeep } = await organization();
  const proxy = await lossyProxy(baseUrl, 1);
  const { timing } = instant();
  const unsteady = createClient({ baseUrl: proxy.baseUrl, apiKey, timing });

  const hook = await unsteady.webhooks.create({ target_url: 'http://127.0.0.1:9/hook', event: 'lead.won' });

  expect(hook.secret).toMatch(/^whsec_/);
  expect((await dealkeep.webhooks.list()).data.map(({ id }) => id)).toEqual([hook.id]);
});

test('a webhook whose deletion was not confirmed is gone', async () => {
  const { apiKey, dealkeep } = await organization();
  const hook = await dealkeep.webhooks.create({ target_url: 'http://127.0.0.1:9/hook', event: 'lead.won' });
  const proxy = await lossyProxy(baseUrl, 1);
  const { timing } = instant();

  await createClient({ baseUrl: proxy.baseUrl, apiKey, timing }).webhooks.delete(hook.id);

  expect(proxy.statuses).toEqual([204, 404]);
  expect((await dealkeep.webhooks.list()).data).toEqual([]);
});

test('two processes with one Idempotency-Key of their own make one lead', async () => {
  const { apiKey, dealkeep } = await organization();
  const options = { idempotencyKey: 'order-4711' };
  // A second is a tenth of one.
  const timing = { ...instant().timing, sleep: (milliseconds: number) => setTimeout(milliseconds / 10) };
  const create = () =>
    createClient({ baseUrl, apiKey, timing }).leads.create({ name: 'Order 4711' }, options);

  const [first, second] = await Promise.all([create(), create()]);

  expect(first.id).toBe(second.id);
  expect((await dealkeep.leads.list()).data).toHaveLength(1);
});

test('a key that is used again for something else is refused', async () => {
  const { dealkeep } = await organization();
  await dealkeep.leads.create({ name: 'one' }, { idempotencyKey: 'same' });

  await expect(dealkeep.leads.create({ name: 'two' }, { idempotencyKey: 'same' })).rejects.toMatchObject({
    status: 422,
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
});

test('a refused body names all failing fields, in the language of the client', async () => {
  const { apiKey } = await organization();
  const dealkeep = createClient({ baseUrl, apiKey, language: 'sk' });

  const error = await dealkeep.companies.create({ name: '', email: 'nobody' }).catch((reason) => reason);

  expect(error).toBeInstanceOf(DealkeepError);
  expect(error).toMatchObject({
    name: 'DealkeepError',
    status: 422,
    code: 'VALIDATION_ERROR',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    fields: [
      { path: 'name', code: 'empty' },
      { path: 'email', code: 'invalid_email' },
    ],
  });
  expect(error.message).toMatch(/[áéíóúýčďľňšťž]/);
});

test('a bad parameter is named in the detail', async () => {
  const { dealkeep } = await organization();

  await expect(dealkeep.leads.list({ limit: 101 })).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_PARAMETER',
    detail: { parameter: 'limit' },
    fields: [],
  });
});

test('a key without the scope, and one that is none, are told apart', async () => {
  const { createKey } = await organization();
  const { token } = await createKey({ scopes: ['companies:read'] });

  const limited = createClient({ baseUrl, apiKey: token });
  const wrong = createClient({ baseUrl, apiKey: 'dk_live_none' });

  await expect(limited.leads.list()).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
  await expect(wrong.me.get()).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
});

test('an inline company is matched, and dedupe returns the open lead with its flag', async () => {
  const { dealkeep } = await organization();
  const company = { name: 'Tatra Bikes s.r.o.', registration_id: '36123456' };

  const first = await dealkeep.leads.create({ company, dedupe: 'company' });
  const second = await dealkeep.leads.create({ company, dedupe: 'company' });

  expect(second).toMatchObject({ id: first.id, deduplicated: true });
  expect(first.deduplicated).toBeUndefined();
});

test('a call can bring an id of its own, and its error names it and where to read on', async () => {
  const { dealkeep } = await organization();

  const error = await dealkeep.leads.get('none', { requestId: 'trace-4711' }).catch((reason) => reason);

  expect(error).toMatchObject({
    code: 'NOT_FOUND',
    requestId: 'trace-4711',
    docUrl: expect.stringMatching(/\/docs#NOT_FOUND$/),
  });
});

test('a record that somebody changed is not written over, and one that is still the same is not sent again', async () => {
  const { dealkeep } = await organization();
  const seen = await dealkeep.companies.create({ name: 'Acme' });
  const ifMatch = etagOf(seen) ?? '';

  await expect(dealkeep.companies.get(seen.id, { ifNoneMatch: ifMatch })).rejects.toMatchObject({
    status: 304,
    code: 'NOT_MODIFIED',
  });
  const changed = await dealkeep.companies.update(seen.id, { note: 'mine' }, { ifMatch });

  await expect(dealkeep.companies.update(seen.id, { note: 'yours' }, { ifMatch })).rejects.toMatchObject({
    status: 412,
    code: 'PRECONDITION_FAILED',
  });
  expect(etagOf(changed)).not.toBe(ifMatch);
  expect(await dealkeep.companies.get(seen.id)).toMatchObject({ note: 'mine' });
});

test('a filter takes several values', async () => {
  const { dealkeep } = await organization();
  await dealkeep.leads.create({ name: 'Open' });

  const found = await dealkeep.leads.list({
    status: ['open', 'won'],
    created_before: '2999-01-01T00:00:00Z',
  });

  expect(found.data.map(({ name }) => name)).toEqual(['Open']);
  expect((await dealkeep.leads.list({ status: ['won', 'lost'] })).data).toEqual([]);
});
