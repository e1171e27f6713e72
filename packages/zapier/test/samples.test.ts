import { events, eventTypes, resourceNames } from '@dealkeep/contract';
import { contradictions } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { Definition } from '../bin/checks/index.ts';
import { variants } from '../src/index.ts';
import { definitionOf } from './platform/definition-of.ts';

test.each(Object.entries(variants))(
  'the samples of %s tell of one business: one id is one record with one name',
  async (_, variant) => {
    const { triggers, creates, searches } = Definition.parse(await definitionOf(variant));
    const ofEvents = eventTypes.flatMap((type) => {
      const sample = triggers[type.replace('.', '_')]?.operation.sample;
      return sample ? [[type, events[type].entity, sample] as const] : [];
    });
    const ofSteps = Object.entries({ ...creates, ...searches }).flatMap(([key, { operation }]) => {
      const kind = resourceNames.find((name) => key.endsWith(`_${name.replaceAll('-', '_')}`));
      return kind && operation.sample ? [[key, kind, operation.sample] as const] : [];
    });
    expect(ofEvents.length).toBeGreaterThan(25);
    expect(ofSteps.length).toBeGreaterThan(20);
    expect(contradictions([...ofEvents, ...ofSteps])).toEqual([]);
  },
);
