import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addUser } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

/** A business with two companies, the first of them a client. */
async function oneClient() {
  const business = await openBusiness(dealkeep);
  const { api } = business;
  const acme = (await api.post('/companies', { name: 'Acme' })).data;
  const beta = (await api.post('/companies', { name: 'Beta', registration_id: '36000002' })).data;
  const client = (await api.post('/clients', { company_id: acme.id, note: 'Old', reference_code: 'C-1' }))
    .data;
  const patch = (body: object) => api.patch(`/clients/${client.id}`, body);
  return { ...business, acme, beta, client, patch };
}

test('what is sent changes, all else stays; the event names it', async () => {
  const { api, client, patch, eventsDuring } = await oneClient();
  const events = await eventsDuring(async () => {
    const { status, data } = await patch({ note: 'New' });
    expect(status).toBe(200);
    expect(data).toEqual({ ...client, note: 'New', updated_at: data.updated_at });
    expect(data.updated_at).not.toBe(client.updated_at);
  });
  expect(events).toMatchObject([{ type: 'client.updated', changed_fields: ['note'] }]);
  expect(events[0]?.dataText).toBe(recordText((await api.get(`/clients/${client.id}`)).text));
});

test('every field can change, and is named when it did', async () => {
  const { organization, beta, client, patch, eventsDuring, api } = await oneClient();
  const marek = await addUser({ dealkeep, organization }, 'Marek');
  const fields = {
    note: 'New',
    reference_code: 'C-2',
    reference_name: 'Frame',
    reference_valid_until: '2028-02-29',
  };
  const events = await eventsDuring(async () => {
    const { data } = await patch({ company_id: beta.id, owner_id: marek, ...fields });
    expect(data).toEqual({
      ...client,
      ...fields,
      company: { id: beta.id, name: 'Beta', registration_id: '36000002' },
      owner: { id: marek, name: 'Marek' },
      updated_at: data.updated_at,
    });
  });
  expect(events.map(({ changed_fields }) => changed_fields)).toEqual([
    ['company', 'owner', 'note', 'reference_code', 'reference_name', 'reference_valid_until'],
  ]);
  expect(events[0]?.dataText).toBe(recordText((await api.get(`/clients/${client.id}`)).text));
});

test('null clears', async () => {
  const { organization, patch } = await oneClient();
  await patch({
    owner_id: organization.ownerId,
    reference_name: 'Frame',
    reference_valid_until: '2028-01-01',
  });
  const { data } = await patch({
    owner_id: null,
    note: null,
    reference_code: null,
    reference_name: null,
    reference_valid_until: null,
  });
  expect(data).toMatchObject({
    owner: null,
    note: null,
    reference_code: null,
    reference_name: null,
    reference_valid_until: null,
  });
});

test('nothing that changes says nothing', async () => {
  const { acme, client, patch, eventsDuring } = await oneClient();
  const events = await eventsDuring(async () => {
    expect((await patch({})).data).toEqual(client);
    const same = { company_id: acme.id.toUpperCase(), note: 'Old', reference_code: 'C-1', owner_id: null };
    expect((await patch(same)).data).toEqual(client);
  });
  expect(events).toEqual([]);
});

describe('is refused', () => {
  test('with references that do not exist, all of them named', async () => {
    const { api, client, patch, eventsDuring } = await oneClient();
    const events = await eventsDuring(async () => {
      const refused = await patch({ company_id: nobody, owner_id: nobody, note: 'New' });
      expect(refused.fields).toEqual({ company_id: 'not_found', owner_id: 'not_found' });
    });
    expect(events).toEqual([]);
    expect((await api.get(`/clients/${client.id}`)).data).toEqual(client);
  });

  test('with references of another organization', async () => {
    const { patch } = await oneClient();
    const other = await oneClient();
    expect((await patch({ company_id: other.beta.id })).fields).toEqual({ company_id: 'not_found' });
    expect((await patch({ owner_id: other.organization.ownerId })).fields).toEqual({ owner_id: 'not_found' });
  });

  test('without a company', async () => {
    const { patch } = await oneClient();
    expect(Object.keys((await patch({ company_id: null })).fields)).toEqual(['company_id']);
  });

  test('of what does not exist, or is another organization’s', async () => {
    const { api } = await oneClient();
    const other = await oneClient();
    for (const id of [nobody, 'x', other.client.id]) {
      expect((await api.get(`/clients/${id}`)).outcome).toBe('404 NOT_FOUND');
      expect((await api.patch(`/clients/${id}`, { note: 'x' })).outcome).toBe('404 NOT_FOUND');
    }
    expect((await other.api.get(`/clients/${other.client.id}`)).data).toEqual(other.client);
  });
});

describe('one client per company', () => {
  test('a company that is a client already cannot be taken (rule clients 2)', async () => {
    const { api, beta, client, patch, eventsDuring } = await oneClient();
    await api.post('/clients', { company_id: beta.id });
    const events = await eventsDuring(async () => {
      expect((await patch({ company_id: beta.id, note: 'New' })).outcome).toBe('409 CONFLICT');
    });
    expect(events).toEqual([]);
    expect((await api.get(`/clients/${client.id}`)).data).toEqual(client);
  });

  test('a company that was left can be taken again', async () => {
    const { api, acme, beta, patch } = await oneClient();
    await patch({ company_id: beta.id });
    expect((await api.post('/clients', { company_id: acme.id })).status).toBe(201);
  });

  test('of four that move to one company and four that are made for it at once, one gets it', async () => {
    const { api, beta, eventsDuring } = await oneClient();
    const movers = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const { id } = (await api.post('/companies', { name: `Mover ${index}` })).data;
        return (await api.post('/clients', { company_id: id })).data.id;
      }),
    );
    const events = await eventsDuring(async () => {
      const answers = await Promise.all([
        ...movers.map((id) => api.patch(`/clients/${id}`, { company_id: beta.id })),
        ...movers.map(() => api.post('/clients', { company_id: beta.id })),
      ]);
      const outcomes = answers.map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === '409 CONFLICT')).toHaveLength(7);
    });
    expect(events).toHaveLength(1);
    expect((await api.get('/clients', { company_id: beta.id })).page.data).toHaveLength(1);
  });

  test('two that change places at once are both refused', async () => {
    const { api, acme, beta, client, patch } = await oneClient();
    const other = (await api.post('/clients', { company_id: beta.id })).data;
    const answers = await Promise.all([
      patch({ company_id: beta.id }),
      api.patch(`/clients/${other.id}`, { company_id: acme.id }),
    ]);
    expect(answers.map(({ outcome }) => outcome)).toEqual(['409 CONFLICT', '409 CONFLICT']);
    expect((await api.get(`/clients/${client.id}`)).data).toEqual(client);
  });
});

test('two updates at once keep both changes, and each event what was then', async () => {
  const { api, client, patch, eventsDuring } = await oneClient();
  const events = await eventsDuring(() =>
    Promise.all([patch({ note: 'A' }), patch({ reference_name: 'B' })]),
  );
  const { text, data } = await api.get(`/clients/${client.id}`);
  expect(data).toMatchObject({ note: 'A', reference_name: 'B' });
  expect(events.map(({ changed_fields }) => changed_fields).toSorted()).toEqual([
    ['note'],
    ['reference_name'],
  ]);
  expect(events.map(({ dataText }) => dataText)).toContain(recordText(text));
});
