import { type EventType, eventTypes } from '@dealkeep/contract';
import { startDealkeep } from '@dealkeep/testing';
import { causes } from '@dealkeep/testing/business';
import { afterAll, expect, test } from 'vitest';
import { Definition } from '../src/checks/definition.ts';
import { resultFindings } from '../src/checks/result-checks.ts';
import { apiKey, integration } from '../src/index.ts';
import { triggerKey, triggers } from '../src/triggers/catalog.ts';
import { keyConnection } from './platform/connection.ts';
import { startHookReceiver } from './platform/hook-receiver.ts';
import { keysOf } from './platform/keys-of.ts';
import { outputFieldsOf } from './platform/output-fields-of.ts';
import { startInProcess } from './platform/platform.ts';
import { makeZap, type Output } from './platform/zap.ts';

const dealkeep = await startDealkeep();
const platform = await startInProcess(integration(apiKey));
const receiver = await startHookReceiver();
const definition = Definition.parse(await platform.definition());

afterAll(async () => {
  await platform.close();
  await receiver.close();
});

/** The Zaps that an event can start: of its own trigger, and of "Any Event". */
function zapsOf(type: EventType): { key: string; input: Record<string, unknown> }[] {
  return triggers
    .filter(({ events }) => events.includes(type))
    .map((declaration) => ({
      key: triggerKey(declaration),
      input: declaration.choose ? { events: [type] } : {},
    }));
}

test.concurrent.each(eventTypes)(
  '%s runs a Zap with the keys and types that its tests and its sample show',
  async (type) => {
    const { business, make } = await causes[type].prepare(dealkeep);
    const connection = keyConnection(dealkeep.baseUrl, business.organization.key);
    const zaps = zapsOf(type).map(({ key, input }) => ({
      key,
      input,
      zap: makeZap(platform, receiver, connection, key, input),
    }));
    expect(zaps).toHaveLength(2);
    for (const { zap } of zaps) await zap.turnOn();
    await make();
    for (const { key, input, zap } of zaps) {
      const trigger = definition.triggers[key];
      if (!trigger) throw new Error(`There is no trigger ${key}.`);
      const [live, ...others] = await zap.runs(await deliveryOf(type, zap));
      if (!live) throw new Error(`${key} did not run for ${type}.`);
      expect(others).toEqual([]);
      const listed = await zap.samples();
      expect(listed).not.toEqual([]);
      const outputFields = await outputFieldsOf(platform, connection, `triggers.${key}`, input);
      expect(resultFindings(trigger, { live, listed, outputFields })).toEqual([]);
      // The sample of "Any Event" has only what every kind of record has.
      const shown = key === 'any_event' ? listed : [...listed, trigger.operation.sample];
      for (const each of shown) expect(keysOf(each)).toEqual(keysOf(live));
      // Quotes cannot be read, so a test of their triggers shows the sample.
      const same = listed.find(({ id }) => id === live['id']);
      if (!type.startsWith('quote.')) expect(recordOf(same)).toEqual(recordOf(live));
      expect(live).toMatchObject({ event_type: type, id: expect.stringMatching(/./) });
    }
  },
);

/** What a run tells of the record, without what it tells of the event. */
const recordOf = (output: Output | undefined) =>
  Object.fromEntries(
    Object.entries(output ?? {}).filter(([key]) => !key.startsWith('event_') && key !== 'changed_fields'),
  );

/** Other events of the same change can come first, where a Zap is for several. */
async function deliveryOf(type: EventType, zap: ReturnType<typeof makeZap>) {
  for (;;) {
    const delivery = await zap.delivery();
    if (JSON.parse(delivery.content).type === type) return delivery;
  }
}
