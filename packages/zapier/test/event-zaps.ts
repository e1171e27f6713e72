import { triggerKey, triggers } from '@dealkeep/connectors';
import type { EventType } from '@dealkeep/contract';
import type { TestDealkeep } from '@dealkeep/testing';
import { causes } from '@dealkeep/testing/business';
import type { ExpectStatic } from 'vitest';
import { Definition } from '../bin/checks/definition.ts';
import { resultFindings } from '../bin/checks/result-checks.ts';
import { keyConnection } from './platform/connection.ts';
import { keysOf } from './platform/keys-of.ts';
import { outputFieldsOf } from './platform/output-fields-of.ts';
import { startPrivate } from './platform/start-in-process.ts';
import { makeZap } from './platform/zap.ts';

/** The Zaps that an event can start: of its own triggers, and of "Any Event". */
function zapsOf(type: EventType): { key: string; input: Record<string, unknown> }[] {
  return triggers
    .filter(({ events }) => events.includes(type))
    .map((declaration) => ({
      key: triggerKey(declaration),
      input: declaration.choose ? { events: [type] } : {},
    }));
}

/**
 * Runs the Zaps of an event as it really happens, and holds them against what their tests and their samples show.
 */
export async function eventZaps(dealkeep: TestDealkeep) {
  const { platform, receiver } = await startPrivate(dealkeep);
  const definition = Definition.parse(await platform.definition());

  return async (type: EventType, expect: ExpectStatic): Promise<void> => {
    const { events, prepare } = causes[type];
    const { business, make } = await prepare(dealkeep);
    const connection = keyConnection(dealkeep.baseUrl, business.organization.key);
    const zaps = zapsOf(type).map(({ key, input }) => ({
      key,
      input,
      zap: makeZap(platform, receiver, connection, key, input),
    }));
    expect(zaps.length).toBeGreaterThanOrEqual(2);
    for (const { zap } of zaps) await zap.turnOn();
    await make();
    for (const { key, input, zap } of zaps) {
      const trigger = definition.triggers[key];
      if (!trigger) throw new Error(`There is no trigger ${key}.`);
      // A request that changes fields of a lead and moves it is one change to New or Updated Lead: the move tells of
      // it.
      const isOne = key === 'lead_created_or_updated' && events.includes('lead.stage_changed');
      const shownAs = isOne ? 'lead.stage_changed' : type;
      const [live, ...others] = await zap.runs(await deliveryOf(shownAs, zap));
      if (!live) throw new Error(`${key} did not run for ${type}.`);
      expect(others).toEqual([]);
      expect(live).toMatchObject({ event_type: shownAs, id: expect.stringMatching(/./) });
      // A test of the trigger shows what really happened, as soon as the feed has it.
      await expect.poll(() => zap.samples()).toContainEqual(live);
      const listed = await zap.samples();
      const outputFields = await outputFieldsOf(platform, connection, `triggers.${key}`, input);
      expect(resultFindings(trigger, { live, listed, outputFields })).toEqual([]);
      // The sample of "Any Event" has only what every kind of record has.
      const shown = key === 'any_event' ? listed : [...listed, trigger.operation.sample];
      for (const each of shown) expect(keysOf(each)).toEqual(keysOf(live));
    }
  };
}

/** Other events of the same change can come first, where a Zap is for several. */
async function deliveryOf(type: EventType, zap: ReturnType<typeof makeZap>) {
  for (;;) {
    const delivery = await zap.delivery();
    if (JSON.parse(delivery.content).type === type) return delivery;
  }
}
