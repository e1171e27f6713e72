import { describe, expect, test } from 'vitest';
import { type EventType, eventTypes, isUpdate, sampleEnvelope } from '../src/index.ts';

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
