import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

/** A business with one company. */
async function oneCompany() {
  const business = await openBusiness(dealkeep);
  const acme = (await business.api.post('/companies', { name: 'Acme', registration_id: '36123456' })).data;
  return { ...business, acme };
}

describe('create', () => {
  test('with every field (rule clients 3)', async () => {
    const { api, acme, organization } = await oneCompany();
    const fields = {
      note: 'Invoices by\ne-mail only. ',
      reference_code: 'C-2026-014',
      reference_name: 'Framework agreement',
      reference_valid_until: '2027-12-31',
    };
    const client = await api.post('/clients', {
      company_id: acme.id.toUpperCase(),
      owner_id: organization.ownerId,
      ...fields,
    });
    expect(client.status).toBe(201);
    expect(client.data).toEqual({
      id: expect.any(String),
      company: { id: acme.id, name: 'Acme', registration_id: '36123456' },
      owner: { id: organization.ownerId, name: 'Jana Horváthová' },
      ...fields,
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: client.data.created_at,
      app_url: `http://localhost:3000/clients/${client.data.id}`,
    });
    expect((await api.get(`/clients/${client.data.id}`)).text).toBe(client.text);
    expect((await api.get('/clients')).page.data).toEqual([client.data]);
  });

  test('is told in one event, which carries what GET answers', async () => {
    const { api, acme, eventsDuring } = await oneCompany();
    const events = await eventsDuring(() => api.post('/clients', { company_id: acme.id, note: 'ž "q"' }));
    expect(events.map(({ type }) => type)).toEqual(['client.created']);
    const read = await api.get(`/clients/${events[0]?.data.id}`);
    expect(events[0]?.dataText).toBe(recordText(read.text));
    expect(events[0]).not.toHaveProperty('changed_fields');
  });

  test('with the company alone; null equals absent', async () => {
    const { api, acme } = await oneCompany();
    const beta = (await api.post('/companies', { name: 'Beta' })).data;
    const empty = {
      owner: null,
      note: null,
      reference_code: null,
      reference_name: null,
      reference_valid_until: null,
    };
    const bare = await api.post('/clients', { company_id: acme.id });
    expect(bare.data).toMatchObject(empty);
    const { owner: _, ...nulls } = { ...empty, owner_id: null };
    const nulled = await api.post('/clients', { company_id: beta.id, ...nulls });
    expect(nulled.data).toMatchObject({
      ...empty,
      company: { id: beta.id, name: 'Beta', registration_id: null },
    });
  });

  test('needs a company (rule clients 1)', async () => {
    const { api } = await oneCompany();
    expect((await api.post('/clients', {})).fields).toEqual({ company_id: 'required' });
    expect((await api.post('/clients', { company_id: null })).outcome).toBe('422 VALIDATION_ERROR');
  });

  test('names every reference that does not exist', async () => {
    const { api, eventsDuring } = await oneCompany();
    const events = await eventsDuring(async () => {
      expect((await api.post('/clients', { company_id: nobody, owner_id: nobody })).fields).toEqual({
        company_id: 'not_found',
        owner_id: 'not_found',
      });
    });
    expect(events).toEqual([]);
    expect((await api.get('/clients')).page.data).toEqual([]);
  });

  test('does not find what is another organization’s', async () => {
    const { api } = await oneCompany();
    const other = await oneCompany();
    const refused = await api.post('/clients', {
      company_id: other.acme.id,
      owner_id: other.organization.ownerId,
    });
    expect(refused.fields).toEqual({ company_id: 'not_found', owner_id: 'not_found' });
  });

  test.each([
    [{ reference_code: 'č'.repeat(101) }, { reference_code: 'too_long' }],
    [{ reference_name: '😀'.repeat(256) }, { reference_name: 'too_long' }],
    [{ reference_valid_until: '2026-02-29' }, { reference_valid_until: 'invalid_date' }],
    [{ note: 'a\0b' }, { note: 'invalid_characters' }],
    [{ status: 'new' }, { status: 'unknown' }],
  ])('refuses %j', async (fields, problems) => {
    const { api, acme } = await oneCompany();
    expect((await api.post('/clients', { company_id: acme.id, ...fields })).fields).toEqual(problems);
  });

  test('takes the longest values (rule clients 1)', async () => {
    const { api, acme } = await oneCompany();
    const longest = { reference_code: '😀'.repeat(100), reference_name: 'č'.repeat(255) };
    expect((await api.post('/clients', { company_id: acme.id, ...longest })).data).toMatchObject(longest);
  });
});

describe('one client per company', () => {
  test('a second is a conflict, and nothing is told (rule clients 2)', async () => {
    const { api, acme, eventsDuring } = await oneCompany();
    await api.post('/clients', { company_id: acme.id });
    const events = await eventsDuring(async () => {
      const second = await api.post('/clients', { company_id: acme.id });
      expect(second.outcome).toBe('409 CONFLICT');
      expect(second.error.message).toBe('This company is a client already.');
    });
    expect(events).toEqual([]);
  });

  test('is told among the fields where something else is wrong, too', async () => {
    const { api, acme } = await oneCompany();
    await api.post('/clients', { company_id: acme.id });
    expect((await api.post('/clients', { company_id: acme.id, owner_id: nobody })).fields).toEqual({
      company_id: 'conflict',
      owner_id: 'not_found',
    });
  });

  test('of eight at once, one is made (rule clients 2)', async () => {
    const { api, acme, eventsDuring } = await oneCompany();
    const events = await eventsDuring(async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => api.post('/clients', { company_id: acme.id })),
      );
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['201', ...Array(7).fill('409 CONFLICT')]);
    });
    expect(events).toHaveLength(1);
    expect((await api.get('/clients')).page.data).toHaveLength(1);
  });
});

describe('the client of a lead', () => {
  test('appears with the client, named as its company (rules bodies 26 and clients 3)', async () => {
    const { api, acme, eventsDuring } = await oneCompany();
    const lead = (await api.post('/leads', { company_id: acme.id })).data;
    const stranger = (await api.post('/leads', { name: 'Stranger' })).data;
    expect(lead.client).toBeNull();
    const events = await eventsDuring(() => api.post('/clients', { company_id: acme.id }));
    expect(events.map(({ type }) => type)).toEqual(['client.created']);
    const ref = { id: events[0]?.data.id, name: 'Acme' };
    expect((await api.get(`/leads/${lead.id}`)).data).toEqual({ ...lead, client: ref });
    expect((await api.get(`/leads/${stranger.id}`)).data.client).toBeNull();
    expect((await api.post('/leads', { company_id: acme.id })).data.client).toEqual(ref);
    await api.patch(`/companies/${acme.id}`, { name: 'Acme Plus' });
    expect((await api.get(`/leads/${lead.id}`)).data.client).toEqual({ ...ref, name: 'Acme Plus' });
  });

  test('moves when the client becomes another company’s', async () => {
    const { api, acme } = await oneCompany();
    const beta = (await api.post('/companies', { name: 'Beta' })).data;
    const ofAcme = (await api.post('/leads', { company_id: acme.id })).data;
    const ofBeta = (await api.post('/leads', { company_id: beta.id })).data;
    const client = (await api.post('/clients', { company_id: acme.id })).data;
    await api.patch(`/clients/${client.id}`, { company_id: beta.id });
    expect((await api.get(`/leads/${ofAcme.id}`)).data.client).toBeNull();
    expect((await api.get(`/leads/${ofBeta.id}`)).data.client).toEqual({ id: client.id, name: 'Beta' });
  });
});
