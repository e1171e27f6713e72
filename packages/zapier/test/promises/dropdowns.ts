import { expect, test } from 'vitest';
import { unique, type World } from './world.ts';

export function dropdownPromises(world: World): void {
  test('offers records by name', async () => {
    const name = unique('Dropdown');
    const company = await world.ask('POST', '/companies', { name });
    const choices = await world.list('triggers.list_companies', {}, { page: 0 });
    expect(choices).toContainEqual({ id: company['id'], name });
  });

  test('of stages follows the pipeline', async () => {
    const chosen = await world.list('triggers.list_stages', { pipeline_id: world.pipeline.id }, { page: 0 });
    expect(chosen).toEqual(world.pipeline.stages.map(({ id, name }) => ({ id, name })));
    const all = await world.list('triggers.list_stages', {}, { page: 0 });
    const { id, name } = world.stage('won');
    expect(all).toContainEqual({ id, name: `${world.pipeline.name}: ${name}` });
  });

  test('of contacts follows the company', async () => {
    const [one, other] = await Promise.all(
      ['One', 'Other'].map((name) => world.ask('POST', '/companies', { name: unique(name) })),
    );
    const contact = await world.ask('POST', '/contacts', { company_id: one?.['id'], name: 'Ján Kováč' });
    const chosen = await world.list('triggers.list_contacts', { company_id: one?.['id'] }, { page: 0 });
    expect(chosen).toEqual([{ id: contact['id'], name: `Ján Kováč (${one?.['name']})` }]);
    expect(await world.list('triggers.list_contacts', { company_id: other?.['id'] }, { page: 0 })).toEqual(
      [],
    );
  });

  test.each(['list_users', 'list_pipelines', 'list_lead_origins', 'list_lost_reasons', 'list_leads'])(
    '%s answers choices with an id and a name, and ends after its last page',
    async (key) => {
      for (const choice of await world.list(`triggers.${key}`, {}, { page: 0 })) {
        expect(choice).toEqual({ id: expect.any(String), name: expect.stringMatching(/./) });
      }
      expect(await world.list(`triggers.${key}`, {}, { page: 1 })).toEqual([]);
    },
  );
}
