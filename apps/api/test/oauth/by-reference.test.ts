import { connectedUser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const scopes = ['leads:read', 'leads:write', 'companies:write', 'webhooks:manage'] as const;

async function leadOfVeiled() {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const company = (await api.post('/companies', { name: 'Veiled Works', registration_id: '87654321' })).data
    .id;
  const contact = (
    await api.post('/contacts', { company_id: company, name: 'Veronika', email: 'veronika@veiled.example' })
  ).data.id;
  const lead = (await api.post('/leads', { name: 'Deal', company_id: company, contact_id: contact })).data.id;
  const connect = async (permissions: string) => {
    const { token } = await connectedUser(dealkeep, organization, permissions, [...scopes]);
    return dealkeep.as(token);
  };
  return { api, company, contact, lead, connect };
}

const leads = ['view', 'create', 'edit'].map((right) => `leads.${right}=all`).join();

test('a connection neither sees nor names what the role does not show; a key does (rules scopes 13 and 14)', async () => {
  const { api, company, contact, lead, connect } = await leadOfVeiled();
  const app = await connect(leads);
  const seen = await app.get(`/leads/${lead}`);
  expect([seen.data.name, seen.data.company, seen.data.contact]).toEqual(['Deal', null, null]);
  const named = await app.post('/leads', { company_id: company, contact_id: contact });
  expect(named.fields).toEqual({ company_id: 'not_found', contact_id: 'not_found' });
  const inBatch = await app.post('/leads/batch', { operation: 'create', items: [{ company_id: company }] });
  expect(JSON.stringify(inBatch.json)).toContain('not_found');
  const made = await app.post('/leads', { company: { name: 'Veiled Works' } });
  expect([made.status, made.data.name, made.data.company]).toEqual([201, 'Veiled Works', null]);
  // What it did not name stays, and the tag of what it was shown still names the lead.
  const tag = seen.headers.get('etag') ?? '';
  const changed = await app.send('PATCH', `/leads/${lead}`, {
    json: { value: 5 },
    headers: { 'If-Match': tag },
  });
  expect([changed.status, changed.data]).toMatchObject([200, { value: 5, company: null }]);
  const whole = (await api.get(`/leads/${lead}`)).data;
  expect(whole).toMatchObject({ company: { id: company }, contact: { email: 'veronika@veiled.example' } });
});

test('a role that shows the records shows them by reference; one that may only change them can name them (rules scopes 13 and 14)', async () => {
  const { company, lead, connect } = await leadOfVeiled();
  const all = await connect(`${leads},companies.view=all`);
  expect((await all.get(`/leads/${lead}`)).data.contact?.email).toBe('veronika@veiled.example');
  const writes = await connect(`${leads},companies.create=all,companies.edit=all`);
  const made = await writes.post('/leads', { company_id: company });
  expect([made.status, made.data.company]).toEqual([201, null]);
});
