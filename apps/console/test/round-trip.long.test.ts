import { updateUser } from '@dealkeep/core/accounts';
import {
  type ApiClient,
  addUser,
  Browser,
  eventually,
  inConsole,
  startDealkeep,
  type VisitedPage,
} from '@dealkeep/testing';
import { defaultPipeline } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await startDealkeep();

/** An organization with the own fields, the users and the lists that the records of these tests name. */
async function open(language: 'en' | 'sk') {
  const organization = await dealkeep.createOrganization();
  const own = { required: false };
  for (const field of [
    { name: 'Segment', type: 'choice' as const, choices: ['Retail', 'Wholesale'], ...own },
    { name: 'Employees', type: 'number' as const, ...own },
    { name: 'Founded', type: 'date' as const, ...own },
    { name: 'Partner', type: 'checkbox' as const, ...own },
    { name: 'Motto', type: 'text' as const, ...own },
  ]) {
    await inConsole(dealkeep.core, organization, 'custom-fields.add', field);
  }
  const users: string[] = [];
  for (const name of ['Eva Malá', 'Ján Veľký']) {
    users.push((await addUser(dealkeep, organization, { name, role: 'owner' })).id);
  }
  await inConsole(dealkeep.core, organization, 'lead-origins.add', { name: 'Veľtrh, jar' });
  await updateUser(dealkeep.core, organization.ownerEmail, { language });
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  return { organization, browser, api: dealkeep.as(organization.key), users };
}

/**
 * Exports a list of one organization and imports it into another by what is proposed; answers what the page says
 * then.
 */
async function carry(list: string, from: Browser, into: Browser): Promise<string> {
  const { html: csv } = await from.get(`${list}/export.csv?sort=created_at`);
  const bytes = new TextEncoder().encode(csv);
  const sent = await into.upload(await into.get(`${list}/import`), `${list}/import`, {
    name: 'table.csv',
    bytes,
  });
  const address = sent.location ?? '';
  const columns = await into.get(address);
  await into.submit(columns, `${address}/columns`, {});
  const checked = await settled(into, address);
  expect(checked.html).toMatch(/Nothing is wrong with any row\.|V žiadnom riadku nie je chyba/);
  await into.submit(checked, `${address}/run`, {});
  return (await settled(into, address)).html;
}

async function settled(browser: Browser, address: string): Promise<VisitedPage> {
  let page = await browser.get(address);
  await eventually(async () => {
    page = await browser.get(address);
    expect(page.headers.get('refresh')).toBeNull();
  });
  return page;
}

/** A record as people know it: names in place of ids, and without what is of the moment in which it was written. */
function asNamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asNamed).toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !/^(id|app_url|email_md5|created_at|updated_at|stage_entered_at)$/.test(name),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, asNamed(each)]));
}

/** In the order of their names: those of one moment have no other. */
const named = async (api: ApiClient, list: '/companies' | '/contacts' | '/leads') =>
  (await api.walk(list)).toSorted((one, other) => String(one.name).localeCompare(String(other.name)));

test.each(['en', 'sk'] as const)(
  'companies, contacts and leads that are exported in %s and imported again are the same records',
  { timeout: 120_000 },
  async (language) => {
    const old = await open(language);
    const young = await open(language);
    const { api, users } = old;
    const company = (
      await api.post('/companies', {
        name: '=Žltý kôň, "s. r. o."; & spol.',
        registration_id: '00123456',
        tax_id: '2020123456',
        vat_id: 'SK2020123456',
        email: 'info@zlty.example',
        phone: '+421 900 123 456',
        street: "'Hlavná 1",
        city: 'Nitra',
        postal_code: '949 01',
        country_code: 'SK',
        note: '-2+3\nsecond line\r\n\tthird',
        owner_id: users[0],
        tags: ['vip', '@nový'],
        custom_fields: {
          Segment: 'Wholesale',
          Employees: '1250.5',
          Founded: '1999-12-31',
          Partner: 'false',
          Motto: '+vpred',
        },
      })
    ).data;
    await api.post('/companies', { name: 'Bare' });
    const contact = (
      await api.post('/contacts', {
        company_id: company.id,
        name: '@Eva',
        email: 'eva@zlty.example',
        phone: '00421 900 000 001',
        position: '-',
        is_primary: true,
      })
    ).data;
    await api.post('/contacts', { company_id: company.id, name: '1.10', note: '=1+1' });
    const pipeline = await defaultPipeline(api);
    const origin = (await api.get('/lead-origins')).page.data.find(({ name }) => name === 'Veľtrh, jar');
    await api.post('/leads', {
      name: '=SUM(A1)',
      value: 1250.5,
      acquisition_cost: 0.05,
      expected_close_date: '2027-01-31',
      note: 'x;y,"z"',
      company_id: company.id,
      contact_id: contact.id,
      owner_id: users[0],
      assignee_ids: users,
      origin_id: origin?.id,
      pipeline_id: pipeline.id,
      stage_id: pipeline.stages['Proposal sent'],
      tags: ['horúci', '-studený'],
    });
    await api.post('/leads', { name: 'Bare' });

    for (const [list, label] of [
      ['/companies', 'companies'],
      ['/contacts', 'contacts'],
      ['/leads', 'leads'],
    ] as const) {
      await carry(list, old.browser, young.browser);
      const [before, after] = await Promise.all([named(api, list), named(young.api, list)]);
      expect(before, label).toHaveLength(2);
      expect(asNamed(after), label).toEqual(asNamed(before));
    }
  },
);

test('of a lost lead the stage and the note come back, and of a tag with a comma its parts: the guide says so', async () => {
  const old = await open('en');
  const young = await open('en');
  const pipeline = await defaultPipeline(old.api);
  const lead = (await old.api.post('/leads', { name: 'Lost', tags: ['Nitra, centrum'] })).data;
  const lost = { stage_id: pipeline.stages['Lost'], lost_note: 'Too dear' };
  await old.api.post(`/leads/${lead.id}/move`, lost);
  await carry('/leads', old.browser, young.browser);
  expect((await young.api.walk('/leads'))[0]).toMatchObject({
    name: 'Lost',
    status: 'lost',
    stage: { name: 'Lost' },
    lost_reason: null,
    lost_note: 'Too dear',
    tags: ['Nitra', 'centrum'],
  });
});
