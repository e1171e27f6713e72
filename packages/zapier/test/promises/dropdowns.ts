import { expect, test } from 'vitest';
import { unique, type World } from './world.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
}

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

  test('of stages of a task follows the project', async () => {
    const project = Object(await world.some('/projects'));
    const chosen = await world.list('triggers.list_project_stages', { project_id: project.id }, { page: 0 });
    expect(chosen).toEqual(project.stages.map(({ id, name }: Choice) => ({ id, name })));
  });

  test('of tasks and bookings names them by what people know them by', async () => {
    const task = await world.ask('POST', '/tasks', { title: unique('Call') });
    const tasks = await world.list('triggers.list_tasks', {}, { page: 0 });
    expect(tasks).toContainEqual({ id: task['id'], name: task['title'] });
    const service = await world.some('/booking-services');
    const booking = await world.ask('POST', '/bookings', {
      service_id: service['id'],
      starts_at: '2027-02-01T08:00:00Z',
      customer: { name: 'Eva Malá' },
    });
    expect(await world.list('triggers.list_bookings', {}, { page: 0 })).toContainEqual({
      id: booking['id'],
      name: 'Eva Malá (2027-02-01 08:00 UTC)',
    });
  });

  test('of a list that people keep is in the order of names, of records the newest stands first', async () => {
    const origins = await world.ask<Choice[]>('GET', '/lead-origins?sort=name');
    expect(origins.length).toBeGreaterThan(1);
    const offered = await world.list('triggers.list_lead_origins', {}, { page: 0 });
    expect(offered.map(({ id }) => id)).toEqual(origins.map(({ id }) => id));
    const lead = await world.newLead();
    const [newest] = await world.list('triggers.list_leads', {}, { page: 0 });
    expect(newest).toMatchObject({ id: lead['id'] });
  });

  test.each([
    'list_users',
    'list_pipelines',
    'list_lead_origins',
    'list_lost_reasons',
    'list_leads',
    'list_clients',
    'list_activities',
    'list_activity_types',
    'list_projects',
    'list_booking_services',
    'list_booking_staff',
  ])('%s answers choices with an id and a name, and ends after its last page', async (key) => {
    for (const choice of await world.list(`triggers.${key}`, {}, { page: 0 })) {
      expect(choice).toEqual({ id: expect.any(String), name: expect.stringMatching(/./) });
    }
    expect(await world.list(`triggers.${key}`, {}, { page: 1 })).toEqual([]);
  });
}
