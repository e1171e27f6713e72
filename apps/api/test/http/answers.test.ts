import { type OperationDeclaration, operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { openKnownBusiness } from '../known-records.ts';

const dealkeep = await sharedDealkeep();
const { api, organization } = await openBusiness(dealkeep);
const authorization = { Authorization: `Bearer ${organization.key}` };
const keyed = (key: string) => ({ 'Idempotency-Key': key });

describe('`Location` on 201 (rule http 19)', async () => {
  const business = await openKnownBusiness(dealkeep);
  const creations = Object.values<OperationDeclaration>(operations).filter(
    ({ statuses }) => statuses[0] === 201,
  );

  test.each(creations.map((each) => [each.id, each] as const))('%s', async (_, declaration) => {
    const { api: known, leastBody, freshRecord } = business;
    const json = leastBody(declaration);
    // One client for a company.
    if (declaration.resource === 'client') json['company_id'] = await freshRecord('company');
    const created = await known.send('POST', declaration.path, { json });
    expect(created.status).toBe(201);
    const address = created.headers.get('location') ?? '';
    expect(
      address.startsWith(`http://localhost:3000/api/v1/public${declaration.path.replace('/upsert', '')}/`),
    ).toBe(true);
    const read = await known.send('GET', address.slice('http://localhost:3000/api/v1/public'.length));
    expect(read.status).toBe(200);
  });

  test('also when the answer is repeated, and not where the record was there before', async () => {
    const body = { company: { name: 'Acme' }, dedupe: 'company' };
    const first = await api.post('/leads', body, keyed('located'));
    const again = await api.post('/leads', body, keyed('located'));
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const existing = await api.post('/leads', body);
    expect([existing.status, existing.headers.get('location')]).toEqual([200, null]);
  });
});

describe('`X-Request-Id` (rule http 9)', () => {
  test.each(['x', 'order-4711', '4bf92f3577b34da6a3ce929d0e0e4736', 'a'.repeat(128), 'a/b:c@d+e=f~g.h_i-j'])(
    'a client’s own of 1 to 128 safe characters is taken over: %s',
    async (id) => {
      expect((await api.with({ 'X-Request-Id': id }).get('/me')).headers.get('x-request-id')).toBe(id);
      const refused = await api.with({ 'X-Request-Id': id }).get('/leads/x');
      expect(refused.headers.get('x-request-id')).toBe(id);
      expect(JSON.parse(refused.text).error.request_id).toBe(id);
    },
  );

  test.each(['a'.repeat(129), 'a b', 'a"b', '<b>', 'a,b', '{}'])(
    '%j is replaced by another one',
    async (id) => {
      const refused = await api.with({ 'X-Request-Id': id }).get('/leads/x');
      expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(JSON.parse(refused.text).error.request_id).toBe(refused.headers.get('x-request-id'));
    },
  );

  test.each([
    ['no credential', 'GET', '/api/v1/public/me', {}],
    ['no such path', 'GET', '/api/v1/public/nonsense', authorization],
    ['beside the API', 'GET', '/api/v2/leads', {}],
    ['a field', 'POST', '/api/v1/public/companies', { ...authorization, 'Content-Type': 'application/json' }],
  ])('stands in the error body as `error.request_id`: %s', async (_, method, path, headers) => {
    const body = method === 'POST' ? '{"name": 5}' : null;
    const response = await fetch(dealkeep.origin + path, { method, headers, body });
    const { error }: { error: Record<string, string> } = JSON.parse(await response.text());
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(error['request_id']).toBe(response.headers.get('x-request-id'));
    expect(error['doc_url']).toBe(`http://localhost:3000/docs#${error['code']}`);
  });

  test('of a repeated refusal is that of the request that was refused', async () => {
    const refuse = (id: string) =>
      api.post('/companies', { name: '' }, { ...keyed('refused'), 'X-Request-Id': id });
    const first = await refuse('first');
    const again = await refuse('second');
    expect(again.text).toBe(first.text);
    expect(again.headers.get('x-request-id')).toBe('second');
    expect(JSON.parse(again.text).error.request_id).toBe('first');
  });
});

test('`error.doc_url` leads to the code on the page of the reference (rule errors 1)', async () => {
  const page = await (await fetch(`${dealkeep.origin}/docs`)).text();
  for (const answer of [
    await api.get('/leads/x'),
    await api.get('/leads', { limit: 0 }),
    await api.post('/leads', 5),
  ]) {
    const { doc_url } = JSON.parse(answer.text).error;
    expect(page).toContain(`id="${new URL(doc_url).hash.slice(1)}"`);
  }
});

test('`Retry-After: 1` on `IDEMPOTENCY_IN_PROGRESS` (rules idempotency 5 and errors 8)', async () => {
  const asked = await dealkeep.sql.begin(async (tx) => {
    await tx`lock table companies in share mode`;
    const both = [1, 2].map(() => api.post('/companies', { name: 'Slow' }, keyed('running')));
    // The other one waits for the table.
    const refused = await Promise.race(both);
    expect([refused.outcome, refused.headers.get('retry-after')]).toEqual([
      '409 IDEMPOTENCY_IN_PROGRESS',
      '1',
    ]);
    return { both };
  });
  expect((await Promise.all(asked.both)).map(({ status }) => status).sort()).toEqual([201, 409]);
});

describe('`Content-Language` and `Vary` on errors (rule http 22)', () => {
  test.each([
    ['sk-SK', 'sk'],
    ['cs', 'sk'],
    ['de', 'en'],
  ])('%s', async (asked, told) => {
    const asking = api.with({ 'Accept-Language': asked });
    for (const answer of [
      await asking.get('/leads/x'),
      await asking.post('/companies', {}),
      await asking.post('/companies', {}, keyed(`in ${asked}`)),
      // A repeat says what the first said, and in its language.
      await api.post('/companies', {}, keyed(`in ${asked}`)),
    ]) {
      expect(answer.headers.get('content-language')).toBe(told);
      expect(answer.headers.get('vary')).toContain('Accept-Language');
    }
  });

  test('and not on successes, which are the same in every language', async () => {
    const { headers } = await api.get('/me');
    expect([headers.get('content-language'), headers.get('vary') ?? '']).toEqual([
      null,
      expect.not.stringContaining('Accept-Language'),
    ]);
  });
});

describe('a trailing slash is forgiven (rule http 20)', () => {
  test('in lists, records, creations and steps', async () => {
    const company = (await api.send<{ id: string }>('POST', '/companies/', { json: { name: 'Slash' } })).data;
    expect((await api.send('GET', `/companies/${company.id}/`)).status).toBe(200);
    expect((await api.send('PATCH', `/companies/${company.id}/`, { json: { note: 'x' } })).status).toBe(200);
    expect((await api.send('GET', '/companies/?limit=1')).status).toBe(200);
    const lead = (await api.post('/leads', {})).data;
    expect((await api.send('POST', `/leads/${lead.id}/archive/`)).status).toBe(200);
  });

  test('and the same request with and without it is the same to an `Idempotency-Key`', async () => {
    const first = await api.send('POST', '/companies', { json: { name: 'Once' }, headers: keyed('slash') });
    const again = await api.send('POST', '/companies/', { json: { name: 'Once' }, headers: keyed('slash') });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });
});

describe('`application/merge-patch+json` on PATCH (rule bodies 1)', () => {
  test.each(['application/merge-patch+json', 'Application/Merge-Patch+JSON; charset=utf-8'])(
    '%s',
    async (type) => {
      const { id } = (await api.post('/companies', { name: 'Merged', note: 'old', phone: '1' })).data;
      const merged = await api.send<{ name: string; note: string | null; phone: string | null }>(
        'PATCH',
        `/companies/${id}`,
        { body: '{"note": null}', headers: { 'Content-Type': type } },
      );
      expect(merged.data).toMatchObject({ name: 'Merged', note: null, phone: '1' });
    },
  );

  test('is none of a creation', async () => {
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const created = await api.send('POST', '/companies', { body: '{"name": "x"}', headers });
    expect(created.outcome).toBe('400 BAD_REQUEST');
  });
});

describe('CORS for keys in browsers stays closed (rule http 17)', () => {
  test.each(['/me', '/leads', '/leads/0192f0c4-7a1e-7c3a-9b1d-2f6a8e4c5d01', '/nonsense'])(
    'the preflight says so with 204 and no allowance: %s',
    async (path) => {
      const preflight = await fetch(dealkeep.baseUrl + path, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://shop.example',
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'authorization',
        },
      });
      expect(preflight.status).toBe(204);
      expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(preflight.headers.get('x-request-id')).toBeTruthy();
    },
  );

  test('an OPTIONS that is no preflight is a method that there is not', async () => {
    expect((await api.send('OPTIONS', '/me')).outcome).toBe('404 NOT_FOUND');
  });
});

describe('a hint in the message when a `+` in a query’s date-time arrived as a space (rule http 23)', () => {
  test.each(['2026-10-01T10:00:00+02:00', '2026-10-01T10:00:00.123+02:00'])('%s', async (moment) => {
    const asked = await api.send('GET', `/leads?created_after=${moment}`);
    expect(asked.outcome).toBe('400 INVALID_PARAMETER');
    expect(asked.error.message).toContain('%2B');
    const slovak = await api.with({ 'Accept-Language': 'sk' }).send('GET', `/leads?updated_since=${moment}`);
    expect(slovak.error.message).toMatch(/%2B.*medzeru|medzeru.*%2B/);
    expect((await api.send('GET', `/leads?created_after=${encodeURIComponent(moment)}`)).status).toBe(200);
  });

  test('and not in that of any other moment', async () => {
    for (const moment of ['yesterday', '2026-10-01 10:00:00', '2026-10-01']) {
      const asked = await api.get('/leads', { created_after: moment });
      expect(asked.error.message).not.toContain('%2B');
    }
  });
});
