import { type ApiClient, sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline, openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

describe('an inline company', () => {
  test('is created when nothing matches, and the events say so in order and as GET answers (rules events 3, events 11, events 12, leads 8 and leads 11)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const lead = await api.post('/leads', {
      company: {
        name: ' Tatra Bikes s.r.o. ',
        email: ' Info@Tatra.example ',
        phone: '+421 2',
        country_code: 'CZ',
        registration_id: '36123456',
      },
      contact: { name: ' Eva ', email: 'eva@tatra.example', phone: '+421 9', position: 'CEO' },
    });
    expect(lead.data).toMatchObject({
      name: 'Tatra Bikes s.r.o.',
      company: { name: 'Tatra Bikes s.r.o.', registration_id: '36123456' },
      contact: { name: 'Eva', email: 'eva@tatra.example', phone: '+421 9' },
    });
    const company = await api.get(`/companies/${lead.data.company?.id}`);
    expect(company.data).toMatchObject({
      email: 'Info@Tatra.example',
      phone: '+421 2',
      country_code: 'CZ',
      registration_id: '36123456',
      contacts: [{ name: 'Eva', position: 'CEO', is_primary: false }],
    });
    const contact = await api.get(`/contacts/${lead.data.contact?.id}`);
    const events = await dealkeep.eventsOf(organization);
    expect(events.map(({ type }) => type)).toEqual(['company.created', 'contact.created', 'lead.created']);
    expect(events.map(({ dataText }) => dataText)).toEqual([
      recordText(company.text),
      recordText(contact.text),
      recordText(lead.text),
    ]);
  });

  test('has the country of the organization when it names none', async () => {
    const { api } = await openBusiness(dealkeep);
    const lead = (await api.post('/leads', { company: { name: 'Acme', country_code: null } })).data;
    expect((await api.get(`/companies/${lead.company?.id}`)).data.country_code).toBe('SK');
  });

  test('that matches is not changed, and not reported (rule leads 12)', async () => {
    const { api, eventsDuring } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme', registration_id: '11' })).data;
    const events = await eventsDuring(async () => {
      const lead = await api.post('/leads', {
        company: { name: 'Other name', email: 'new@acme.example', phone: '1', registration_id: '11' },
      });
      expect(lead.data.company).toEqual({ id: company.id, name: 'Acme', registration_id: '11' });
    });
    expect(events.map(({ type }) => type)).toEqual(['lead.created']);
    expect((await api.get(`/companies/${company.id}`)).data).toEqual(company);
  });

  const oldCompanies = [
    { name: 'Alpha', email: 'office@alpha.example', registration_id: '100' },
    { name: 'Beta', email: 'office@beta.example' },
    { name: 'Gamma', registration_id: '300' },
    { name: 'Twin', email: 'first@twin.example' },
    { name: 'Twin', email: 'second@twin.example' },
    { name: 'Beta namesake', email: 'office@beta.example' },
    { name: 'No number', registration_id: '' },
  ];
  /** A business for those that match, where nothing is created, and one for the others. */
  const opened = new Map<boolean, Promise<{ api: ApiClient; ids: string[] }>>();
  const withOldCompanies = async () => {
    const { api } = await openBusiness(dealkeep);
    const ids: string[] = [];
    for (const company of oldCompanies) ids.push((await api.post('/companies', company)).data.id);
    return { api, ids };
  };
  test.each([
    [
      'the registration id wins over e-mail and name',
      { name: 'Beta', email: 'office@beta.example', registration_id: '100' },
      0,
    ],
    ['the e-mail wins over the name', { name: 'Gamma', email: 'office@beta.example' }, 1],
    ['e-mails compare without case', { name: 'x', email: 'OFFICE@Beta.example' }, 1],
    ['names compare without case', { name: 'gAMMA' }, 2],
    ['names compare as a whole', { name: 'Gam' }, undefined],
    ['names are no patterns', { name: 'G%' }, undefined],
    ['of several namesakes the oldest', { name: 'Twin' }, 3],
    [
      'a company without a registration id matches by e-mail though one is given',
      { name: 'x', email: 'office@beta.example', registration_id: '999' },
      1,
    ],
    ['a company with one matches by name though none is given', { name: 'Gamma', registration_id: null }, 2],
    [
      'two different registration ids drop an e-mail match',
      { name: 'x', email: 'office@alpha.example', registration_id: '101' },
      undefined,
    ],
    [
      'two different registration ids drop a name match',
      { name: 'Gamma', registration_id: '301' },
      undefined,
    ],
    [
      'a dropped e-mail match leaves the name match',
      { name: 'Beta', email: 'office@alpha.example', registration_id: '101' },
      1,
    ],
    ['an empty registration id is none', { name: 'Fresh', registration_id: '' }, undefined],
    ['an empty registration id does not contradict another', { name: 'No number', registration_id: '5' }, 6],
    ['an e-mail alone can match', { email: 'second@twin.example' }, 4],
    ['a registration id alone can match', { registration_id: '300' }, 2],
  ])('is matched: %s (rule leads 9)', async (_, described, index) => {
    const matches = index !== undefined;
    const business = opened.get(matches) ?? withOldCompanies();
    opened.set(matches, business);
    const { api, ids } = await business;
    const lead = (await api.post('/leads', { company: described })).data;
    if (index === undefined) expect(ids).not.toContain(lead.company?.id);
    else expect(lead.company?.id).toBe(ids[index]);
  });

  test('that matches nothing needs a name (rule leads 11)', async () => {
    const { api } = await openBusiness(dealkeep);
    const refused = await api.post('/leads', { company: { email: 'x@y.example', registration_id: '1' } });
    expect(refused.fields).toEqual({ 'company.name': 'required' });
    expect((await api.post('/leads', { company: {} })).fields).toEqual({ 'company.name': 'required' });
  });

  test('of another organization never matches', async () => {
    const [one, other] = await Promise.all([openBusiness(dealkeep), openBusiness(dealkeep)]);
    const described = { name: 'Acme', email: 'a@acme.example', registration_id: '1' };
    const theirs = (await other.api.post('/companies', described)).data;
    expect((await one.api.post('/leads', { company: described })).data.company?.id).not.toBe(theirs.id);
  });

  test.each([
    ['registration id', (index: number) => ({ name: `Name ${index}`, registration_id: '77' })],
    [
      'e-mail',
      (index: number) => ({ name: `Name ${index}`, email: index % 2 ? 'A@B.example' : 'a@b.example' }),
    ],
    ['name', (index: number) => ({ name: index % 2 ? 'ŽELEZO' : 'železo' })],
  ])('described four times at once by the same %s is created once (rule leads 13)', async (_, described) => {
    const { api } = await openBusiness(dealkeep);
    const leads = await Promise.all(
      Array.from({ length: 4 }, (_each, index) => api.post('/leads', { company: described(index) })),
    );
    expect(new Set(leads.map(({ data }) => data.company?.id)).size).toBe(1);
    expect((await api.get('/companies')).page.data).toHaveLength(1);
  });
});

