import {
  describe,
  type EventType,
  events,
  exampleChanges,
  formerFields,
  isUpdate,
  sampleData,
  sampleEnvelope,
  tellsPrevious,
  text,
} from '@dealkeep/contract';
import * as z from 'zod';
import type { TriggerDeclaration } from '../catalog/triggers.ts';
import { type ApiRecord, isApiRecord } from '../records/api-record.ts';
import { type OutputField, outputFields } from '../records/output-fields.ts';
import { sampleOf } from '../records/sample-of.ts';
import { shapeRecord } from '../records/shape-record.ts';
import { answeredSchema } from '../registry.ts';
import { chosenEvents } from './trigger-form.ts';

export const schemaOf = (type: EventType) => answeredSchema(events[type].entity);

/**
 * What the runs of a trigger tell besides the record: the same of all its events, so that all runs have the same
 * keys.
 */
export interface Told {
  /** Names of the fields that were changed. */
  readonly changes: boolean;
  /** The events whose former values have a place. */
  readonly previous: readonly EventType[];
}

/**
 * A trigger's runs tell of changed fields when one of its events does, and of former values when a chosen one does.
 */
export const toldBy = (
  declaration: TriggerDeclaration,
  input: Readonly<Record<string, unknown>> = {},
): Told => ({
  changes: declaration.events.some(isUpdate),
  previous: chosenEvents(declaration, input).filter(tellsPrevious),
});

/** What a trigger gives on for one event: the record's fields, then the event's, then what fields were before. */
export function eventOutput(type: EventType, envelope: ApiRecord, told: Told): ApiRecord {
  const previous = previousSchema(type, told);
  return {
    ...shapeRecord(schemaOf(type), envelope['data']),
    event_id: envelope['id'] ?? null,
    event_type: type,
    event_timestamp: envelope['timestamp'] ?? null,
    ...(told.changes ? { changed_fields: changedFields(envelope) } : {}),
    ...(previous ? shapeRecord(previous, envelope) : {}),
  };
}

/** What an event gives on besides what it tells of itself. */
export const givenOn = (type: EventType, told: Told): z.ZodObject =>
  z.object({ ...schemaOf(type).shape, ...previousSchema(type, told)?.shape });

/**
 * Where former values stand: `previous` holds every field that one of the events can tell of, null where it did not
 * change.
 */
function previousSchema(type: EventType, { previous }: Told): z.ZodObject | undefined {
  const names = previous
    .filter((each) => events[each].entity === events[type].entity)
    .flatMap((each) => formerFields(each));
  if (names.length === 0) return undefined;
  const shape = Object.entries(schemaOf(type).shape).filter(([name]) => names.includes(name));
  return z.object({ previous: describe(z.object(Object.fromEntries(shape)), { label: previousLabel }) });
}

const previousLabel = text('Previous', 'Predtým');

/** What an event says was changed: an update names it, a move and a step of an order tell it by what was before. */
export function changedFields(envelope: ApiRecord): string[] {
  const { changed_fields: changed, previous } = envelope;
  if (Array.isArray(changed)) return changed.filter((field) => typeof field === 'string');
  return isApiRecord(previous) ? Object.keys(previous) : [];
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
export function eventSample(type: EventType, told: Told): ApiRecord {
  const { previous } = sampleEnvelope(type, { id: '', slug: '' });
  const envelope = envelopeFor(type, sampleOf(schemaOf(type), sampleData(type)));
  return eventOutput(type, { ...envelope, previous }, told);
}

/** Events of several kinds of records have few fields in common. */
export const isMixed = ({ events: types }: TriggerDeclaration): boolean =>
  new Set(types.map((type) => events[type].entity)).size > 1;

/** What fields are mapped from before there was an event: an update where there is one, since it tells the most. */
export function triggerSample(declaration: TriggerDeclaration): ApiRecord {
  const [first] = declaration.events;
  if (first === undefined) throw new Error(`The trigger "${declaration.label}" has no event.`);
  const told = toldBy(declaration);
  const [sampled = first] = declaration.events.filter(isUpdate);
  return isMixed(declaration) ? commonSample(declaration.events, told) : eventSample(sampled, told);
}

/**
 * The sample of a trigger for several kinds of records: what all of them have. A field of one kind alone would be
 * empty in the runs of the others; what the chosen ones have more, a test of the trigger shows.
 */
function commonSample(types: readonly EventType[], { changes }: Told): ApiRecord {
  const [first = {}, ...others] = types.map((type) => eventSample(type, { changes, previous: [] }));
  return Object.fromEntries(
    Object.entries(first).filter(([key]) => others.every((sample) => Object.hasOwn(sample, key))),
  );
}

/** The labels and types of what an event gives on. */
export function eventOutputFields(type: EventType, told: Told): OutputField[] {
  const previous = previousSchema(type, told);
  return [
    ...outputFields(schemaOf(type)),
    ...fieldsOfTelling(told),
    ...(previous ? outputFields(previous) : []),
  ];
}

/** What a run tells of the event itself. */
export const fieldsOfTelling = ({ changes }: Told): readonly OutputField[] =>
  changes ? [...envelopeFields, changesField] : envelopeFields;

const envelopeFields: readonly OutputField[] = [
  { key: 'event_id', label: 'Event ID', type: 'string' },
  { key: 'event_type', label: 'Event Type', type: 'string' },
  { key: 'event_timestamp', label: 'Event Timestamp', type: 'datetime' },
];

const changesField: OutputField = {
  key: 'changed_fields',
  label: 'Changed Fields',
  list: true,
  type: 'string',
};
