import { connectedUser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { connectionTo, openedBy, runAction } from './engine.ts';
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
