import { type EventType, events, exampleChanges, isUpdate, sampleData } from '@dealkeep/contract';
import type { PlainOutputField } from 'zapier-platform-core';
import type { ApiRecord } from '../records/api-record.ts';
import { outputFields } from '../records/output-fields.ts';
import { sampleOf } from '../records/sample-of.ts';
import { shapeRecord } from '../records/shape-record.ts';
import { answeredSchema } from '../registry.ts';

export const schemaOf = (type: EventType) => answeredSchema(events[type].entity);

/** What a trigger gives to the Zap for one event: the record's fields, then the event's. */
export function eventOutput(type: EventType, envelope: ApiRecord, withChanges = isUpdate(type)): ApiRecord {
  return {
    ...shapeRecord(schemaOf(type), envelope['data']),
    event_id: envelope['id'] ?? null,
    event_type: type,
    event_timestamp: envelope['timestamp'] ?? null,
    ...(withChanges ? { changed_fields: changedFields(envelope) } : {}),
  };
}

/** A trigger's runs tell of the changed fields when one of its events does; all of them then have the same keys. */
export const tellsChanges = (events: readonly EventType[]): boolean => events.some(isUpdate);

export function changedFields(envelope: ApiRecord): string[] {
  const changed = envelope['changed_fields'];
  return Array.isArray(changed) ? changed.filter((field) => typeof field === 'string') : [];
}

/**
 * The envelope that a record would have been delivered in. The record's last change stands for the moment; its id
 * makes the event's, so that the same record gives the same sample.
 */
export function envelopeFor(type: EventType, record: ApiRecord, changed: readonly string[] = []): ApiRecord {
  const id = String(record['id'] ?? record['uuid'] ?? '');
  return {
    id: `evt_${id.replaceAll('-', '')}`,
    type,
    timestamp: lastChangeOf(record),
    data: record,
    ...(isUpdate(type) ? { changed_fields: changed.length > 0 ? [...changed] : exampleChanges(record) } : {}),
  };
}

/** The moments that records tell of their changes; bookings have no `updated_at`. */
const changeMoments = ['created_at', 'updated_at', 'confirmed_at', 'completed_at', 'cancelled_at'];

function lastChangeOf(record: ApiRecord): string {
  const moments = changeMoments.map((key) => record[key]).filter((moment) => typeof moment === 'string');
  return moments.toSorted().at(-1) ?? new Date().toISOString();
}

/** What a user maps fields from when there is no record yet. */
export function eventSample(type: EventType, withChanges?: boolean): ApiRecord {
  return eventOutput(type, envelopeFor(type, sampleOf(schemaOf(type), sampleData(type))), withChanges);
}

/**
 * The sample of a trigger for several kinds of records: what all of them have. A field of one kind alone would be empty
 * in the runs of the others; what the chosen ones have more, a test of the trigger shows.
 */
export function commonSample(types: readonly EventType[], withChanges: boolean): ApiRecord {
  const [first = {}, ...others] = types.map((type) => eventSample(type, withChanges));
  return Object.fromEntries(
    Object.entries(first).filter(([key]) => others.every((sample) => Object.hasOwn(sample, key))),
  );
}

export function eventOutputFields(type: EventType, withChanges = isUpdate(type)): PlainOutputField[] {
  return [...outputFields(schemaOf(type)), ...envelopeFields(withChanges)];
}

export function envelopeFields(withChanges: boolean): PlainOutputField[] {
  const changes: PlainOutputField = {
    key: 'changed_fields',
    label: 'Changed Fields',
    list: true,
    type: 'string',
  };
  return [
    { key: 'event_id', label: 'Event ID', type: 'string' },
    { key: 'event_type', label: 'Event Type', type: 'string' },
    { key: 'event_timestamp', label: 'Event Timestamp', type: 'datetime' },
    ...(withChanges ? [changes] : []),
  ];
}
