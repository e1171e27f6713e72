import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

// A page of leads that is asked for again and again shows each time what is true then.

const dealkeep = await sharedDealkeep();

async function openLeads() {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  const described = { name: 'Acme', email: 'office@acme.example' };
  const { data: lead } = await api.post('/leads', {
    name: 'One',
    company: described,
    contact: { name: 'Eva' },
  });
  await api.post('/leads', { name: 'Two' });
  const page = (query = {}) => api.get('/leads', query);
  for (let times = 0; times < 3; times += 1) await page();
  const { sql } = dealkeep;
  const raiseReferenceDataVersion = () => sql`
    update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  return { ...business, lead, page, sql, raiseReferenceDataVersion };
}

type Leads = Awaited<ReturnType<typeof openLeads>>;

const changes: Record<string, (leads: Leads) => PromiseLike<unknown>> = {
  'a lead is changed': ({ api, lead }) => api.patch(`/leads/${lead.id}`, { note: 'Changed' }),
  'a lead is changed and changed back': async ({ api, lead }) => {
    await api.patch(`/leads/${lead.id}`, { name: 'Other' });
    await api.patch(`/leads/${lead.id}`, { name: 'One' });
  },
  'a lead is added': ({ api }) => api.post('/leads', { name: 'Three' }),
  'a lead is archived': ({ api, lead }) => api.post(`/leads/${lead.id}/archive`),
  'its company is renamed': ({ api, lead }) =>
    api.patch(`/companies/${lead.company?.id}`, { name: 'Acme a. s.' }),
  'its contact gets an address': ({ api, lead }) =>
    api.patch(`/contacts/${lead.contact?.id}`, { email: 'eva@acme.example' }),
  'its company becomes a client': ({ api, lead }) => api.post('/clients', { company_id: lead.company?.id }),
  'its stage is renamed': async ({ sql, organization, raiseReferenceDataVersion }) => {
    await sql`update stages set name = 'Renamed' where organization_id = ${organization.id}`;
    await raiseReferenceDataVersion();
  },
  'one transaction changes it twice': ({ sql, organization, lead }) =>
    sql.begin(async (tx) => {
      await tx`update leads set note = 'a' where organization_id = ${organization.id} and id = ${lead.id}`;
      await tx`update leads set note = 'b' where organization_id = ${organization.id} and id = ${lead.id}`;
    }),
};

test.each(Object.entries(changes))('%s: the next page shows it (rule lists 16)', async (_, change) => {
  const leads = await openLeads();
  const { api, page } = leads;
  await change(leads);
  for (let times = 0; times < 3; times += 1) {
    const { data } = (await page()).page;
    const read = await Promise.all(data.map(async ({ id }) => (await api.get(`/leads/${id}`)).data));
    expect(data).toEqual(read);
    expect(data.map(({ name }) => name)).toEqual(
      (
        await dealkeep.sql<{ name: string }[]>`
        select name from leads where organization_id = ${leads.organization.id}
        order by created_at desc, id desc`
      ).map(({ name }) => name),
    );
  }
});

test('each query, and each organization, has its own', async () => {
  const [one, other] = await Promise.all([openLeads(), openLeads()]);
  for (let times = 0; times < 3; times += 1) {
    expect((await one.page({ limit: 1 })).page.data.map(({ name }) => name)).toEqual(['Two']);
    expect((await one.page({ sort: 'name' })).page.data.map(({ name }) => name)).toEqual(['One', 'Two']);
    expect((await one.page({ company_id: one.lead.company?.id ?? '' })).page.data).toHaveLength(1);
    expect((await other.page({ company_id: one.lead.company?.id ?? '' })).page.data).toEqual([]);
    const { next_cursor: cursor } = (await one.page({ limit: 1 })).page;
    expect((await one.page({ limit: 1, cursor: cursor ?? '' })).page.data.map(({ name }) => name)).toEqual([
      'One',
    ]);
  }
});