describe('an inline contact', () => {
  let opened:
    | Promise<{ api: ApiClient; company: { id: string }; people: Record<string, string> }>
    | undefined;
  const withPeople = async () => {
    const { api } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    const other = (await api.post('/companies', { name: 'Other' })).data;
    const people: Record<string, string> = {};
    for (const [contact, place] of [
      [{ name: 'Somebody', email: 'somebody@acme.example' }, other],
      [{ name: 'Peter', email: 'peter@acme.example' }, company],
      [{ name: 'Eva', email: 'eva@acme.example' }, company],
      [{ name: 'Twin' }, company],
      [{ name: 'Twin' }, company],
    ] as const) {
      const { id } = (await api.post('/contacts', { ...contact, company_id: place.id })).data;
      people[contact.name] ??= id;
    }
    return { api, company, people };
  };
  test.each([
    ['the e-mail wins over the name', { name: 'Eva', email: 'PETER@acme.example' }, 'Peter'],
    ['the name matches without case', { name: 'pETER' }, 'Peter'],
    ['the name matches when the e-mail does not', { name: 'Eva', email: 'new@acme.example' }, 'Eva'],
    ['an e-mail alone can match', { email: 'peter@acme.example' }, 'Peter'],
    ['of several the oldest', { name: 'Twin' }, 'Twin'],
    ['nothing matches', { name: 'Somebody', email: 'somebody@acme.example' }, undefined],
  ])('is matched: %s (rule leads 10)', async (_, described, name) => {
    opened ??= withPeople();
    const { api, company, people } = await opened;
    const lead = (await api.post('/leads', { company_id: company.id, contact: described })).data;
    if (name === undefined) expect(Object.values(people)).not.toContain(lead.contact?.id);
    else expect(lead.contact?.id).toBe(people[name]);
    const contact = (await api.get(`/contacts/${lead.contact?.id}`)).data;
    expect(contact.company?.id).toBe(company.id);
  });

  test('that matches nothing needs a name', async () => {
    const { api } = await openBusiness(dealkeep);
    const refused = await api.post('/leads', {
      company: { name: 'Acme' },
      contact: { email: 'x@y.example' },
    });
    expect(refused.fields).toEqual({ 'contact.name': 'required' });
    expect((await api.get('/companies')).page.data).toEqual([]);
  });

  test('needs a company (rule leads 14)', async () => {
    const { api } = await openBusiness(dealkeep);
    expect((await api.post('/leads', { contact: { name: 'Eva' } })).fields).toEqual({
      contact: 'needs_company',
    });
  });

  test('described four times at once is created once (rule leads 13)', async () => {
    const { api } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    await Promise.all(
      Array.from({ length: 4 }, () =>
        api.post('/leads', { company_id: company.id, contact: { name: 'Eva' } }),
      ),
    );
    expect((await api.get('/contacts')).page.data).toHaveLength(1);
  });
});

