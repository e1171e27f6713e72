import { eventually, inConsole, lockWaits, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

/** A business with two companies. */
async function twoCompanies() {
  const business = await openBusiness(dealkeep);
  const { api } = business;
  const acme = (await api.post('/companies', { name: 'Acme' })).data;
  const beta = (await api.post('/companies', { name: 'Beta' })).data;
  const add = async (fields: object) =>
    (await api.post('/contacts', { company_id: acme.id, ...fields })).data;
  const isPrimary = async (id: string) => (await api.get(`/contacts/${id}`)).data.is_primary;
  return { ...business, acme, beta, add, isPrimary };
}

describe('create', () => {
  test('with every field', async () => {
    const { api, acme, organization } = await twoCompanies();
    const fields = {
      name: 'Peter Novák',
      email: 'peter.novak@acme.example',
      phone: '+421 905 123 456',
      position: 'Purchasing manager',
      is_primary: true,
      note: 'Met at the Nitra fair.',
    };
    const contact = await api.post('/contacts', { company_id: acme.id, ...fields });
    expect(contact.status).toBe(201);
    expect(contact.data).toEqual({
      id: expect.any(String),
      ...fields,
      company: { id: acme.id, name: 'Acme' },
      emails: ['peter.novak@acme.example'],
      phones: ['+421 905 123 456'],
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: contact.data.created_at,
      app_url: `http://localhost:3000/contacts/${contact.data.id}`,
    });
    expect((await api.get(`/contacts/${contact.data.id}`)).text).toBe(contact.text);
    const event = (await dealkeep.eventsOf(organization)).at(-1);
    expect(event?.type).toBe('contact.created');
    expect(event?.dataText).toBe(recordText(contact.text));
  });

  test('with what is required alone; null equals absent (rule contacts 6)', async () => {
    const { acme, add } = await twoCompanies();
    const empty = { email: null, phone: null, position: null, note: null };
    const bare = await add({ name: ' Eva ' });
    expect(bare).toMatchObject({ ...empty, name: 'Eva', emails: [], phones: [], is_primary: false });
    const nulls = await add({ name: 'Eva', ...empty, is_primary: null });
    expect(nulls).toMatchObject({ ...empty, is_primary: false, company: { id: acme.id } });
  });

  test('needs a name and a company (rule contacts 1)', async () => {
    const { api } = await twoCompanies();
    expect((await api.post('/contacts', {})).fields).toEqual({ company_id: 'required', name: 'required' });
    expect((await api.post('/contacts', { company_id: null, name: null })).fields).toEqual({
      company_id: 'required',
      name: 'required',
    });
    const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
    expect((await api.post('/contacts', { company_id: nobody, name: 'x' })).fields).toEqual({
      company_id: 'not_found',
    });
  });
});

describe('one primary contact per company (rule events 6)', () => {
  test('a new one demotes the old one, and both say so (rules contacts 4 and 5)', async () => {
    const { api, add, isPrimary, eventsDuring } = await twoCompanies();
    const old = await add({ name: 'Old', is_primary: true });
    const events = await eventsDuring(() => add({ name: 'New', is_primary: true }));
    expect(await isPrimary(old.id)).toBe(false);
    expect(events).toMatchObject([
      { type: 'contact.created', data: { name: 'New', is_primary: true } },
      { type: 'contact.updated', data: { id: old.id, is_primary: false }, changed_fields: ['is_primary'] },
    ]);
    expect(events[1]?.dataText).toBe(recordText((await api.get(`/contacts/${old.id}`)).text));
  });

  test('an update to primary demotes, and both say so', async () => {
    const { api, add, isPrimary, eventsDuring } = await twoCompanies();
    const old = await add({ name: 'Old', is_primary: true });
    const next = await add({ name: 'Next' });
    const events = await eventsDuring(() => api.patch(`/contacts/${next.id}`, { is_primary: true }));
    expect([await isPrimary(old.id), await isPrimary(next.id)]).toEqual([false, true]);
    expect(events.map(({ type, data }) => [type, data.id])).toEqual([
      ['contact.updated', next.id],
      ['contact.updated', old.id],
    ]);
  });

  test('the primary one can step down, and stay primary without a word', async () => {
    const { api, add, isPrimary, eventsDuring } = await twoCompanies();
    const { id } = await add({ name: 'Only', is_primary: true });
    expect(await eventsDuring(() => api.patch(`/contacts/${id}`, { is_primary: true }))).toEqual([]);
    await api.patch(`/contacts/${id}`, { is_primary: false });
    expect(await isPrimary(id)).toBe(false);
  });

  test('companies do not touch each other', async () => {
    const { add, isPrimary, beta } = await twoCompanies();
    const one = await add({ name: 'One', is_primary: true });
    const other = await add({ name: 'Other', is_primary: true, company_id: beta.id });
    expect([await isPrimary(one.id), await isPrimary(other.id)]).toEqual([true, true]);
  });

  test('a primary contact that moves to another company is primary there (rule contacts 4)', async () => {
    const { api, add, isPrimary, beta, eventsDuring } = await twoCompanies();
    const mover = await add({ name: 'Mover', is_primary: true });
    const old = await add({ name: 'Old', is_primary: true, company_id: beta.id });
    const events = await eventsDuring(() => api.patch(`/contacts/${mover.id}`, { company_id: beta.id }));
    expect([await isPrimary(mover.id), await isPrimary(old.id)]).toEqual([true, false]);
    expect(events).toMatchObject([
      { data: { id: mover.id, company: { id: beta.id, name: 'Beta' } }, changed_fields: ['company'] },
      { data: { id: old.id }, changed_fields: ['is_primary'] },
    ]);
  });

  test('of eight made primary at once, created or updated, one is left', async () => {
    const { api, acme, add } = await twoCompanies();
    const four = await Promise.all(Array.from({ length: 4 }, (_, index) => add({ name: `Old ${index}` })));
    const answers = await Promise.all([
      ...four.map(({ id }) => api.patch(`/contacts/${id}`, { is_primary: true })),
      ...four.map((_, index) =>
        api.post('/contacts', { company_id: acme.id, name: `New ${index}`, is_primary: true }),
      ),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 201, 201, 201]);
    expect((await api.get('/contacts', { is_primary: true })).page.data).toHaveLength(1);
  });
});

describe('a company shows its contacts, and is not changed by them (rule companies 6)', () => {
  const past = '2026-01-01T00:00:00.000Z';

  test.each<[string, (at: Awaited<ReturnType<typeof twoCompanies>> & { eva: string }) => Promise<unknown>]>([
    ['a contact is added', ({ add }) => add({ name: 'New' })],
    ['a contact is changed', ({ api, eva }) => api.patch(`/contacts/${eva}`, { phone: '1' })],
    ['another contact becomes the primary one', ({ add }) => add({ name: 'Boss', is_primary: true })],
    ['a contact leaves', ({ api, eva, beta }) => api.patch(`/contacts/${eva}`, { company_id: beta.id })],
    [
      'a contact gets further addresses',
      ({ organization, eva }) =>
        inConsole(dealkeep.core, organization, 'contacts.addresses', {
          id: eva,
          further_emails: ['e@f.example'],
          further_phones: [],
        }),
    ],
    [
      'a lead brings a contact',
      ({ api, acme }) => api.post('/leads', { company_id: acme.id, contact: { name: 'Inline' } }),
    ],
    ['a contact is erased', ({ api, eva }) => api.post(`/contacts/${eva}/erase`, {})],
  ])('when %s: no event, the same row, another tag', async (_, change) => {
    const business = await twoCompanies();
    const { api, acme, organization, add, eventsDuring } = business;
    const { id: eva } = await add({ name: 'Eva', is_primary: true });
    await dealkeep.sql`
      update companies set updated_at = ${past} where organization_id = ${organization.id} and id = ${acme.id}`;
    const rows = () => dealkeep.sql`
      select xmin, ctid from companies where organization_id = ${organization.id} order by id`;
    const rowsBefore = await rows();
    const before = await api.get(`/companies/${acme.id}`);

    const events = await eventsDuring(() => change({ ...business, eva }));
    expect(events.map(({ type }) => type)).not.toContain('company.updated');
    expect(await rows()).toEqual(rowsBefore);
    const tag = before.headers.get('etag') ?? '';
    const known = { headers: { 'If-None-Match': tag } };
    const after = await api.send<{ updated_at: string }>('GET', `/companies/${acme.id}`, known);
    expect([after.status, after.data.updated_at]).toEqual([200, past]);
    expect([tag, after.headers.get('etag')]).not.toContain('');
    expect(after.headers.get('etag')).not.toBe(tag);
    const since = await api.get('/companies', { updated_since: '2026-01-02T00:00:00Z' });
    expect(since.page.data.map(({ id }) => id)).not.toContain(acme.id);
  });

  test('If-Match with the tag from before a change of a contact is refused (rules companies 6 and http 26)', async () => {
    const { api, acme, add } = await twoCompanies();
    const seen = (await api.get(`/companies/${acme.id}`)).headers.get('etag') ?? '';
    await add({ name: 'Eva' });
    const change = (tag: string) =>
      api.send('PATCH', `/companies/${acme.id}`, { json: { note: 'x' }, headers: { 'If-Match': tag } });
    expect((await change(seen)).outcome).toBe('412 PRECONDITION_FAILED');
    expect((await change((await api.get(`/companies/${acme.id}`)).headers.get('etag') ?? '')).status).toBe(
      200,
    );
  });

  test('its own changes move updated_at, each with company.updated', async () => {
    const { api, acme, eventsDuring } = await twoCompanies();
    const events = await eventsDuring(() => api.patch(`/companies/${acme.id}`, { note: 'x' }));
    const { data } = await api.get(`/companies/${acme.id}`);
    expect(events).toMatchObject([{ type: 'company.updated', data: { updated_at: data.updated_at } }]);
    expect(data.updated_at).not.toBe(acme.updated_at);
  });

  test('a contact does not wait for a change of its company', async () => {
    const { api, acme, beta, add, organization } = await twoCompanies();
    const eva = await add({ name: 'Eva', is_primary: true });
    await dealkeep.sql.begin(async (holding) => {
      await holding`
        select from companies where organization_id = ${organization.id} for no key update`;
      const boss = await add({ name: 'Boss', is_primary: true });
      expect((await api.get(`/contacts/${eva.id}`)).data.is_primary).toBe(false);
      await api.patch(`/contacts/${eva.id}`, { note: 'Left', is_primary: true, company_id: beta.id });
      const lead = await api.post('/leads', { company_id: acme.id, contact: { name: 'Inline' } });
      expect([boss.is_primary, lead.status]).toEqual([true, 201]);
    });
  });

  test('contacts that move to and fro at once wait for each other in no circle', async () => {
    const { api, acme, beta, add } = await twoCompanies();
    const people = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        add({ name: `P${index}`, company_id: index % 2 === 0 ? acme.id : beta.id, is_primary: true }),
      ),
    );
    const answers = await Promise.all(
      people.flatMap(({ id }, index) => [
        api.patch(`/contacts/${id}`, { company_id: index % 2 === 0 ? beta.id : acme.id }),
        api.patch(`/contacts/${id}`, { is_primary: true, note: 'n' }),
        api.post('/contacts', { company_id: acme.id, name: 'X', is_primary: true }),
      ]),
    );
    expect(answers.filter(({ status }) => status >= 400).map(({ outcome }) => outcome)).toEqual([]);
  });

  test('a contact that moves while it is changed has both changes', async () => {
    const { api, acme, beta, add, organization } = await twoCompanies();
    const { id } = await add({ name: 'Eva', company_id: beta.id });
    const { sql, core } = dealkeep;
    let changed: Promise<{ data: unknown }> | undefined;
    await sql.begin(async (moving) => {
      await moving`
        update contacts set company_id = ${acme.id} where organization_id = ${organization.id} and id = ${id}`;
      changed = api.patch(`/contacts/${id}`, { note: 'Moved', is_primary: true });
      // Not by the two connections of the test, of which the transaction has one.
      await eventually(async () => expect(await lockWaits(core.sql)).toBe(1));
    });
    expect((await changed)?.data).toMatchObject({
      note: 'Moved',
      company: { id: acme.id },
      is_primary: true,
    });
  });
});

