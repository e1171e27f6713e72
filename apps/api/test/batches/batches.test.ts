import { limits } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { fieldsOf, many, sendBatch } from './sent-batch.ts';

const dealkeep = await sharedDealkeep();

type Business = Awaited<ReturnType<typeof openBusiness>>;

const typesOf = async ({ organization }: Business): Promise<string[]> =>
  (await dealkeep.eventsOf(organization)).map(({ type }) => type);

const unknownId = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

describe('a batch', () => {
  test('creates 100 records, each answered in its place as it would be alone, with an event of its own (rules batches 2 and 3)', async () => {
    const business = await openBusiness(dealkeep);
    const { api } = business;
    const { status, answer, results } = await sendBatch(
      api,
      'companies',
      'create',
      many(100, (number) => ({ name: `Company ${number}`, email: `a${number}@acme.example` })),
    );
    expect(status).toBe(200);
    expect(answer.headers.get('etag')).toBeNull();
    expect(results.map(({ index, status: each, data }) => [index, each, data?.['name']])).toEqual(
      many(100, (number) => [number, 201, `Company ${number}`]),
    );
    for (const { data } of [results[0], results[99]].map((each) => each ?? { data: undefined })) {
      expect((await api.get(`/companies/${data?.id}`)).data).toEqual(data);
    }
    const events = await dealkeep.eventsOf(business.organization);
    expect(events.map(({ type, data }) => [type, data])).toEqual(
      results.map(({ data }) => ['company.created', data]),
    );
  });

  test('leaves nothing of an item whose body is refused, and tells of it what the operation alone would (rules batches 2 and 3)', async () => {
    const { api } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'One' })).data.id;
    for (const [operation, item, [method, path]] of [
      ['create', { name: 'New', email: 'no address', tags: ['Made'] }, ['POST', '/companies']],
      ['update', { id: company, email: 'no address', tags: ['Made'] }, ['PATCH', `/companies/${company}`]],
      [
        'upsert',
        { match_by: 'tax_id', tax_id: '1', email: 'no address', tags: ['Made'] },
        ['POST', '/companies/upsert'],
      ],
    ] as const) {
      const [result] = (await sendBatch(api, 'companies', operation, [item])).results;
      const { id: _, ...json }: Record<string, unknown> = { ...item };
      const alone = await api.send(method, path, { json });
      expect(alone.fields).toEqual({ email: 'invalid_email' });
      expect(result && fieldsOf(result)).toEqual(alone.fields);
    }
    expect((await api.get('/tags')).page.data).toEqual([]);
  });

  test('updates and upserts, each item as the operation alone', async () => {
    const business = await openBusiness(dealkeep);
    const { api } = business;
    const [one, other] = (await sendBatch(api, 'companies', 'create', [{ name: 'One' }, { name: 'Other' }]))
      .results;
    const updated = await sendBatch(api, 'companies', 'update', [
      { id: other?.data?.id, note: 'B' },
      { id: one?.data?.id, note: 'A' },
      { id: one?.data?.id, note: 'A' },
      { id: one?.data?.id, phone: '1' },
    ]);
    expect(
      updated.results.map(({ status, data }) => [status, data?.['name'], data?.['note'], data?.['phone']]),
    ).toEqual([
      [200, 'Other', 'B', null],
      [200, 'One', 'A', null],
      [200, 'One', 'A', null],
      [200, 'One', 'A', '1'],
    ]);
    const upserted = await sendBatch(api, 'companies', 'upsert', [
      { match_by: 'name', name: 'one', note: 'C' },
      { match_by: 'name', name: 'Third' },
      // Made by the item before.
      { match_by: 'name', name: 'third', note: 'D' },
      { match_by: 'name', name: 'THIRD', name_of_nothing: 1 },
    ]);
    expect(upserted.results.map(({ status, data }) => [status, data?.['upserted']])).toEqual([
      [200, 'updated'],
      [201, 'created'],
      [200, 'updated'],
      [422, undefined],
    ]);
    expect((await typesOf(business)).slice(2)).toEqual([
      'company.updated',
      'company.updated',
      'company.updated',
      'company.updated',
      'company.created',
      'company.updated',
    ]);
  });

  test.each(['leads', 'activities', 'tasks', 'contacts', 'clients'] as const)(
    'takes %s',
    async (resource) => {
      const business = await openBusiness(dealkeep);
      const { api } = business;
      const companies = (
        await sendBatch(
          api,
          'companies',
          'create',
          many(2, (n) => ({ name: `C ${n}` })),
        )
      ).results;
      const bodies = {
        leads: (n: number) => ({
          name: `Lead ${n}`,
          company: { name: 'Acme' },
          contact: { name: 'Eva', email: 'e@a.example' },
        }),
        activities: (n: number) => ({ name: `Call ${n}`, start_at: '2027-01-11T08:00:00Z' }),
        tasks: (n: number) => ({ title: `Task ${n}` }),
        contacts: (n: number) => ({ name: `Eva ${n}`, company_id: companies[n]?.data?.id, is_primary: true }),
        clients: (n: number) => ({ company_id: companies[n]?.data?.id }),
      };
      const { results } = await sendBatch(
        api,
        resource,
        'create',
        many(2, (n): object => bodies[resource](n)),
      );
      expect(results.map(({ status }) => status)).toEqual([201, 201]);
      const changed = await sendBatch(
        api,
        resource,
        'update',
        results.map(({ data }) => ({
          id: data?.id,
          ...(resource === 'tasks' ? { priority: 'high' } : { note: 'Called' }),
        })),
      );
      expect(changed.results.map(({ status }) => status)).toEqual([200, 200]);
      for (const { data } of changed.results)
        expect((await api.get(`/${resource}/${data?.id}`)).json).toEqual({ data });
      // The company and the contact of a lead are found by the second.
      if (resource === 'leads') expect((await api.get('/contacts')).page.data).toHaveLength(1);
    },
  );

  test('an item that fails undoes only itself, and its error is that of the operation alone (rules batches 2 and 3)', async () => {
    const business = await openBusiness(dealkeep);
    const { api } = business;
    const { id } = (await api.post('/companies', { name: 'There' })).data;
    const bodies = [
      { name: 'First' },
      { email: 'nobody', owner_id: unknownId },
      { name: 'Second', owner_id: unknownId, tags: ['Undone'] },
      { name: 'Third', tags: ['Kept'], custom_fields: { Unknown: 'x' } },
      { name: 'Fourth', tags: ['Kept'] },
      { name: 'Fifth', unheard: 1, tags: ['Undone'] },
    ];
    const before = (await typesOf(business)).length;
    const { status, results } = await sendBatch(api, 'companies', 'create', [...bodies, 5, null, [], 'text']);
    expect(status).toBe(200);
    expect(results.map((each) => each.status)).toEqual([201, 422, 422, 422, 201, 422, 400, 400, 400, 400]);
    for (const [index, json] of bodies.entries()) {
      const result = results[index];
      if (!result || result.status === 201) continue;
      const alone = await api.post('/companies', json);
      expect([alone.status, fieldsOf(result)]).toEqual([result.status, alone.fields]);
      expect(result.error).toMatchObject(alone.error);
    }
    expect((await typesOf(business)).slice(before)).toEqual(['company.created', 'company.created']);
    expect((await api.get('/companies', { sort: 'name' })).page.data.map(({ name }) => name)).toEqual([
      'First',
      'Fourth',
      'There',
    ]);
    expect((await api.get('/tags')).page.data.map(({ name }) => name)).toEqual(['Kept']);

    const changed = await sendBatch(api, 'companies', 'update', [
      { note: 'x' },
      { id: 5, email: 'nobody' },
      { id: 'nothing', note: 'x' },
      { id: unknownId, note: 'x' },
      { id, email: 'nobody', tags: ['A'], add_tags: ['B'] },
      { id, note: 'Changed' },
    ]);
    expect(changed.results.map((each) => [each.status, fieldsOf(each)])).toEqual([
      [422, { id: 'required' }],
      [422, { id: 'invalid_type', email: 'invalid_email' }],
      [404, {}],
      [404, {}],
      [422, (await api.patch(`/companies/${id}`, { email: 'nobody', tags: ['A'], add_tags: ['B'] })).fields],
      [200, {}],
    ]);
  });

  test('what an item wrote before it was refused is undone, and what the others wrote stays', async () => {
    const business = await openBusiness(dealkeep);
    const { api } = business;
    const company = (await api.post('/companies', { name: 'Acme' })).data.id;
    const { results } = await sendBatch(api, 'leads', 'create', [
      { name: 'A', company: { name: 'Made 1' } },
      // The company would be made before the contact is looked at.
      { name: 'B', company: { name: 'Not made' }, contact: { email: 'e@a.example' } },
      { name: 'C', company: { name: 'Made 2' }, tags: ['New'] },
      { name: 'D', company_id: company, contact: { name: 'Eva' } },
    ]);
    expect(results.map(({ status }) => status)).toEqual([201, 422, 201, 201]);
    expect((await api.get('/companies', { sort: 'name' })).page.data.map(({ name }) => name)).toEqual([
      'Acme',
      'Made 1',
      'Made 2',
    ]);
    expect((await typesOf(business)).toSorted()).toEqual([
      'company.created',
      'company.created',
      'company.created',
      'contact.created',
      'lead.created',
      'lead.created',
      'lead.created',
    ]);
  });

  test('several matches of an upsert are the 409 of that item', async () => {
    const { api } = await openBusiness(dealkeep);
    const made = (await sendBatch(api, 'companies', 'create', [{ name: 'Twin' }, { name: 'Twin' }])).results;
    const { results } = await sendBatch(api, 'companies', 'upsert', [
      { match_by: 'name', name: 'twin', note: 'x' },
      { match_by: 'name', name: 'Single' },
    ]);
    expect(results.map(({ status }) => status)).toEqual([409, 201]);
    expect(results[0]?.error).toMatchObject({
      code: 'CONFLICT',
      detail: { ids: made.map(({ data }) => data?.id) },
    });
  });

  test('messages of items are in the language of the request', async () => {
    const { api } = await openBusiness(dealkeep);
    const { results } = await sendBatch(api.with({ 'Accept-Language': 'sk' }), 'tasks', 'create', [{}]);
    const alone = await api.with({ 'Accept-Language': 'sk' }).post('/tasks', {});
    expect(results[0]?.error?.message).toBe(alone.error.message);
  });
});

