import { connectedUser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { connectionTo, openedBy, runAction, type Values } from './engine.ts';
import { messageOf, newWorld } from './world.ts';

const dealkeep = await sharedDealkeep();

describe('values of an earlier step that cannot be meant', () => {
  test('an empty record tells which step to look at', async () => {
    const { auth } = await newWorld(dealkeep);
    for (const id of ['', null, undefined]) {
      expect(await messageOf(runAction('update_company', auth, { id, name: 'Tatra' }))).toBe(
        'Company: Nothing is chosen. Check that the earlier step which fills this field found a record.',
      );
    }
  });

  test('an object or several values for one field are told by its label', async () => {
    const { auth } = await newWorld(dealkeep);
    expect(await messageOf(runAction('create_lead', auth, { company_id: { id: 'x' } }))).toMatch(
      /: This is an object\. Map one of its fields instead\.$/,
    );
    expect(await messageOf(runAction('create_lead', auth, { owner_id: ['a', 'b'] }))).toBe(
      'Owner: These are 2 values where one is expected. Map one of them instead.',
    );
  });

  test('empty values of a search and of an update change nothing', async () => {
    const { api, auth } = await newWorld(dealkeep);
    const { id } = (await api.post('/companies', { name: 'Tatra', phone: '+421 905' })).data;
    const updated = await runAction('update_company', auth, { id, name: '', phone: null, tags: [] });
    expect(updated).toMatchObject({ name: 'Tatra', phone: '+421 905' });
    expect(await messageOf(runAction('find_company', auth, { name: '', email: null }))).toBe(
      'Fill in at least one field to search by.',
    );
  });

  test('a search by blanks finds no other records (rule connectors 20)', async () => {
    const { api, auth } = await newWorld(dealkeep);
    const { id } = (await api.post('/companies', { name: 'Tatra' })).data;
    expect(await messageOf(runAction('find_company', auth, { q: '  ' }))).toBe(
      'Fill in at least one field to search by.',
    );
    expect(
      await messageOf(runAction('find_contact', auth, { company_id: id, email: ' ', name: '' })),
    ).toMatch(/^Email: There is nothing to look for\. /);
    expect(await messageOf(runAction('search_everything', auth, { q: ' ' }))).toBe(
      'Fill in at least one field to search by.',
    );
  });

  test.each<[string, Values, string]>([
    ['create_lead', { value: '1,234' }, 'Value: "1,234" can be 1234 or 1.234.'],
    ['create_lead', { value: '0x10' }, 'Value: This must be a number.'],
    ['create_activity', { name: 'A', start_at: '14.8.2026 10:00' }, 'Start: "14.8.2026 10:00" is not'],
    ['create_activity', { name: 'A', start_at: '8.12.2026 10:00' }, 'Start: "8.12.2026 10:00" is not'],
    ['create_activity', { name: 'A', start_at: 'next Tuesday at 10' }, 'Start: "next Tuesday at 10" is not'],
  ])(
    '%s refuses what can mean two things or none: %j (rules connectors 15 and 17)',
    async (name, input, message) => {
      const { auth } = await newWorld(dealkeep);
      expect(await messageOf(runAction(name, auth, input))).toContain(message);
    },
  );

  test('a moment that is none never leaves the old one (rule connectors 17)', async () => {
    const { auth } = await newWorld(dealkeep);
    const start_at = '2026-08-14T10:00:00';
    const made = await runAction('create_activity', auth, { name: 'Call', start_at });
    expect(made).toMatchObject({ start_at: '2026-08-14T08:00:00.000Z' });
    const { id } = made;
    const moved = runAction('update_activity', auth, { id, start_at: 'next Tuesday at 10' });
    expect(await messageOf(moved)).toMatch(/^Start: /);
    const later = { start_at: '2026-12-08 10:00', end_at: '2026-12-08T11:00+01:00' };
    expect(await runAction('update_activity', auth, { id, ...later })).toMatchObject({
      start_at: '2026-12-08T09:00:00.000Z',
      end_at: '2026-12-08T10:00:00.000Z',
    });
    const due_date = '2026-03-01T00:00:00.000Z';
    const task = await runAction('create_task', auth, { title: 'Call', due_date });
    expect(task).toMatchObject({ due_date: '2026-03-01' });
  });

  test('columns that are joined by commas are a line each, or refused (rule connectors 16)', async () => {
    const { api, auth } = await newWorld(dealkeep);
    const company = (await api.post('/companies', { name: 'Tatra' })).data;
    const invoiceOf = (items: Values) =>
      runAction('create_invoice', auth, { company_id: company['id'], items: [items] });
    const joined = { items__name: 'City bike,Bell', items__quantity: '1,2', items__unit_price: '10,20' };
    expect(await invoiceOf(joined)).toMatchObject({
      subtotal: 50,
      items: [{ name: 'City bike' }, { name: 'Bell', quantity: 2, unit_price: 20 }],
    });
    expect(await messageOf(invoiceOf({ ...joined, items__quantity: '1,2,3' }))).toContain(
      'Item Name holds 2, Unit Price holds 2, Quantity holds 3.',
    );
    const one = { items__name: 'City bike', items__quantity: '2', items__unit_price: '450,20' };
    expect(await invoiceOf(one)).toMatchObject({ items: [{ unit_price: 450.2 }], subtotal: 900.4 });
  });

  test('a tag that holds a comma is chosen whole, and written ones are parted (rule connectors 18)', async () => {
    const { organization, auth } = await newWorld(dealkeep);
    await inConsole(dealkeep.core, organization, 'tags.add', { name: 'Bolts, nuts' });
    const make = async (tags: unknown) =>
      new Set(Object(await runAction('create_company', auth, { name: 'Tatra', tags })).tags);
    expect(await make(['Bolts, nuts'])).toEqual(new Set(['Bolts, nuts']));
    expect(await make('Bolts, nuts')).toEqual(new Set(['Bolts, nuts']));
    expect(await make('Spring, Fair')).toEqual(new Set(['Spring', 'Fair']));
    expect(await make(['Autumn, Fair', 'VIP'])).toEqual(new Set(['Autumn, Fair', 'VIP']));
  });

  test('0 and 1 are no and yes, and what is left empty changes nothing (rule connectors 20)', async () => {
    const { api, auth } = await newWorld(dealkeep);
    const company_id = (await api.post('/companies', { name: 'Tatra' })).data['id'];
    const made = await runAction('create_contact', auth, { company_id, name: 'Eva', is_primary: 1 });
    expect(made).toMatchObject({ is_primary: true });
    const { id } = made;
    const empty = { position: undefined, email: null, phone: '' };
    expect(await runAction('update_contact', auth, { id, ...empty, is_primary: 0 })).toMatchObject({
      name: 'Eva',
      is_primary: false,
    });
  });

  test('a record that was deleted or never was', async () => {
    const { auth } = await newWorld(dealkeep);
    const id = '01985f6e-0000-7000-8000-000000000000';
    expect(await messageOf(runAction('update_company', auth, { id, name: 'Tatra' }))).toMatch(
      /^Company: .* It may have been deleted: choose another one\.$/,
    );
    expect(await messageOf(runAction('get_company', auth, { id }))).toMatch(/^Company: /);
    expect(await messageOf(runAction('get_company', auth, { id: 'Tatra' }))).toMatch(/^Company: /);
  });
});

test('a custom field that was removed is told, and a renamed one keeps its value', async () => {
  const { organization, api, auth } = await newWorld(dealkeep);
  const add = (name: string) =>
    inConsole(dealkeep.core, organization, 'custom-fields.add', { name, type: 'text', required: false });
  await add('Segment');
  await add('Motto');
  const { id } = (await api.post('/companies', { name: 'Tatra' })).data;
  const opened = await openedBy('update_company', 'custom_fields', auth);
  const [motto = '', segment = ''] = Object.keys(opened);
  const fill = (key: string) => runAction('update_company', auth, { id, custom_fields: { [key]: 'x' } });

  const fields = [(await api.get('/custom-fields')).data].flat().map((each) => Object(each));
  const idOf = (name: string) => fields.find((each) => each.name === name).id;
  await inConsole(dealkeep.core, organization, 'custom-fields.edit', {
    id: idOf('Segment'),
    name: 'Market',
    type: 'text',
    required: false,
  });
  expect(await fill(segment)).toMatchObject({ custom_fields: { Market: 'x' } });
  await inConsole(dealkeep.core, organization, 'custom-fields.remove', { id: idOf('Motto') });
  expect(await messageOf(fill(motto))).toMatch(/^Custom Fields: A field that this step fills in was removed/);
});

test('a connection whose role loses a permission is told which one it needs', async () => {
  const { organization } = await newWorld(dealkeep);
  const user = await connectedUser(
    dealkeep,
    organization,
    'companies.view=all,companies.create=all,companies.edit=all',
    ['companies:read', 'companies:write'],
  );
  const auth = connectionTo(dealkeep.baseUrl, user.token);
  expect(await runAction('create_company', auth, { name: 'Tatra' })).toMatchObject({ name: 'Tatra' });
  await user.permit({ 'companies.view': 'all', 'companies.edit': 'all' });
  expect(await messageOf(runAction('create_company', auth, { name: 'Tatra' }))).toBe(
    'Your role in the organization lacks the permission companies.create. Ask an owner to add it to the role.',
  );
});
