import { expect, test } from 'vitest';
import { failureOf } from '../platform/failure.ts';
import type { Zap } from '../platform/zap.ts';
import { unique, type World } from './world.ts';

export function zapPromises(world: World): void {
  test('runs once for a delivery that is genuine, and not for one that was tampered with or sent again', async () => {
    const zapOfNewLeads = world.zap('lead_created');
    await zapOfNewLeads.turnOn();
    const lead = await world.newLead({ company: { name: unique('Žltý kôň') } });
    const delivery = await zapOfNewLeads.delivery();

    const tampered = { ...delivery, content: delivery.content.replace(String(lead['name']), 'Other') };
    expect(await zapOfNewLeads.runs(tampered)).toEqual([]);
    const [run] = await zapOfNewLeads.runs(delivery);
    expect(run).toMatchObject({ id: lead['id'], name: lead['name'], company: lead['company'] });
    expect(run?.['event_id']).toBe(JSON.parse(delivery.content).id);
    expect(await zapOfNewLeads.runs(delivery)).toEqual([]);
    await zapOfNewLeads.turnOff();
  });

  test('runs although the cache of the platform is down', async () => {
    const zapOfCompanies = world.zap('company_created');
    await zapOfCompanies.turnOn();
    await world.ask('POST', '/companies', { name: unique('Cache') });
    const delivery = await zapOfCompanies.delivery();
    world.platform.rpc.broken = true;
    try {
      expect(await zapOfCompanies.runs(delivery)).toHaveLength(1);
    } finally {
      world.platform.rpc.broken = false;
    }
    await zapOfCompanies.turnOff();
  });

  test('has one hook however often it is turned on, and none after it was turned off', async () => {
    const zapOfContacts = world.zap('contact_created');
    await zapOfContacts.turnOn();
    const { id: first, secret } = zapOfContacts.subscription;
    await zapOfContacts.turnOn();
    const mine = (await world.hooks()).filter((hook) => hook.target_url === zapOfContacts.targetUrl);
    expect(mine.map(({ id }) => id)).toEqual([zapOfContacts.subscription['id']]);
    // The same one with another secret: what waits for it stays.
    expect(zapOfContacts.subscription['id']).toBe(first);
    expect(zapOfContacts.subscription['secret']).not.toBe(secret);

    await zapOfContacts.turnOff();
    expect((await world.hooks()).filter((hook) => hook.target_url === zapOfContacts.targetUrl)).toEqual([]);
  });

  test('that is turned off and on gets what happened in between', async () => {
    const zapOfCompanies = world.zap('company_created');
    await zapOfCompanies.turnOn();
    await zapOfCompanies.turnOff();
    const name = unique('Meanwhile');
    await world.ask('POST', '/companies', { name });
    await zapOfCompanies.turnOn();
    expect(await zapOfCompanies.runs(await zapOfCompanies.delivery())).toMatchObject([{ name }]);
    await zapOfCompanies.turnOff();
  });

  test('can be turned off when its hook is gone already', async () => {
    const zapOfContacts = world.zap('contact_updated');
    await zapOfContacts.turnOn();
    await zapOfContacts.turnOff();
    await expect(zapOfContacts.turnOff()).resolves.toBeUndefined();
  });

  test('leaves no hook behind when Zapier answers 410', async () => {
    const zapOfLeads = world.zap('lead_created');
    await zapOfLeads.turnOn();
    world.receiver.gone(zapOfLeads.targetUrl);
    await world.newLead();
    await expect
      .poll(async () => (await world.hooks()).filter((hook) => hook.target_url === zapOfLeads.targetUrl))
      .toEqual([]);
    await zapOfLeads.turnOff();
  });

  test('for any event runs for the chosen ones', async () => {
    const chosen = world.zap('any_event', { events: ['contact.created', 'lead.archived'] });
    await chosen.turnOn();
    const lead = await world.newLead();
    await world.ask('POST', `/leads/${lead['id']}/archive`, {});
    const runs = await chosen.runs(await chosen.delivery());
    expect(runs).toMatchObject([{ id: lead['id'], event_type: 'lead.archived', changed_fields: [] }]);
    await chosen.turnOff();
  });

  test('for any event is for those that are known, and for none of them cannot be turned on', async () => {
    const eventsOf = async (zap: Zap) =>
      (await world.hooks()).find((hook) => hook.target_url === zap.targetUrl)?.events;
    const some = world.zap('any_event', { events: ['lead.vanished', 'lead.won'] });
    await some.turnOn();
    expect(await eventsOf(some)).toEqual(['lead.won']);
    await some.turnOff();

    const none = world.zap('any_event', { events: ['lead.vanished'] });
    expect((await failureOf(none.turnOn())).message).toBe(
      'Events: The number of entries must be at least 1.',
    );
    expect(await eventsOf(none)).toBeUndefined();
  });
}
