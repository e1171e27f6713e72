import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addCustomField, addTag, addUser } from './console-edits.ts';

const dealkeep = await sharedDealkeep();

const full = {
  name: 'Tatra Bikes s.r.o.',
  street: 'Štúrova 12',
  city: 'Košice',
  postal_code: '040 01',
  country_code: 'CZ',
  email: 'info@tatrabikes.example',
  phone: '+421 55 123 45 67',
  registration_id: '36123456',
  tax_id: '2020123456',
  vat_id: 'SK2020123456',
  note: 'Prefers calls\nin the morning.',
};

describe('create', () => {
  test('with every field (rules companies 1 and 2)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const company = await api.post('/companies', { ...full, owner_id: organization.ownerId });
    expect(company.status).toBe(201);
    const { street, city, postal_code, ...flat } = full;
    expect(company.data).toEqual({
      id: expect.any(String),
      ...flat,
      address: { street, city, postal_code },
      owner: { id: organization.ownerId, name: 'Jana Horváthová' },
      tags: [],
      custom_fields: {},
      contacts: [],
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: company.data.created_at,
      app_url: `http://localhost:3000/companies/${company.data.id}`,
    });
    expect((await api.get(`/companies/${company.data.id}`)).text).toBe(company.text);
  });

  test('with a name alone: the country is the organization’s, all else is null (rules companies 1 and 3)', async () => {
    const { api } = await openBusiness(dealkeep);
    const { data } = await api.post('/companies', { name: ' Acme\u00a0' });
    expect(data).toMatchObject({
      name: 'Acme',
      address: { street: null, city: null, postal_code: null },
      country_code: 'SK',
      email: null,
      phone: null,
      registration_id: null,
      tax_id: null,
      vat_id: null,
      note: null,
      owner: null,
    });
  });

  test('null equals absent', async () => {
    const { api } = await openBusiness(dealkeep);
    const nothing = Object.fromEntries(Object.keys(full).map((field) => [field, null]));
    const { data } = await api.post('/companies', { ...nothing, owner_id: null, name: 'Acme' });
    expect(data).toMatchObject({ name: 'Acme', country_code: 'SK', email: null });
  });

  test('says so once, as GET answers', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const company = await api.post('/companies', full);
    const events = await dealkeep.eventsOf(organization);
    expect(events.map(({ type }) => type)).toEqual(['company.created']);
    expect(events[0]?.dataText).toBe(recordText(company.text));
  });

  test('keeps strings as sent, but trims names and e-mails (rule bodies 12)', async () => {
    const { api } = await openBusiness(dealkeep);
    const { data } = await api.post('/companies', {
      name: ' Acme ',
      email: ' Info@Acme.example ',
      phone: ' 1 ',
      note: '  \n',
      city: '',
      street: '\u{1F6B2} <b>&amp;</b> \'";--',
    });
    expect(data).toMatchObject({ name: 'Acme', email: 'Info@Acme.example', phone: ' 1 ', note: '  \n' });
    expect(data.address).toEqual({ street: '\u{1F6B2} <b>&amp;</b> \'";--', city: '', postal_code: null });
  });

  test.each(['R&D@firma.sk', "o'brien+x/y=z@a-b.co.uk", 'a.b.c@x.museum', '!#$%&*{}|~^`@x1.sk', '1@2.sk'])(
    'takes the address %s',
    async (email) => {
      const { api } = await openBusiness(dealkeep);
      expect((await api.post('/companies', { name: 'Acme', email })).data.email).toBe(email);
      expect((await api.get('/companies', { email: email.toUpperCase() })).page.data).toHaveLength(1);
    },
  );

  test('matches nothing: two of the same name are two (rule companies 5)', async () => {
    const { api } = await openBusiness(dealkeep);
    await Promise.all([api.post('/companies', full), api.post('/companies', full)]);
    expect((await api.get('/companies')).page.data).toHaveLength(2);
  });
});

describe('read', () => {
  test('tags and custom fields by their names; contacts in the detail alone (rules companies 4 and 7)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { id } = (await api.post('/companies', { name: 'Acme' })).data;
    const first = (await api.post('/contacts', { company_id: id, name: 'First' })).data;
    const second = (await api.post('/contacts', { company_id: id, name: 'Second', is_primary: true })).data;
    await addTag({ dealkeep, organization }, 'VIP', { table: 'companies', ids: [id] });
    await addTag({ dealkeep, organization }, 'Čerešňa', { table: 'companies', ids: [id] });
    await addCustomField({ dealkeep, organization }, 'Segment', { [id]: 'Retail' });
    await addCustomField({ dealkeep, organization }, 'Unset');
    const { data } = await api.get(`/companies/${id}`);
    expect(data).toMatchObject({ tags: ['VIP', 'Čerešňa'], custom_fields: { Segment: 'Retail' } });
    expect(data.contacts).toEqual([first, second]);
    const { contacts: _, ...item } = data;
    expect((await api.get('/companies')).page.data).toEqual([item]);
  });

  test('what does not exist is 404', async () => {
    const { api } = await openBusiness(dealkeep);
    for (const id of ['01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', '0', 'null', '..%2f..']) {
      expect((await api.get(`/companies/${id}`)).outcome).toBe('404 NOT_FOUND');
      expect((await api.patch(`/companies/${id}`, { name: 'x' })).outcome).toBe('404 NOT_FOUND');
    }
  });
});

