import { contradictions } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import {
  answerExample,
  type EventType,
  events,
  eventTypes,
  exampleOf,
  formerFields,
  isUpdate,
  type OperationDeclaration,
  openapiDocument,
  operations,
  resourceNames,
  resources,
  sampleEnvelope,
  tellsPrevious,
} from '../src/index.ts';

const organization = { id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081', slug: 'tatra' };
const sampleOf = (type: EventType) => {
  const { timestamp, data } = sampleEnvelope(type, organization);
  const at = (key: string): number | undefined => {
    const value = data[key];
    return typeof value === 'string' ? Date.parse(value) : undefined;
  };
  return { timestamp: Date.parse(timestamp), data, at };
};

describe('a sample tells a story that can have happened', () => {
  test.each(eventTypes)('%s: nothing was done before the record was made or after the event', (type) => {
    const { timestamp, at, data } = sampleOf(type);
    const created = at('created_at') ?? Number.NEGATIVE_INFINITY;
    const done = Object.keys(data).filter((key) =>
      /^(updated|won|lost|archived|completed|cancelled|confirmed|paid|shipped|delivered|accepted|rejected)_at$/.test(
        key,
      ),
    );
    for (const key of done) {
      expect(at(key) ?? created, key).toBeGreaterThanOrEqual(created);
      expect(at(key) ?? timestamp, key).toBeLessThanOrEqual(timestamp);
    }
  });

  test.each(eventTypes.filter(isUpdate))('%s changed what the record has', (type) => {
    const { changed_fields: changed = [], data } = sampleEnvelope(type, organization);
    expect(changed).not.toEqual([]);
    expect(Object.keys(data)).toEqual(expect.arrayContaining(changed));
  });

  test.each(eventTypes.filter(tellsPrevious))('%s tells former values of fields that it changes', (type) => {
    const { previous = {}, data } = sampleEnvelope(type, organization);
    expect(Object.keys(previous)).not.toEqual([]);
    expect(formerFields(type)).toEqual(expect.arrayContaining(Object.keys(previous)));
    expect(Object.keys(data)).toEqual(expect.arrayContaining([...formerFields(type)]));
  });

  test('an event that tells no former values has none', () => {
    expect(eventTypes.filter((type) => formerFields(type).length > 0)).toEqual(
      eventTypes.filter(tellsPrevious),
    );
  });

  test.each<[EventType, string]>([
    ['task.overdue', 'due_date'],
    ['invoice.overdue', 'due_date'],
    ['booking.completed', 'ends_at'],
    ['booking.no_show', 'ends_at'],
    ['activity.completed', 'end_at'],
  ])('%s comes after %s', (type, key) => {
    const { timestamp, at } = sampleOf(type);
    expect(at(key)).toBeLessThan(timestamp);
  });

  test.each<[EventType, string]>([
    ['booking.created', 'starts_at'],
    ['booking.confirmed', 'starts_at'],
    ['activity.created', 'start_at'],
    ['invoice.created', 'due_date'],
    ['task.created', 'due_date'],
  ])('%s comes before %s', (type, key) => {
    const { timestamp, at } = sampleOf(type);
    expect(at(key)).toBeGreaterThan(timestamp);
  });
});

describe('one id is one record in all examples, with one name, and sums agree', () => {
  const declarations = Object.values<OperationDeclaration>(operations);
  const samples = [
    ...eventTypes.map(
      (type) => [type, events[type].entity, sampleEnvelope(type, organization).data] as const,
    ),
    ...resourceNames.map((name) => [name, name, exampleOf(resources[name].schema)] as const),
    ...declarations
      .filter(({ shape }) => shape === 'record' || shape === 'list')
      .map((declaration) => {
        const { data } = Object(answerExample(declaration));
        // An envelope is about a record that is told above.
        const { resource } = declaration;
        if (resource === 'event') return [declaration.id, 'lead', Object([data].flat()[0]).data] as const;
        return [declaration.id, declaration.report ? 'erasure' : resource, data] as const;
      }),
  ];

  test('of events, records and answers', () => {
    expect(samples.length).toBeGreaterThan(100);
    expect(contradictions(samples)).toEqual([]);
  });

  test('of the components of OpenAPI, whose requests name the same records', () => {
    const { components } = openapiDocument('https://api.dealkeep.example');
    const kinds = new Map(
      resourceNames.flatMap((name) => [
        [name.replaceAll(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase()), name],
      ]),
    );
    const ofComponents = Object.entries(Object(components).schemas).flatMap(([name, schema]) => {
      const kind =
        name === 'OrderItem' ? 'order-item' : kinds.get(name.replace(/(?:Item|Create|Update)$/, ''));
      const examples: unknown[] = Object(schema).examples ?? [];
      return kind === undefined ? [] : examples.map((example) => [name, kind, example] as const);
    });
    expect(ofComponents.length).toBeGreaterThan(20);
    expect(contradictions([...samples, ...ofComponents])).toEqual([]);
  });

  test('what contradicts is found', () => {
    const id = '01985f6e-2c41-7f21-a6d4-93b07c5e8812';
    expect(contradictions([['a', 'lead', { id, name: 'A', company: { id, name: 'B' } }]])).toHaveLength(2);
    const line = { quantity: 2, unit_price: 5, vat_rate: 10, total: 10 };
    expect(
      contradictions([['b', 'quote', { items: [line], subtotal: 9, vat_amount: 1, total: 11 }]]),
    ).toEqual(['b: subtotal does not add up', 'b: total does not add up']);
  });
});