describe('what holds the items', () => {
  test('0 and 101 items, an unknown operation, and unknown fields are 422 of the whole (rule batches 1)', async () => {
    const business = await openBusiness(dealkeep);
    const { api } = business;
    const send = async (body: unknown) => (await api.send('POST', '/companies/batch', { json: body })).fields;
    const items = [{ name: 'A' }];
    expect(await send({ operation: 'create', items: [] })).toEqual({ items: 'too_few' });
    expect(await send({ operation: 'create', items: many(101, () => ({ name: 'A' })) })).toEqual({
      items: 'too_many',
    });
    expect(await send({ operation: 'delete', items })).toEqual({ operation: 'invalid_choice' });
    expect(await send({ items })).toEqual({ operation: 'required' });
    expect(await send({ operation: 'create' })).toEqual({ items: 'required' });
    expect(await send({ operation: 'create', items: { 0: {} } })).toEqual({ items: 'invalid_type' });
    expect(await send({ operation: 'create', items, more: 1 })).toEqual({ more: 'unknown' });
    expect((await api.send('POST', '/companies/batch', { json: items })).outcome).toBe('400 BAD_REQUEST');
    expect(await typesOf(business)).toEqual([]);
  });

  test.each(['leads', 'activities', 'tasks'])(
    '%s have no upsert: 422 names the operation',
    async (resource) => {
      const { api } = await openBusiness(dealkeep);
      const { answer } = await sendBatch(api, resource, 'upsert', [{ name: 'x' }]);
      expect([answer.status, answer.fields]).toEqual([422, { operation: 'invalid_choice' }]);
      expect(answer.error.message).not.toContain('undefined');
    },
  );

  test('the body is at most 1 MiB, like every body (rule batches 1)', async () => {
    const { api } = await openBusiness(dealkeep);
    const note = 'x'.repeat(10_000);
    const fits = many(100, (number) => ({ name: `${number}`, note }));
    expect(
      (await sendBatch(api, 'companies', 'create', fits)).results.every(({ status }) => status === 201),
    ).toBe(true);
    const { answer } = await sendBatch(
      api,
      'companies',
      'create',
      many(100, () => ({ name: 'x', note: note + note })),
    );
    expect(answer.outcome).toBe('400 BAD_REQUEST');
    expect(limits.bodyBytes).toBe(1024 * 1024);
  });

  test('scopes are those of the operation on one record (rule batches 6)', async () => {
    const { organization } = await openBusiness(dealkeep);
    const { token } = await organization.createKey({ scopes: ['companies:write'] });
    const api = dealkeep.as(token);
    const items = [{ match_by: 'name', name: 'Acme' }];
    const upsert = await api.send('POST', '/companies/batch', { json: { operation: 'upsert', items } });
    const alone = await api.send('POST', '/companies/upsert', { json: items[0] });
    expect([upsert.outcome, upsert.error]).toEqual(['403 FORBIDDEN', alone.error]);
    const reader = dealkeep.as((await organization.createKey({ scopes: ['companies:read'] })).token);
    expect((await sendBatch(reader, 'companies', 'create', [{ name: 'A' }])).answer.outcome).toBe(
      '403 FORBIDDEN',
    );
    expect((await sendBatch(reader, 'leads', 'create', [{ name: 'A' }])).answer.outcome).toBe(
      '403 FORBIDDEN',
    );
  });
});

test('an item that the database refuses, such as a change of an erased record, undoes only itself wherever it stands', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const made = (
    await sendBatch(
      api,
      'companies',
      'create',
      many(3, (number) => ({ name: `C ${number}` })),
    )
  ).results;
  const erased = made[1]?.data?.id ?? '';
  await dealkeep.sql`
    update companies set name = '[erased]', erased_at = now() where organization_id = ${organization.id} and id = ${erased}`;
  const alone = await api.patch(`/companies/${erased}`, { note: 'x' });
  expect(alone.status).toBe(409);
  for (const order of [made, made.toReversed(), [made[0], made[2], made[1]]]) {
    const ids = order.map((each) => each?.data?.id);
    const { results } = await sendBatch(
      api,
      'companies',
      'update',
      ids.map((id) => ({ id, note: `${ids}` })),
    );
    expect(results.map(({ status, error }) => [status, error?.code])).toEqual(
      ids.map((id) => (id === erased ? [409, alone.error.code] : [200, undefined])),
    );
  }
});
