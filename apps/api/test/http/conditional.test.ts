import { sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline, openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

// Every operation that answers or takes a tag is asked by `conditional.long.test.ts`.

const dealkeep = await sharedDealkeep();
const business = await openBusiness(dealkeep);
const { api } = business;
const tagOf = (answer: { headers: Headers }): string => answer.headers.get('etag') ?? '';
const strong = /^"[\w-]+"$/;

async function expectUnchanged(path: string, known: string, tag: string): Promise<void> {
  const response = await fetch(dealkeep.baseUrl + path, {
    headers: { Authorization: `Bearer ${business.organization.key}`, 'If-None-Match': known },
  });
  expect([response.status, tagOf(response), await response.text()]).toEqual([304, tag, '']);
  expect(response.headers.get('x-request-id')).toBeTruthy();
  expect(response.headers.get('content-type')).toBeNull();
}

/** Sends a request past `fetch`, which would ask for a compressed answer and cannot be told not to. */
const plainly = (path: string, headers: Record<string, string> = {}) =>
  api.send<Record<string, unknown>>('GET', path, { headers: { 'Accept-Encoding': 'identity', ...headers } });

describe('`ETag` on every single record', () => {
  test('names the record in `If-None-Match`, weakly or among others → 304 without a body (rules http 24 and 25)', async () => {
    const { id } = (await api.post('/companies', { name: 'Known' })).data;
    const path = `/companies/${id}`;
    const read = await api.send('GET', path);
    expect(tagOf(read)).toMatch(strong);
    for (const known of [tagOf(read), `W/${tagOf(read)}`, `"other", ${tagOf(read)}`, '*']) {
      await expectUnchanged(path, known, tagOf(read));
    }
    for (const other of ['"other"', tagOf(read).slice(0, -1), 'nonsense', '""', ',']) {
      expect((await api.send('GET', path, { headers: { 'If-None-Match': other } })).status).toBe(200);
    }
  });

  test('a strong one: each encoding has its own, and any of them names the record', async () => {
    const { id } = (await api.post('/companies', { name: 'Encoded', note: 'x'.repeat(2000) })).data;
    const tags = await Promise.all(
      ['identity', 'gzip', 'br'].map(async (encoding) =>
        tagOf(await api.send('GET', `/companies/${id}`, { headers: { 'Accept-Encoding': encoding } })),
      ),
    );
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      expect(tag).toMatch(strong);
      const changed = await api.send('PATCH', `/companies/${id}`, {
        json: { note: 'x'.repeat(2000) },
        headers: { 'If-Match': tag },
      });
      expect(changed.status).toBe(200);
    }
  });

  test('from `updated_at` and the record’s content: another one after each change, also of what it shows of others', async () => {
    const company = (await api.post('/companies', { name: 'Before' })).data;
    const contact = (await api.post('/contacts', { company_id: company.id, name: 'Eva' })).data;
    const seen = new Set<string>();
    const look = async () => seen.add(tagOf(await plainly(`/contacts/${contact.id}`)));
    await look();
    await look();
    expect(seen.size).toBe(1);
    await api.patch(`/contacts/${contact.id}`, { note: 'x' });
    await look();
    await api.patch(`/companies/${company.id}`, { name: 'After' });
    await look();
    expect(seen.size).toBe(3);
  });

  test('of what a creation, an update and a step answer is that of the record’s GET (rules http 14 and 24)', async () => {
    const { stages } = await defaultPipeline(api);
    const created = await api.post('/leads', { name: 'Tagged', note: 'x'.repeat(2000) });
    const path = `/leads/${created.data.id}`;
    expect(tagOf(created)).toBe(tagOf(await api.send('GET', path)));
    const updated = await api.send('PATCH', path, { json: { value: 5 } });
    expect(tagOf(updated)).toBe(tagOf(await api.send('GET', path)));
    const moved = await api.send('POST', `${path}/move`, { json: { stage_id: stages['Won'] } });
    expect(tagOf(moved)).toBe(tagOf(await api.send('GET', path)));
  });

  test('not of lists, nor of what was answered only in part', async () => {
    expect(tagOf(await api.get('/companies'))).toBe('');
    const { token } = await business.organization.createKey({ scopes: ['companies:write'] });
    const response = await fetch(`${dealkeep.baseUrl}/companies`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{"name": "Unseen"}',
    });
    expect([response.status, tagOf(response)]).toEqual([201, '']);
    const hook = { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' };
    expect(tagOf(await api.post('/webhooks', hook))).toBe('');
  });
});

describe('`If-Match` on PATCH and steps → 412 `PRECONDITION_FAILED` when it changed', () => {
  test('unless one of its tags is the record’s, strongly (rule http 26)', async () => {
    const { id } = (await api.post('/companies', { name: 'Changed' })).data;
    const tag = tagOf(await api.get(`/companies/${id}`));
    const send = (ifMatch: string) =>
      api.send('PATCH', `/companies/${id}`, { json: { note: 'x' }, headers: { 'If-Match': ifMatch } });
    for (const other of ['"other"', `W/${tag}`, tag.slice(0, -1), '']) {
      expect([other, (await send(other)).outcome]).toEqual([other, '412 PRECONDITION_FAILED']);
    }
    expect(tagOf(await api.get(`/companies/${id}`))).toBe(tag);
    expect((await send(`"other", ${tag}`)).status).toBe(200);
    expect((await send(tag)).outcome).toBe('412 PRECONDITION_FAILED');
  });

  test('checked under the row’s lock: of two at once with one tag, one is done (rule http 26)', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { id } = (await api.post('/companies', { name: 'Contended' })).data;
      const tag = tagOf(await api.get(`/companies/${id}`));
      const outcomes = await Promise.all(
        ['a', 'b', 'c', 'd'].map(async (note) => {
          const headers = { 'If-Match': tag };
          return (await api.send('PATCH', `/companies/${id}`, { json: { note }, headers })).outcome;
        }),
      );
      expect(outcomes.sort()).toEqual(['200', ...Array(3).fill('412 PRECONDITION_FAILED')]);
    }
  });

  test('a refused step writes nothing, and a repeat of one that was done is answered as before', async () => {
    const { id } = (await api.post('/leads', {})).data;
    const tag = tagOf(await api.get(`/leads/${id}`));
    const events = await business.eventsDuring(async () => {
      const stale = await api.post(`/leads/${id}/archive`, {}, { 'If-Match': '"stale"' });
      expect(stale.outcome).toBe('412 PRECONDITION_FAILED');
    });
    expect(events).toEqual([]);
    const headers = { 'If-Match': tag, 'Idempotency-Key': 'archived once' };
    const first = await api.post(`/leads/${id}/archive`, {}, headers);
    const again = await api.post(`/leads/${id}/archive`, {}, headers);
    expect([again.status, again.text, tagOf(again)]).toEqual([200, first.text, tagOf(first)]);
  });

  test('`*` asks only that there is such a record; what is wrong with the request is told first', async () => {
    const { id } = (await api.post('/companies', { name: 'Any' })).data;
    const patch = (path: string, json: object, ifMatch: string) =>
      api.send('PATCH', path, { json, headers: { 'If-Match': ifMatch } });
    expect((await patch(`/companies/${id}`, { note: 'x' }, '*')).status).toBe(200);
    expect((await patch(`/companies/${id}`, { name: 5 }, '"stale"')).outcome).toBe('422 VALIDATION_ERROR');
    const nobody = '/companies/0192f0c4-7a1e-7c3a-9b1d-2f6a8e4c5d01';
    expect((await patch(nobody, { note: 'x' }, '*')).outcome).toBe('404 NOT_FOUND');
  });
});
