import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { unique, type World } from './world.ts';

/** Zapier hands the search and the action one input: what is filled in for the new record as well. */
export function findOrCreatePromises(world: World): void {
  test('finds a company by its registration id although the e-mail for a new one is another', async () => {
    const registrationId = randomUUID().slice(0, 12);
    const input = {
      search_registration_id: registrationId,
      registration_id: registrationId,
      name: unique('Tatra'),
      email: `${randomUUID()}@one.example`,
    };
    const made = await world.findOrCreate('find_company', input);
    expect(made).toMatchObject({ name: input.name, registration_id: registrationId, email: input.email });
    const again = { ...input, name: unique('Renamed'), email: `${randomUUID()}@other.example` };
    expect(await world.findOrCreate('find_company', again)).toEqual(made);
    expect(await world.ask('GET', `/companies?registration_id=${registrationId}`)).toHaveLength(1);
  });

  test('finds a contact by e-mail although the company and phone for a new one are others', async () => {
    const [one, other] = [unique('One'), unique('Other')];
    const companyId = async (name: string) => (await world.act('create_company', { name }))['id'];
    const email = `${randomUUID()}@pair.example`;
    const input = { search_email: email, email, name: 'Eva', phone: '1', company_id: await companyId(one) };
    const made = await world.findOrCreate('find_contact', input);
    const again = { ...input, name: 'Eva Malá', phone: '2', company_id: await companyId(other) };
    expect(await world.findOrCreate('find_contact', again)).toEqual(made);
  });

  test('finds a lead although the stage, the value and the owner for a new one are others', async () => {
    const name = unique('Fleet');
    const input = { search_name: name, name, pipeline_id: world.pipeline.id, value: '100' };
    const made = await world.findOrCreate('find_lead', { ...input, stage_id: world.stage('open').id });
    expect(made).toMatchObject({ name, value: 100, stage: { id: world.stage('open').id } });
    const again = { ...input, value: '7', stage_id: world.stage('open', 1).id };
    expect(await world.findOrCreate('find_lead', again)).toMatchObject({ id: made['id'], value: 100 });
  });

  test('finds a client by its company although the reference for a new one is another', async () => {
    const { id: companyId } = await world.act('create_company', { name: unique('Orava') });
    const input = { search_company_id: companyId, company_id: companyId, reference_code: unique('R') };
    const made = await world.findOrCreate('find_client', input);
    const again = await world.findOrCreate('find_client', { ...input, reference_code: unique('S') });
    expect(again).toEqual(made);
  });

  test('creates what an ID that is gone does not find', async () => {
    const name = unique('Anew');
    const made = await world.findOrCreate('find_company', { search_id: randomUUID(), name });
    expect(made).toMatchObject({ name });
  });

  test('the dropdown of its search follows what the search is narrowed by, not what the new record is', async () => {
    const [one, other] = await Promise.all(
      ['One', 'Other'].map((name) => world.act('create_company', { name: unique(name) })),
    );
    const contactOf = (company: unknown) =>
      world.act('create_contact', { company_id: Object(company).id, name: unique('Eva') });
    const [searched, created] = [await contactOf(one), await contactOf(other)];
    const input = { search_company_id: one?.['id'], company_id: other?.['id'] };
    const offeredBy = async (key: string) =>
      (await world.list(`triggers.${key}`, input, { page: 0 })).map(({ id }) => id);
    expect(await offeredBy('list_contacts_for_search')).toEqual([searched['id']]);
    expect(await offeredBy('list_contacts')).toEqual([created['id']]);
  });
}
