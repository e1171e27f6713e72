import { expect, test } from 'vitest';
import { keysOf } from '../platform/keys-of.ts';
import type { Output } from '../platform/zap.ts';
import { unique, type World } from './world.ts';

export function outputPromises(world: World): void {
  const triggers: Record<string, () => Promise<unknown>> = {
    lead_created: () => world.newLead(),
    lead_updated: async () =>
      world.ask('PATCH', `/leads/${(await world.newLead())['id']}`, { note: 'Changed' }),
    lead_stage_changed: async () => moved(await world.newLead(), world.stage('open', 1).id),
    lead_won: async () => moved(await world.newLead(), world.stage('won').id),
    lead_lost: async () => moved(await world.newLead(), world.stage('lost').id),
    lead_archived: async () => world.ask('POST', `/leads/${(await world.newLead())['id']}/archive`, {}),
    company_created: () => world.ask('POST', '/companies', { name: unique('New') }),
    company_updated: async () => world.ask('PATCH', `/companies/${(await company())['id']}`, { note: 'x' }),
    contact_created: async () =>
      world.ask('POST', '/contacts', { company_id: (await company())['id'], name: 'Eva' }),
    contact_updated: async () => {
      const contact = await world.ask('POST', '/contacts', {
        company_id: (await company())['id'],
        name: 'Eva',
      });
      return world.ask('PATCH', `/contacts/${contact['id']}`, { position: 'Buyer' });
    },
    client_created: () => client(),
    client_updated: async () => world.ask('PATCH', `/clients/${(await client())['id']}`, { note: 'x' }),
    activity_created: () => activity(),
    activity_completed: async () => world.ask('POST', `/activities/${(await activity())['id']}/complete`),
    task_created: () => world.ask('POST', '/tasks', { title: 'Call' }),
    task_moved: async () => {
      const project = Object(await world.some('/projects'));
      const task = await world.ask('POST', '/tasks', { title: 'Call', project_id: project.id });
      return world.ask('PATCH', `/tasks/${task['id']}`, { stage_id: project.stages[1].id });
    },
    task_completed: async () => {
      const task = await world.ask('POST', '/tasks', { title: 'Call' });
      return world.ask('PATCH', `/tasks/${task['id']}`, { completed: true });
    },
    invoice_created: () =>
      world.ask('POST', '/invoices', { items: [{ name: 'City bike', unit_price: 450 }] }),
    booking_created: () => booking(),
    booking_cancelled: async () => world.ask('POST', `/bookings/${(await booking())['id']}/cancel`),
    order_created: () => order(),
    order_status_changed: () => order({ auto_confirm: true }),
  };
  const company = () => world.ask('POST', '/companies', { name: unique('Company') });
  const client = async () => world.ask('POST', '/clients', { company_id: (await company())['id'] });
  const activity = () =>
    world.ask('POST', '/activities', { name: 'Meeting', start_at: '2027-01-11T08:00:00Z' });
  const booking = async () =>
    world.ask('POST', '/bookings', {
      service_id: (await world.some('/booking-services'))['id'],
      starts_at: '2027-01-11T08:00:00Z',
      customer: { name: 'Eva' },
    });
  const order = (more: Record<string, unknown> = {}) =>
    world.ask('POST', '/orders', {
      customer: {},
      items: [{ sku: 'X', quantity: 1, unit_price: 5 }],
      ...more,
    });
  const moved = (lead: Output, stageId: string) =>
    world.ask('POST', `/leads/${lead['id']}/move`, { stage_id: stageId });

  test('also in every test record, of whatever trigger', async () => {
    const definition = Object(await world.platform.definition());
    const visible = Object.entries<Output>(definition.triggers).filter(
      ([, trigger]) => !Object(trigger['display']).hidden,
    );
    expect(visible.length).toBeGreaterThanOrEqual(33);
    const testing = visible.map(async ([key, trigger]) => {
      const keys = keysOf(Object(trigger['operation']).sample);
      const input = key === 'any_event' ? { events: ['lead.created'] } : {};
      const samples = await world.zap(key, input).samples();
      expect(samples, key).not.toEqual([]);
      for (const sample of samples) {
        // The sample of "Any Event" has what all kinds of records have.
        const shown = key === 'any_event' ? expect.arrayContaining(keys) : keys;
        expect(keysOf(sample), key).toEqual(shown);
        expect(sample, key).toMatchObject({ id: expect.any(String), event_id: expect.any(String) });
      }
    });
    await Promise.all(testing);
  });

  test.each(Object.keys(triggers))('%s', async (key) => {
    const live = world.zap(key);
    await live.turnOn();
    await triggers[key]?.();
    const [run] = await live.runs(await live.delivery());
    const samples = await live.samples();
    expect(samples.length).toBeGreaterThan(0);
    const definition = Object(await world.platform.definition());
    const keys = keysOf(definition.triggers[key].operation.sample);
    expect(keysOf(run)).toEqual(keys);
    for (const sample of samples) expect(keysOf(sample)).toEqual(keys);
    await live.turnOff();
  });
}