describe('what cannot stand together', () => {
  test('company beside company_id, contact beside contact_id (rule leads 8)', async () => {
    const { api } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    const contact = (await api.post('/contacts', { company_id: company.id, name: 'Eva' })).data;
    const refused = await api.post('/leads', {
      company: { name: 'Acme' },
      company_id: company.id,
      contact: { name: 'Eva' },
      contact_id: contact.id,
    });
    expect(refused.fields).toEqual({ company: 'either', contact: 'either' });
  });

  test('a contact_id beside an inline company must be of that company', async () => {
    const { api } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    const contact = (await api.post('/contacts', { company_id: company.id, name: 'Eva' })).data;
    const lead = await api.post('/leads', { company: { name: 'acme' }, contact_id: contact.id });
    expect(lead.data).toMatchObject({ company: { id: company.id }, contact: { id: contact.id } });
    const refused = await api.post('/leads', { company: { name: 'Other' }, contact_id: contact.id });
    expect(refused.fields).toEqual({ contact_id: 'contact_of_other_company' });
    expect((await api.get('/companies')).page.data).toHaveLength(1);
  });
});

describe('dedupe=company', () => {
  test('returns the newest open, unarchived lead of the company, unchanged, and writes nothing (rules leads 15 and 16)', async () => {
    const { api, eventsDuring } = await openBusiness(dealkeep);
    const { stages } = await defaultPipeline(api);
    const company = (await api.post('/companies', { name: 'Acme', email: 'a@acme.example' })).data;
    const make = async (fields: object) =>
      (await api.post('/leads', { company_id: company.id, ...fields })).data;
    await make({ name: 'Older' });
    const newest = await make({ name: 'Newest' });
    await make({ name: 'Won', stage_id: stages['Won'] });
    const put = await make({ name: 'Put away' });
    await api.post(`/leads/${put.id}/archive`);
    const events = await eventsDuring(async () => {
      const answer = await api.post('/leads', {
        name: 'Yet another',
        value: 5,
        company: { email: 'A@acme.example' },
        contact: { name: 'Never made' },
        dedupe: 'company',
      });
      expect(answer.status).toBe(200);
      expect(answer.data).toEqual({ ...newest, deduplicated: true });
    });
    expect(events).toEqual([]);
    expect((await api.get(`/leads/${newest.id}`)).data).toEqual(newest);
    expect((await api.get('/contacts')).page.data).toEqual([]);
    expect((await api.get('/leads')).page.data).toHaveLength(4);
  });

  test.each([
    ['the company is new', async () => {}],
    ['the company has no lead', async (api, id) => void (await api.post('/companies', { name: id }))],
  ] satisfies [
    string,
    (api: Awaited<ReturnType<typeof openBusiness>>['api'], name: string) => Promise<void>,
  ][])('creates a lead when %s', async (_, prepare) => {
    const { api } = await openBusiness(dealkeep);
    await prepare(api, 'Acme');
    const answer = await api.post('/leads', { company: { name: 'Acme' }, dedupe: 'company' });
    expect(answer.status).toBe(201);
    expect(answer.data).not.toHaveProperty('deduplicated');
  });

  test('dedupe=none creates another (rule leads 15)', async () => {
    const { api } = await openBusiness(dealkeep);
    const body = { company: { name: 'Acme' }, dedupe: 'none' };
    expect((await api.post('/leads', body)).status).toBe(201);
    expect((await api.post('/leads', body)).status).toBe(201);
  });

  test('works with company_id, and with the company of contact_id', async () => {
    const { api } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    const contact = (await api.post('/contacts', { company_id: company.id, name: 'Eva' })).data;
    const lead = (await api.post('/leads', { company_id: company.id, dedupe: 'company' })).data;
    for (const by of [{ company_id: company.id }, { contact_id: contact.id }]) {
      expect((await api.post('/leads', { ...by, dedupe: 'company' })).data.id).toBe(lead.id);
    }
  });

  test('needs a company (rule leads 14)', async () => {
    const { api } = await openBusiness(dealkeep);
    expect((await api.post('/leads', { dedupe: 'company' })).fields).toEqual({ dedupe: 'needs_company' });
  });

  test.each([
    ['company_id', (id: string) => ({ company_id: id })],
    ['an inline company', () => ({ company: { name: 'Acme' } })],
    ['a new inline company', () => ({ company: { name: 'Brand new' } })],
  ])('four at once by %s make one lead (rule leads 17)', async (_, by) => {
    const { api } = await openBusiness(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.post('/leads', { ...by(company.id), dedupe: 'company' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
    expect((await api.get('/leads')).page.data).toHaveLength(1);
  });
});