describe('update', () => {
  test('changes what is sent and names it; null clears', async () => {
    const { api, add, eventsDuring } = await twoCompanies();
    const before = await add({
      name: 'Eva',
      email: 'e@acme.example',
      phone: '1',
      position: 'CEO',
      note: 'n',
    });
    const events = await eventsDuring(async () => {
      const { data } = await api.patch(`/contacts/${before.id}`, {
        name: ' Eva Nová ',
        email: null,
        phone: '2',
        position: null,
        note: null,
      });
      expect(data).toEqual({
        ...before,
        name: 'Eva Nová',
        email: null,
        emails: [],
        phone: '2',
        phones: ['2'],
        position: null,
        note: null,
        updated_at: data.updated_at,
      });
    });
    expect(events).toHaveLength(1);
    expect(events[0]?.changed_fields).toEqual([
      'name',
      'email',
      'emails',
      'phone',
      'phones',
      'position',
      'note',
    ]);
    expect(events[0]?.dataText).toBe(recordText((await api.get(`/contacts/${before.id}`)).text));
  });

  test('moves it to another company, and leads that name it stay as they are (rule contacts 7)', async () => {
    const { api, acme, beta, add } = await twoCompanies();
    const { id } = await add({ name: 'Eva' });
    const lead = (await api.post('/leads', { contact_id: id })).data;
    expect((await api.patch(`/contacts/${id}`, { company_id: beta.id })).data.company?.id).toBe(beta.id);
    expect((await api.get(`/leads/${lead.id}`)).data).toMatchObject({
      company: { id: acme.id },
      contact: { id },
    });
  });

  test('with nothing that changes says nothing', async () => {
    const { api, add, acme, eventsDuring } = await twoCompanies();
    const before = await add({ name: 'Eva', email: 'e@acme.example' });
    const events = await eventsDuring(async () => {
      const same = {
        name: ' Eva',
        email: 'e@acme.example ',
        company_id: acme.id,
        is_primary: false,
        note: null,
      };
      expect((await api.patch(`/contacts/${before.id}`, same)).data).toEqual(before);
      expect((await api.patch(`/contacts/${before.id}`, {})).data).toEqual(before);
    });
    expect(events).toEqual([]);
  });

  test('cannot clear the name, the company or the mark', async () => {
    const { api, add } = await twoCompanies();
    const { id } = await add({ name: 'Eva' });
    const refused = await api.patch(`/contacts/${id}`, { name: null, company_id: null, is_primary: null });
    expect(Object.keys(refused.fields)).toEqual(['company_id', 'name', 'is_primary']);
  });

  test('of what does not exist is 404', async () => {
    const { api } = await twoCompanies();
    for (const id of ['01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', 'x']) {
      expect((await api.get(`/contacts/${id}`)).outcome).toBe('404 NOT_FOUND');
      expect((await api.patch(`/contacts/${id}`, { name: 'x' })).outcome).toBe('404 NOT_FOUND');
    }
  });
});

test('further e-mails and phones stand behind the primary ones (rules contacts 2 and 3)', async () => {
  const { api, add } = await twoCompanies();
  const { id } = await add({ name: 'Eva', email: 'first@acme.example' });
  await dealkeep.sql`
    update contacts set further_emails = '{second@acme.example}', further_phones = '{2,3}' where id = ${id}`;
  expect((await api.get(`/contacts/${id}`)).data).toMatchObject({
    emails: ['first@acme.example', 'second@acme.example'],
    phone: null,
    phones: ['2', '3'],
  });
});
