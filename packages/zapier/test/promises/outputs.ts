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
  };
  const company = () => world.ask('POST', '/companies', { name: unique('Company') });
  const moved = (lead: Output, stageId: string) =>
    world.ask('POST', `/leads/${lead['id']}/move`, { stage_id: stageId });

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
