import { dataSchemaOf, eventTypes, isUpdate, sampleEnvelope, tellsPrevious } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { isApiRecord } from '../src/records/api-record.ts';
import { shapeRecord } from '../src/records/shape-record.ts';
import { eventOutput, eventSample, type Told } from '../src/triggers/event-output.ts';

const organization = { id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081', slug: 'tatra' };

/** The keys of a record as Zapier shows them for mapping; lists and free names are not followed. */
function keysOf(value: unknown, prefix = ''): string[] {
  if (!isApiRecord(value) || /(^|__)custom_fields$/.test(prefix)) return [prefix];
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, prefix ? `${prefix}__${key}` : key));
}

describe('a record has the same keys however much of it is filled in', () => {
  test.each(eventTypes)('in a delivery of %s, full, empty or with fields of a newer version', (type) => {
    const told: Told = { changes: isUpdate(type), previous: [type] };
    const sample = keysOf(eventSample(type, told));
    const full = sampleEnvelope(type, organization);
    const empty = { ...full, data: Object.fromEntries(Object.keys(full.data).map((key) => [key, null])) };
    const newer = { ...full, data: { ...full.data, invented_later: 1 }, also_new: true };
    const unchanged = { ...full, previous: {} };
    const untold = { ...full, previous: undefined };
    for (const envelope of [full, empty, newer, unchanged, untold, { ...full, data: {} }]) {
      expect(keysOf(eventOutput(type, envelope, told))).toEqual(sample);
    }
    expect(sample.some((key) => key.startsWith('previous__'))).toBe(tellsPrevious(type));
  });
});

test('a related record that is absent keeps its keys with null', () => {
  expect(shapeRecord(dataSchemaOf('lead.created'), { company: null })).toMatchObject({
    company: { id: null, name: null, registration_id: null },
    assignees: [],
  });
});

test('what fields were before stands below them, null where they were not changed (rule zapier 6)', () => {
  const told: Told = { changes: true, previous: ['lead.updated'] };
  const envelope = { data: { name: 'Bikes' }, previous: { name: 'Draft', stage: { id: '1', name: 'New' } } };
  expect(eventOutput('lead.updated', envelope, told)).toMatchObject({
    name: 'Bikes',
    previous: { name: 'Draft', value: null, stage: { id: '1', name: 'New', kind: null } },
  });
});

test('a sample offers no custom field, as every organization has its own', () => {
  expect(eventSample('company.created', { changes: false, previous: [] })).toMatchObject({
    custom_fields: {},
  });
});