describe('update', () => {
  test('changes what is sent and names it', async () => {
    const { api, eventsDuring } = await openBusiness(dealkeep);
    const before = (await api.post('/companies', full)).data;
    const events = await eventsDuring(async () => {
      const { data } = await api.patch(`/companies/${before.id}`, {
        city: 'Prešov',
        phone: null,
        name: ' New ',
      });
      expect(data).toEqual({
        ...before,
        name: 'New',
        phone: null,
        address: { ...before.address, city: 'Prešov' },
        updated_at: data.updated_at,
      });
      expect(data.updated_at).not.toBe(before.updated_at);
    });
    expect(events).toMatchObject([{ type: 'company.updated', changed_fields: ['name', 'address', 'phone'] }]);
    expect(events[0]?.dataText).toBe(recordText((await api.get(`/companies/${before.id}`)).text));
  });

  test('carries its contacts in the event', async () => {
    const { api, eventsDuring } = await openBusiness(dealkeep);
    const { id } = (await api.post('/companies', { name: 'Acme' })).data;
    const contact = (await api.post('/contacts', { company_id: id, name: 'Eva' })).data;
    const events = await eventsDuring(() => api.patch(`/companies/${id}`, { name: 'New' }));
    // The contact shows the name of its company, so it differs, too.
    expect(events).toMatchObject([
      {
        type: 'company.updated',
        changed_fields: ['name', 'contacts'],
        data: { contacts: [{ id: contact.id, company: { id, name: 'New' } }] },
      },
    ]);
  });

  test('null clears every field but the name (rule bodies 5)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const before = (await api.post('/companies', { ...full, owner_id: organization.ownerId })).data;
    const { name: _, ...optional } = full;
    const nothing = Object.fromEntries(Object.keys(optional).map((field) => [field, null]));
    const { data } = await api.patch(`/companies/${before.id}`, { ...nothing, owner_id: null });
    expect(data).toEqual({
      ...before,
      address: { street: null, city: null, postal_code: null },
      country_code: null,
      email: null,
      phone: null,
      registration_id: null,
      tax_id: null,
      vat_id: null,
      note: null,
      owner: null,
      updated_at: data.updated_at,
    });
    expect(Object.keys((await api.patch(`/companies/${before.id}`, { name: null })).fields)).toEqual([
      'name',
    ]);
    expect((await api.patch(`/companies/${before.id}`, { name: ' ' })).fields).toEqual({ name: 'empty' });
  });

  test.each([
    ['{}', {}],
    ['the same values', { ...full, name: ' Tatra Bikes s.r.o. ' }],
    ['no body', undefined],
  ])('with %s changes nothing and says nothing (rule events 5)', async (_, body) => {
    const { api, eventsDuring } = await openBusiness(dealkeep);
    const before = (await api.post('/companies', full)).data;
    const events = await eventsDuring(async () => {
      const answer = await api.send(
        'PATCH',
        `/companies/${before.id}`,
        body === undefined ? {} : { json: body },
      );
      expect(answer.outcome).toBe('200');
      expect(answer.data).toEqual(before);
    });
    expect(events).toEqual([]);
  });

  test('an e-mail that differs in case alone is a change', async () => {
    const { api } = await openBusiness(dealkeep);
    const { id } = (await api.post('/companies', full)).data;
    const { data } = await api.patch(`/companies/${id}`, { email: 'INFO@tatrabikes.example' });
    expect(data.email).toBe('INFO@tatrabikes.example');
  });

  test('eight at once all arrive', async () => {
    const { api, eventsDuring } = await openBusiness(dealkeep);
    const { id } = (await api.post('/companies', full)).data;
    const fields = ['name', 'city', 'street', 'phone', 'note', 'tax_id', 'vat_id', 'registration_id'];
    const events = await eventsDuring(() =>
      Promise.all(fields.map((field) => api.patch(`/companies/${id}`, { [field]: 'new' }))),
    );
    expect(events).toHaveLength(8);
    const { data } = await api.get(`/companies/${id}`);
    expect(data).toMatchObject({ name: 'new', phone: 'new', note: 'new', tax_id: 'new', vat_id: 'new' });
    expect(data.address).toMatchObject({ city: 'new', street: 'new' });
  });

  test('an owner can be set who is no longer active, and is still shown', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const former = await addUser({ dealkeep, organization }, 'Former Colleague', { active: false });
    const { id } = (await api.post('/companies', { name: 'Acme' })).data;
    expect((await api.patch(`/companies/${id}`, { owner_id: former })).data.owner?.name).toBe(
      'Former Colleague',
    );
  });
});
