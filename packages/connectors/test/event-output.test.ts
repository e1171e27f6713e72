import { eventTypes, sampleEnvelope } from '@dealkeep/contract';
import { expect, test } from 'vitest';
import { triggerKey, triggers } from '../src/catalog/triggers.ts';
import { isMixed, triggerSample } from '../src/triggers/event-output.ts';
import { runOfEvent } from '../src/triggers/run-of-event.ts';

const organization = { id: '0198a000-0000-7000-8000-000000000001', slug: 'tatra' };

/** The keys that fields are mapped from; what stands in lists is not followed. */
const keysOf = (value: unknown, prefix = ''): string[] =>
  typeof value !== 'object' || value === null || Array.isArray(value) || /custom_fields$/.test(prefix)
    ? [prefix]
    : Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${prefix}/${key}`));

test.each(eventTypes)(
  '%s gives a workflow the keys that its sample shows and no other, with its values (rule connectors 10)',
  (type) => {
    const { data, ...telling } = sampleEnvelope(type, organization);
    const envelope = { ...telling, invented_later: 1, data: { ...data, invented_later: { deep: 1 } } };
    const started = triggers.filter(({ events }) => events.includes(type));
    expect(started.length).toBeGreaterThanOrEqual(2);
    for (const declaration of started) {
      const input = declaration.choose ? { events: [type] } : {};
      const run = runOfEvent(declaration, input, { type, envelope });
      const sample = triggerSample(declaration);
      const shown = keysOf(sample);
      expect(run, triggerKey(declaration)).toMatchObject({ event_type: type, event_id: envelope.id });
      if (isMixed(declaration)) expect(keysOf(run)).toEqual(expect.arrayContaining(shown));
      else expect(keysOf(run)).toEqual(shown);
      for (const [key, value] of Object.entries(run ?? {})) {
        // Of parts of a record those that are empty are there, too.
        if (typeof value !== 'object' && Object.hasOwn(data, key)) expect(value, key).toBe(data[key]);
      }
    }
  },
);
