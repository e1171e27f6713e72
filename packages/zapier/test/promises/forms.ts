import { expect, test } from 'vitest';
import { unique, type World } from './world.ts';

/** What the forms of the second edition can, also in the built package: input as Zapier hands it over, in one. */
export function formPromises(world: World): void {
  test('gives a lead the company that was chosen, whatever is left in the boxes of the other way', async () => {
    const company = await world.act('create_company', {
      name: unique('Chosen'),
      tags: ['VIP', unique('New')],
    });
    expect(company['tags']).toHaveLength(2);
    const lead = await world.act('create_lead', {
      company_choice: 'existing',
      company_id: company['id'],
      company__name: unique('Left over'),
      tags: 'VIP',
    });
    expect(lead).toMatchObject({ company: { id: company['id'] }, tags: ['VIP'] });
  });

  test('writes a custom field of the organization by its label, and finds the company by it', async () => {
    const [field] = await world.list('searches.find_custom_field', { search_name: 'Employees' });
    const [employees, key] = [String(Math.floor(Math.random() * 1e9)), String(field?.['id'])];
    const company = await world.act('create_company', {
      name: unique('Counted'),
      [`custom_fields__${key}`]: employees,
    });
    expect(company).toMatchObject({ custom_fields: { Employees: employees } });
    const found = await world.list('searches.find_company', { [`search_custom_field__${key}`]: employees });
    expect(found).toMatchObject([{ id: company['id'] }]);
  });

  test('creates or updates, and of two runs at once one does not make a second', async () => {
    const input = { match_by: 'name', name: unique('Once') };
    const done = await Promise.all([1, 2].map(() => world.act('create_or_update_company', input)));
    expect(new Set(done.map(({ id }) => id)).size).toBe(1);
    expect(done.map(({ upserted }) => upserted).toSorted()).toEqual(['created', 'unchanged']);
  });

  test('finds the stage that a lead goes to by its name, in the pipeline of the lead', async () => {
    const { id } = await world.newLead({ pipeline_id: world.pipeline.id });
    const [stage] = await world.list('searches.find_stage', {
      search_name: world.stage('won').name,
      search_pipeline_id: world.pipeline.id,
    });
    expect(await world.act('move_lead', { id, stage_id: stage?.['id'] })).toMatchObject({ status: 'won' });
  });

  test('searches everything', async () => {
    const name = unique('Everything');
    const { id } = await world.act('create_company', { name });
    expect(await world.list('searches.search_everything', { search_q: name })).toMatchObject([
      { type: 'company', id, title: name },
    ]);
  });
}
