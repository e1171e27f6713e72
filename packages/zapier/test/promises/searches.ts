import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { unique, type World } from './world.ts';

export function searchPromises(world: World): void {
  test('finds a record in the form of a trigger, and nothing as an empty list', async () => {
    const name = unique('Search');
    const made = await world.act('create_company', { name, registration_id: '12345678' });
    const [found] = await world.list('searches.find_company', { q: name.toUpperCase() });
    expect(found).toEqual(made);
    expect(await world.list('searches.find_company', { q: unique('Nobody') })).toEqual([]);
  });

  test('prefers the record that is what was searched for, and can insist on it', async () => {
    const name = unique('Exact');
    const exact = await world.act('create_company', { name });
    await world.act('create_company', { name: `${name} Holding` });
    expect(await world.list('searches.find_company', { q: name })).toMatchObject([{ id: exact['id'] }]);
    const part = name.slice(0, -1);
    expect(await world.list('searches.find_company', { q: part })).toHaveLength(1);
    expect(await world.list('searches.find_company', { q: part, match: 'exact' })).toEqual([]);
  });

  test('finds contacts by e-mail, leads by company and users by name', async () => {
    const email = `${randomUUID().slice(0, 8)}@search.example`;
    const lead = await world.act('create_lead', {
      company__name: unique('By'),
      contact__name: 'Eva',
      contact__email: email,
    });
    expect(await world.list('searches.find_contact', { email })).toMatchObject([{ email }]);
    const companyId = Object(lead['company']).id;
    expect(await world.list('searches.find_lead', { company_id: companyId })).toMatchObject([
      { id: lead['id'] },
    ]);
    const [user] = await world.ask<{ id: string; email: string }[]>('GET', '/users');
    expect(await world.list('searches.find_user', { email: user?.email })).toMatchObject([{ id: user?.id }]);
  });

  test('without anything to search by says so', async () => {
    await expect(world.perform('searches.find_lead', { q: '' })).rejects.toThrow('at least one field');
  });

  test('that finds nothing is followed by the action that it is paired with', async () => {
    const definition = Object(await world.platform.definition());
    const { search, create } = definition.searchOrCreates.find_company;
    const name = unique('Pair');
    expect(await world.list(`searches.${search}`, { q: name })).toEqual([]);
    const made = await world.act(create, { name });
    expect(await world.list(`searches.${search}`, { q: name })).toEqual([made]);
  });
}
