import { eventually, lockWaits, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

type Business = Awaited<ReturnType<typeof openBusiness>>;

const typesOf = async ({ organization }: Business): Promise<string[]> =>
  (await dealkeep.eventsOf(organization)).map(({ type }) => type);

const company = { name: 'Acme', registration_id: '36123456', tax_id: '2020123456', vat_id: 'SK2020123456' };

describe('a company', () => {
  test('that matches no more when it is its turn is left alone, and another one is created', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { id } = (await api.post('/companies', company)).data;
    let answer: ReturnType<typeof upsert> | undefined;
    const upsert = () =>
      api.post('/companies/upsert', { ...company, match_by: 'registration_id', note: 'Sent' });
    await dealkeep.sql.begin(async (tx) => {
      await tx`
        update companies set registration_id = 'another' where organization_id = ${organization.id} and id = ${id}`;
      answer = upsert();
      await eventually(async () => expect(await lockWaits(dealkeep.core.sql)).toBe(1));
    });
    expect((await answer)?.data).toMatchObject({ upserted: 'created', note: 'Sent' });
    expect((await api.get(`/companies/${id}`)).data).toMatchObject({
      registration_id: 'another',
      note: null,
    });
  });

  test.each([
    ['registration_id', '36123456'],
    ['tax_id', '2020123456'],
    ['vat_id', 'SK2020123456'],
    ['email', 'INFO@acme.example'],
    ['name', 'ACME'],
  ])('is created once and then updated by %s (rules upserts 1 and 3)', async (match_by, value) => {
    const business = await openBusiness(dealkeep);
    const { api } = business;
    const whole = { ...company, email: 'info@acme.example' };
    const made = await api.post('/companies/upsert', { ...whole, match_by });
    expect([made.status, made.data]).toMatchObject([201, { ...whole, upserted: 'created' }]);
    const address = `/companies/${made.data.id}`;
    expect(made.headers.get('location')?.endsWith(address)).toBe(true);
    const changed = await api.post('/companies/upsert', { match_by, [match_by]: value, note: 'New' });
    expect([changed.status, changed.data]).toMatchObject([200, { id: made.data.id, upserted: 'updated' }]);
    const again = await api.post('/companies/upsert', { match_by, [match_by]: value, note: 'New' });
    expect([again.status, again.data]).toEqual([200, { ...changed.data, upserted: 'unchanged' }]);
    expect(await typesOf(business)).toEqual(['company.created', 'company.updated']);
    expect((await api.get('/companies')).page.data).toHaveLength(1);
  });

  test('keeps the fields that are absent, and null clears (rule upserts 4)', async () => {
    const { api } = await openBusiness(dealkeep);
    const body = { ...company, match_by: 'name', note: 'Old', phone: '1', tags: ['A'] };
    const { data } = await api.post('/companies/upsert', body);
    const { upserted: _, ...made } = data as typeof data & { upserted: string };
    const changed = await api.post('/companies/upsert', { match_by: 'name', name: 'Acme', phone: null });
    const { updated_at } = changed.data;
    expect(changed.data).toEqual({ ...made, phone: null, updated_at, upserted: 'updated' });
  });

  test('what a creation demands is demanded only when it creates (rule upserts 4)', async () => {
    const { api } = await openBusiness(dealkeep);
    const body = { match_by: 'registration_id', registration_id: '36123456', note: 'x' };
    expect((await api.post('/companies/upsert', body)).fields).toEqual({ name: 'required' });
    await api.post('/companies', company);
    expect((await api.post('/companies/upsert', body)).status).toBe(200);
  });

  test('several matches are 409 with ten ids at most, and nothing is written (rule upserts 5)', async () => {
    const business = await openBusiness(dealkeep);
    const { api } = business;
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) ids.push((await api.post('/companies', company)).data.id);
    const refused = await api.post('/companies/upsert', { match_by: 'name', name: 'acme', tags: ['New'] });
    expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT']);
    expect(refused.error.detail).toEqual({ ids: ids.slice(0, 10) });
    expect(await typesOf(business)).toEqual(ids.map(() => 'company.created'));
    expect((await api.get('/tags')).page.data).toEqual([]);
  });

  test('match_by is one of its fields, and the field has a value (rule upserts 1)', async () => {
    const { api } = await openBusiness(dealkeep);
    const fields = async (body: object) => (await api.post('/companies/upsert', body)).fields;
    expect(await fields({ name: 'Acme' })).toEqual({ match_by: 'required' });
    expect(await fields({ match_by: 'phone', name: 'Acme' })).toEqual({ match_by: 'invalid_choice' });
    for (const email of [undefined, null]) {
      expect(await fields({ match_by: 'email', name: 'Acme', email })).toEqual({ email: 'required' });
    }
    expect(await fields({ match_by: 'tax_id', name: 'Acme', tax_id: '' })).toEqual({ tax_id: 'required' });
    expect((await api.get('/companies')).page.data).toEqual([]);
  });

  test('unknown custom fields and references to nothing are told, whether it creates or updates', async () => {
    const { api } = await openBusiness(dealkeep);
    const wrong = {
      match_by: 'name',
      name: 'Acme',
      owner_id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
      custom_fields: { Unknown: 'x' },
    };
    const codes = { owner_id: 'not_found', 'custom_fields.Unknown': 'unknown' };
    expect((await api.post('/companies/upsert', wrong)).fields).toEqual(codes);
    await api.post('/companies', company);
    expect((await api.post('/companies/upsert', wrong)).fields).toEqual(codes);
  });

  test.each(['registration_id', 'email', 'name'])(
    '12 at the same moment make one by %s (rule upserts 6)',
    async (match_by) => {
      const business = await openBusiness(dealkeep);
      const { api } = business;
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, number) =>
          api.post('/companies/upsert', {
            match_by,
            name: 'Acme',
            email: 'info@acme.example',
            registration_id: '36123456',
            note: `${number}`,
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
      expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
      expect((await api.get('/companies')).page.data).toHaveLength(1);
      const types = await typesOf(business);
      expect([types[0], new Set(types.slice(1))]).toEqual(['company.created', new Set(['company.updated'])]);
    },
  );

  test('an upsert and a lead with an inline company at the same moment make one (rules upserts 6 and companies 5)', async () => {
    const { api } = await openBusiness(dealkeep);
    await Promise.all([
      ...Array.from({ length: 5 }, () => api.post('/leads', { company: { name: 'Acme' } })),
      ...Array.from({ length: 5 }, () => api.post('/companies/upsert', { match_by: 'name', name: 'acme' })),
    ]);
    expect((await api.get('/companies')).page.data).toHaveLength(1);
  });

  test('a repeat with its key is answered the same', async () => {
    const { api } = await openBusiness(dealkeep);
    const send = () =>
      api.send('POST', '/companies/upsert', {
        json: { match_by: 'name', name: 'Acme' },
        headers: { 'Idempotency-Key': 'one' },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('a contact', () => {
  test('is matched by e-mail or phone in the whole organization without a company (rules upserts 1 and 2)', async () => {
    const business = await openBusiness(dealkeep);
    const { api } = business;
    const { id } = (await api.post('/companies', { name: 'Acme' })).data;
    const eva = { company_id: id, name: 'Eva', email: 'eva@acme.example', phone: '+421 1' };
    const made = (await api.post('/contacts', eva)).data;
    const byEmail = { match_by: 'email', email: 'EVA@acme.example', position: 'Buyer' };
    const byPhone = { match_by: 'phone', phone: '+421 1', position: 'Head' };
    expect((await api.post('/contacts/upsert', byEmail)).data).toMatchObject({
      id: made.id,
      position: 'Buyer',
      upserted: 'updated',
    });
    expect((await api.post('/contacts/upsert', byPhone)).data).toMatchObject({ id: made.id, name: 'Eva' });
    expect(await typesOf(business)).toEqual([
      'company.created',
      'contact.created',
      'contact.updated',
      'contact.updated',
    ]);
  });

  test('is matched within the company that is given (rule upserts 2)', async () => {
    const { api } = await openBusiness(dealkeep);
    const one = (await api.post('/companies', { name: 'One' })).data.id;
    const two = (await api.post('/companies', { name: 'Two' })).data.id;
    const body = { match_by: 'email', email: 'eva@acme.example', name: 'Eva' };
    const first = await api.post('/contacts/upsert', { ...body, company_id: one });
    const second = await api.post('/contacts/upsert', { ...body, company_id: two });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect((await api.post('/contacts/upsert', { ...body, company_id: one })).data).toMatchObject({
      id: first.data.id,
      upserted: 'unchanged',
    });
    const several = await api.post('/contacts/upsert', body);
    expect([several.status, several.error.detail]).toEqual([409, { ids: [first.data.id, second.data.id] }]);
  });

  test('that is new needs a name and a company', async () => {
    const { api } = await openBusiness(dealkeep);
    const refused = await api.post('/contacts/upsert', { match_by: 'phone', phone: '1' });
    expect(refused.fields).toEqual({ company_id: 'required', name: 'required' });
  });

  test('12 at the same moment make one', async () => {
    const { api } = await openBusiness(dealkeep);
    const { id } = (await api.post('/companies', { name: 'Acme' })).data;
    const body = { match_by: 'email', company_id: id, name: 'Eva', email: 'eva@acme.example' };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, number) => api.post('/contacts/upsert', { ...body, note: `${number}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await api.get('/contacts')).page.data).toHaveLength(1);
  });
});

describe('a client', () => {
  test('is created once and then updated by its company or its reference code (rule upserts 1)', async () => {
    const business = await openBusiness(dealkeep);
    const { api } = business;
    const { id } = (await api.post('/companies', { name: 'Acme' })).data;
    const made = await api.post('/clients/upsert', {
      match_by: 'company_id',
      company_id: id,
      reference_code: 'C-1',
    });
    expect([made.status, made.data]).toMatchObject([201, { upserted: 'created' }]);
    const byCode = { match_by: 'reference_code', reference_code: 'C-1', note: 'Monthly' };
    expect((await api.post('/clients/upsert', byCode)).data).toMatchObject({
      id: made.data.id,
      note: 'Monthly',
      upserted: 'updated',
    });
    const byCompany = { match_by: 'company_id', company_id: id, note: 'Monthly' };
    expect((await api.post('/clients/upsert', byCompany)).data).toMatchObject({ upserted: 'unchanged' });
    expect(await typesOf(business)).toEqual(['company.created', 'client.created', 'client.updated']);
  });

  test('of a company that there is not, or without one, is refused', async () => {
    const { api } = await openBusiness(dealkeep);
    const nothing = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
    const unknown = await api.post('/clients/upsert', { match_by: 'company_id', company_id: nothing });
    expect(unknown.fields).toEqual({ company_id: 'not_found' });
    const without = await api.post('/clients/upsert', { match_by: 'reference_code', reference_code: 'C' });
    expect(without.fields).toEqual({ company_id: 'required' });
  });
});

test('create or update needs the scopes to read and to write (rule upserts 7)', async () => {
  const { organization } = await openBusiness(dealkeep);
  for (const scope of ['companies:read', 'companies:write'] as const) {
    const key = await organization.createKey({ scopes: [scope] });
    const refused = await dealkeep
      .as(key.token)
      .post('/companies/upsert', { match_by: 'name', name: 'Acme' });
    expect([scope, refused.outcome]).toEqual([scope, '403 FORBIDDEN']);
  }
});
