import {
  type EventType,
  eventTypes,
  filtersOfEvent,
  isUpdate,
  sampleData,
  watchableFields,
} from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import { conditionOf, factsOf } from '../../src/change/events/event-facts.ts';

/**
 * What the rule says, by itself: of each filter one of the values, of the watched fields one where changes are told.
 */
function wants(
  type: EventType,
  data: object,
  changed: readonly string[] | undefined,
  { filters, watched }: { filters: Readonly<Record<string, readonly string[]>>; watched: string[] | null },
): boolean {
  for (const [name, wanted] of Object.entries(filters)) {
    const [first = '', second] = (filtersOfEvent(type)[name] ?? '').split('.');
    const isList = first.endsWith('[]');
    const value: unknown = Reflect.get(data, isList ? first.slice(0, -2) : first);
    const found = (isList && Array.isArray(value) ? value : [value]).map((each) =>
      second === undefined || each === null ? each : Reflect.get(Object(each), second),
    );
    if (!found.some((each) => wanted.includes(each))) return false;
  }
  return !watched || !changed || watched.some((name) => changed.includes(name));
}

const texts = fc.constantFrom('a', 'b', 'ž"\\', '$', '\u2028', ' @ ', '');
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

/** A record of an event with other values where it can be filtered. */
const recordOf = (type: EventType) =>
  fc
    .record(
      Object.fromEntries(
        Object.values(filtersOfEvent(type)).map((path) => {
          const [first = '', second] = path.split('.');
          const one: fc.Arbitrary<unknown> =
            second === undefined ? texts : fc.record({ [second]: texts, name: texts });
          const isList = first.endsWith('[]');
          return isList ? [first.slice(0, -2), fc.array(one, { maxLength: 3 })] : [first, optional(one)];
        }),
      ),
    )
    .map((values) => ({ ...sampleData(type), ...values }));

const cases = fc.constantFrom(...eventTypes).chain((type) => {
  const names = Object.keys(filtersOfEvent(type));
  const watchable = watchableFields(type);
  const values = fc.uniqueArray(texts, { minLength: 1, maxLength: 3 });
  return fc.record({
    type: fc.constant(type),
    data: recordOf(type),
    changed: isUpdate(type) ? fc.subarray([...watchable], { minLength: 1 }) : fc.constant(undefined),
    filters: fc
      .subarray(names)
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, values])))),
    watched: optional(fc.subarray([...watchable, 'other'], { minLength: 1 })),
  });
});

/** Whatever a webhook wants, and whatever happens: its condition says what the rule says. */
export async function conditionsAreJudgedRight(numRuns: number): Promise<void> {
  const { sql } = await sharedDealkeep();
  const judged = { wanted: 0, unwanted: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(cases, { minLength: 50, maxLength: 50 }), async (all) => {
      const rows = all.map(({ type, data, changed, filters, watched }) => ({
        facts: JSON.stringify(factsOf(type, data, changed)),
        condition: conditionOf(filters, watched),
        expected: wants(type, data, changed, { filters, watched }),
      }));
      const found = await sql<{ wanted: boolean }[]>`
        select condition is null or facts::jsonb @@ condition::jsonpath as wanted
        from unnest(${rows.map(({ facts }) => facts)}::text[], ${rows.map(({ condition }) => condition)}::text[])
             with ordinality as each (facts, condition, place) order by place`;
      for (const [at, { expected }] of rows.entries()) {
        expect(found[at]?.wanted, JSON.stringify(all[at])).toBe(expected);
        judged[expected ? 'wanted' : 'unwanted'] += 1;
      }
    }),
    { numRuns },
  );
  expect(judged.wanted).toBeGreaterThan(numRuns * 5);
  expect(judged.unwanted).toBeGreaterThan(numRuns * 5);
}
