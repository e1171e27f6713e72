import { createApi, serve } from '@dealkeep/api';
import { createCore } from '@dealkeep/core';
import { connect } from '@dealkeep/core/foundations';
import { ApiClient, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, onTestFinished, test } from 'vitest';
import { many, sendBatch } from './sent-batch.ts';

const dealkeep = await sharedDealkeep();

/** Another API process on the same database. */
async function anotherProcess(key: string): Promise<ApiClient> {
  const sql = connect(dealkeep.databaseUrl, { connections: 5, name: 'test process' });
  const server = await serve(createApi({ core: createCore({ ...dealkeep.core, sql }) }), {
    port: 0,
    host: '127.0.0.1',
  });
  onTestFinished(async () => {
    await server.stop(1000);
    await sql.end({ timeout: 5 });
  });
  return new ApiClient(`http://127.0.0.1:${server.port}/api/v1/public`, { Authorization: `Bearer ${key}` });
}

describe('two batches at once', () => {
  test('that change the same records in opposite order are both done, through one process and through two (rule batches 7)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const other = await anotherProcess(organization.key);
    const { results } = await sendBatch(
      api,
      'companies',
      'create',
      many(20, (number) => ({ name: `C ${number}` })),
    );
    const ids = results.map(({ data }) => data?.id);
    const answers = await Promise.all(
      many(4, (number) =>
        sendBatch(
          number % 2 === 0 ? api : other,
          'companies',
          'update',
          (number < 2 ? ids : ids.toReversed()).map((id) => ({ id, note: `${number}` })),
        ),
      ),
    );
    expect(answers.flatMap((each) => each.results).filter(({ status }) => status !== 200)).toEqual([]);
    const notes = new Set((await api.get('/companies', { limit: 100 })).page.data.map(({ note }) => note));
    // One came last, as a whole.
    expect(notes.size).toBe(1);
  });

  test('beside changes of single records, nothing is lost', async () => {
    const { api } = await openBusiness(dealkeep);
    const companies = (
      await sendBatch(
        api,
        'companies',
        'create',
        many(10, (number) => ({ name: `C ${number}` })),
      )
    ).results;
    const ids = companies.map(({ data }) => data?.id ?? '');
    const [batch, ...singles] = await Promise.all([
      sendBatch(
        api,
        'contacts',
        'create',
        ids.map((company_id) => ({ name: 'In a batch', company_id, is_primary: true })),
      ),
      ...ids
        .toReversed()
        .map((company_id) => api.post('/contacts', { name: 'Alone', company_id, is_primary: true })),
      ...ids.toReversed().map((id) => api.patch(`/companies/${id}`, { note: 'Alone' })),
    ]);
    expect(batch.results.map(({ status }) => status)).toEqual(ids.map(() => 201));
    expect(singles.filter(({ status }) => status >= 300)).toEqual([]);
    const contacts = await api.walk('/contacts', { is_primary: true, limit: 100 });
    expect(contacts).toHaveLength(10);
  });

  test('that upsert the same records make each once', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const other = await anotherProcess(organization.key);
    const items = many(30, (number) => ({
      match_by: 'registration_id',
      registration_id: `${number}`,
      name: 'N',
    }));
    const answers = await Promise.all([
      sendBatch(api, 'companies', 'upsert', items),
      sendBatch(other, 'companies', 'upsert', items.toReversed()),
      ...items.map((json) => api.post('/companies/upsert', json)),
    ]);
    expect(answers.filter(({ status }) => status > 201)).toEqual([]);
    expect(await api.walk('/companies', { limit: 100 })).toHaveLength(30);
  });

  test('with one key: the items are there once, and the other is told that it runs or what the first was answered (rule batches 4)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const other = await anotherProcess(organization.key);
    const items = many(30, (number) => ({ name: `C ${number}` }));
    const answers = await Promise.all(
      [api, api, other, other].map((each) => sendBatch(each, 'companies', 'create', items, 'one')),
    );
    const [done, ...repeats] = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ answer }) => answer.outcome)).toEqual(
      refused.map(() => '409 IDEMPOTENCY_IN_PROGRESS'),
    );
    expect(repeats.map(({ answer }) => answer.text)).toEqual(repeats.map(() => done?.answer.text));
    // Those of one process cannot both have run.
    expect(refused.length).toBeGreaterThan(0);
    const later = await sendBatch(other, 'companies', 'create', items, 'one');
    expect([later.answer.text, later.answer.headers.get('idempotent-replayed')]).toEqual([
      done?.answer.text,
      'true',
    ]);
    expect(await api.walk('/companies', { limit: 100 })).toHaveLength(30);
    const reused = await sendBatch(api, 'companies', 'create', items.slice(1), 'one');
    expect(reused.answer.outcome).toBe('422 IDEMPOTENCY_KEY_REUSED');
  });

  test('the tags that items make are there once, also when others make them meanwhile', async () => {
    const { api } = await openBusiness(dealkeep);
    const tagged = (name: string) => many(20, (number) => ({ name, tags: [`Tag ${number % 5}`] }));
    const answers = await Promise.all([
      sendBatch(api, 'companies', 'create', [...tagged('A'), { email: 'nobody', name: 'x' }]),
      sendBatch(api, 'companies', 'create', tagged('B')),
      ...many(5, (number) => api.post('/companies', { name: 'C', tags: [`Tag ${number}`] })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 201, 201, 201, 201]);
    expect((await api.get('/tags')).page.data.map(({ name }) => name).toSorted()).toEqual(
      many(5, (n) => `Tag ${n}`),
    );
    expect(await api.walk('/companies', { limit: 100 })).toHaveLength(45);
  });
});
