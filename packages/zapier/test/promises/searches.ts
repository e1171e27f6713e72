import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { unique, type World } from './world.ts';

export function searchPromises(world: World): void {
  const find = (what: string, input: Record<string, unknown>) => world.list(`searches.find_${what}`, input);
  const idsOf = (found: readonly Record<string, unknown>[]) => found.map(({ id }) => id);

  test('finds a record in the form of a trigger, and nothing as an empty list', async () => {
    const name = unique('Search');
    const made = await world.act('create_company', { name, registration_id: '12345678' });
    const [found] = await find('company', { search_q: name.toUpperCase() });
    expect(found).toEqual(made);
    expect(await find('company', { search_q: unique('Nobody') })).toEqual([]);
  });

  test('gives all matches: what is called so first, then what begins so, then the rest, the newest first', async () => {
    const name = unique('Best');
    const make = async (each: string) => (await world.act('create_company', { name: each }))['id'];
    const exact = await make(name);
    const inside = await make(`Old ${name}`);
    const insideToo = await make(`New ${name}`);
    const begins = await make(`${name} Holding`);
    expect(idsOf(await find('company', { search_q: name }))).toEqual([exact, begins, insideToo, inside]);
  });

  test('by a name finds what is called exactly that, and never what has it in another field', async () => {
    const name = unique('Exact');
    const exact = await world.act('create_company', { name });
    await world.act('create_company', { name: `${name} Holding` });
    await world.act('create_company', { name: unique('Other'), note: name });
    expect(idsOf(await find('company', { search_name: ` ${name.toUpperCase()} ` }))).toEqual([exact['id']]);
    expect(await find('company', { search_name: name.slice(0, -1) })).toEqual([]);

    const registrationId = randomUUID().slice(0, 12);
    await world.act('create_company', { name: unique('Numbered'), registration_id: registrationId });
    expect(await find('company', { search_q: registrationId })).toHaveLength(1);
    expect(await find('company', { search_name: registrationId })).toEqual([]);

    const holder = await world.act('create_contact', {
      company_id: exact['id'],
      name: unique('Eva'),
      email: `${randomUUID()}@exact.example`,
    });
    expect(await find('contact', { search_name: holder['email'] })).toEqual([]);
    expect(idsOf(await find('contact', { search_email: holder['email'] }))).toEqual([holder['id']]);
    // Both have to hold where both are filled in.
    expect(await find('contact', { search_name: holder['name'], search_q: holder['email'] })).toHaveLength(1);
    expect(await find('contact', { search_name: holder['name'], search_q: unique('x') })).toEqual([]);
  });

  test('by an ID finds the record, whatever else is filled in, and nothing when it is gone', async () => {
    const company = await world.act('create_company', { name: unique('Known') });
    const other = await world.act('create_company', { name: unique('Other') });
    const both = { search_id: company['id'], search_name: other['name'], search_email: 'not looked at' };
    expect(await find('company', { search_id: company['id'] })).toEqual([company]);
    expect(await find('company', both)).toEqual([company]);
    for (const gone of [randomUUID(), 'no id at all', '../me', '%00']) {
      expect(await find('company', { ...both, search_id: gone })).toEqual([]);
    }
    const order = await world.act('create_order', {
      items: [{ items__sku: 'SERVICE', items__quantity: 1, items__unit_price: 10 }],
    });
    expect(await find('order', { search_id: order['id'] })).toEqual([order]);
    const [user] = await world.ask<{ id: string }[]>('GET', '/users');
    expect(idsOf(await find('user', { search_id: user?.id }))).toEqual([user?.id]);
    expect(await find('user', { search_id: randomUUID() })).toEqual([]);
  });

  test('finds contacts by e-mail, leads by company and users by name', async () => {
    const email = `${randomUUID().slice(0, 8)}@search.example`;
    const lead = await world.act('create_lead', {
      company__name: unique('By'),
      contact__name: 'Eva',
      contact__email: email,
    });
    expect(await find('contact', { search_email: email })).toMatchObject([{ email }]);
    const companyId = Object(lead['company']).id;
    expect(await find('lead', { search_company_id: companyId })).toMatchObject([{ id: lead['id'] }]);
    const [user] = await world.ask<{ id: string; name: string; email: string }[]>('GET', '/users');
    expect(await find('user', { search_email: user?.email })).toMatchObject([{ id: user?.id }]);
    expect(await find('user', { search_name: user?.name })).toMatchObject([{ id: user?.id }]);
  });

  test('leaves a lead that was archived out unless it is asked for', async () => {
    const name = unique('Put away');
    const [kept, archived] = [await world.newLead({ name }), await world.newLead({ name })];
    await world.act('archive_lead', { id: archived['id'] });
    const [one, other] = [kept['id'], archived['id']];
    expect(idsOf(await find('lead', { search_name: name }))).toEqual([one]);
    expect(idsOf(await find('lead', { search_q: name, search_archived: 'false' }))).toEqual([one]);
    expect(idsOf(await find('lead', { search_name: name, search_archived: 'true' }))).toEqual([other]);
    expect(idsOf(await find('lead', { search_name: name, search_archived: 'any' }))).toEqual([other, one]);
    expect(idsOf(await find('lead', { search_id: other }))).toEqual([other]);
    const wrong = find('lead', { search_name: name, search_archived: 'perhaps' });
    await expect(wrong).rejects.toThrow('Archived: ');
  });

  test('without anything to search by says so', async () => {
    await expect(world.perform('searches.find_lead', { search_q: '' })).rejects.toThrow('at least one field');
    const onlyTheDefault = world.perform('searches.find_lead', { search_archived: 'false' });
    await expect(onlyTheDefault).rejects.toThrow('at least one field');
  });
}
