import { sampleEnvelope } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { events } from '../nodes/shared/generated/events.ts';
import { type Envelope, readEnvelope, recordOutput } from '../nodes/shared/trigger/envelope.ts';
import { passesFilters, type TriggerFilters } from '../nodes/shared/trigger/passes-filters.ts';

const organization = { id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081', slug: 'tatra-studio' };

function sample(type: Parameters<typeof sampleEnvelope>[0], changed?: string[]): Envelope {
  const envelope = readEnvelope({
    ...sampleEnvelope(type, organization),
    ...(changed ? { changed_fields: changed } : {}),
  });
  if (!envelope) throw new Error('A sample is an envelope');
  return envelope;
}

const filters = (chosen: Partial<TriggerFilters>): TriggerFilters => ({
  events: ['lead.updated', 'lead.won', 'company.updated'],
  fieldsToWatch: {},
  ids: {},
  ...chosen,
});

describe('an event', () => {
  test('starts the workflow when it was chosen, and only then', () => {
    expect(passesFilters(sample('lead.won'), filters({}), events)).toBe(true);
    expect(passesFilters(sample('lead.lost'), filters({}), events)).toBe(false);
  });

  test('of an update starts the workflow when a watched field changed, or when none is watched', () => {
    const watching = filters({ fieldsToWatch: { lead: ['value', 'note'] } });
    expect(passesFilters(sample('lead.updated', ['note', 'owner']), watching, events)).toBe(true);
    expect(passesFilters(sample('lead.updated', ['owner']), watching, events)).toBe(false);
    expect(passesFilters(sample('lead.updated', ['owner']), filters({}), events)).toBe(true);
  });

  test('is watched only where its record is: other records and other events pass', () => {
    const watching = filters({ fieldsToWatch: { lead: ['value'] } });
    expect(passesFilters(sample('company.updated', ['name']), watching, events)).toBe(true);
    expect(passesFilters(sample('lead.won'), watching, events)).toBe(true);
  });

  test('starts the workflow only for the chosen pipeline and stage', () => {
    const won = sample('lead.won');
    const stage = Object(won.data['stage']).id;
    const pipeline = Object(won.data['pipeline']).id;
    const both = { 'pipeline.id': pipeline, 'stage.id': stage };
    expect(passesFilters(won, filters({ ids: { lead: both } }), events)).toBe(true);
    expect(passesFilters(won, filters({ ids: { lead: { ...both, 'stage.id': 'other' } } }), events)).toBe(
      false,
    );
    expect(passesFilters(sample('company.updated'), filters({ ids: { lead: both } }), events)).toBe(true);
  });
});

describe('the output of an event', () => {
  test('has exactly the fields of the record, and the particulars of the event', () => {
    const won = sample('lead.won');
    const output = recordOutput(won);
    expect(Object.keys(output)).toEqual([
      ...Object.keys(won.data),
      'event_id',
      'event_type',
      'event_timestamp',
    ]);
    expect(output).toMatchObject({
      event_id: won.id,
      event_type: 'lead.won',
      event_timestamp: won.timestamp,
    });
  });

  test('of an update names the changed fields too', () => {
    expect(recordOutput(sample('lead.updated', ['note']))).toMatchObject({ changed_fields: ['note'] });
  });
});

test('what is no envelope is not taken for one', () => {
  for (const body of [
    undefined,
    null,
    [],
    'text',
    {},
    { id: 'evt_1', type: 'lead.won' },
    { ...sample, data: [] },
  ]) {
    expect(readEnvelope(body)).toBeUndefined();
  }
});
