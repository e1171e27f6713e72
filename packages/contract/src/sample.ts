import * as z from 'zod';
import { type EventDeclaration, sampleMoment } from './event.ts';
import { dataSchemaOf, type EventType, events, isUpdate, tellsPrevious } from './events.ts';
import { bareSchema, descriptionOf, formsOf } from './field.ts';
import { apiVersion } from './limits.ts';
import { isRecordName, recordDeclarations, records } from './records.ts';
import {
  isRecordReference,
  isReferenceName,
  type RecordReference,
  type ReferenceName,
} from './references.ts';
import { exampleRef } from './shapes.ts';

/** An example value of a schema, made of the examples of its fields. Optional fields are left out. */
export function exampleOf(schema: z.core.$ZodType): unknown {
  const described = descriptionOf(schema)?.example;
  if (described !== undefined) return described;
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodObject) {
    return Object.fromEntries(
      Object.entries(bare.shape)
        .filter(([, field]) => !bareSchema(field).optional)
        .map(([key, field]) => [key, exampleOf(field)]),
    );
  }
  const [form] = bare instanceof z.ZodUnion ? bare.options : (formsOf(bare) ?? []);
  if (form) return exampleOf(form);
  if (bare instanceof z.ZodRecord) return {};
  if (bare instanceof z.ZodArray) return [exampleOf(bare.element)];
  if (bare instanceof z.ZodEnum) return bare.options[0];
  if (bare instanceof z.ZodBoolean) return true;
  const reference = descriptionOf(schema)?.reference;
  if (reference !== undefined && isReferenceName(reference)) return exampleIdOf(reference);
  if (bare instanceof z.ZodString) return '';
  throw new Error('There is no example of a value of this kind yet.');
}

/** What the examples call what is no record. */
const referred: Readonly<Record<Exclude<ReferenceName, RecordReference>, keyof typeof exampleRef>> = {
  user: 'user',
  pipeline: 'pipeline',
  stage: 'stage',
  project: 'project',
  webhook: 'hook',
  'lead-origin': 'origin',
  'lost-reason': 'lostReason',
  tag: 'tag',
  'custom-field': 'customField',
  'activity-type': 'activityType',
  'project-stage': 'projectStage',
  'booking-service': 'service',
  'booking-staff': 'staff',
  'product-category': 'productCategory',
};

/** The id that stands in examples for what a reference means. */
export const exampleIdOf = (name: ReferenceName): string =>
  isRecordReference(name) ? records[name].example.id : exampleRef[referred[name]].id;

/** The `data` of a sample: every key of a live delivery, with believable values. */
export function sampleData(type: EventType): Record<string, unknown> {
  const example = exampleOf(dataSchemaOf(type));
  const { entity, sample }: EventDeclaration = events[type];
  const calm = isRecordName(entity) ? recordDeclarations.get(entity)?.calm : undefined;
  return { ...Object(example), ...calm, ...sample };
}

/** The fields that a sample tells of as changed. */
export const exampleChanges = (data: Readonly<Record<string, unknown>>): string[] => [
  'note' in data ? 'note' : 'name',
];

/** What the fields that an event has changed were before, in a sample. */
function examplePrevious(type: EventType, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (isUpdate(type)) {
    return Object.fromEntries(exampleChanges(data).map((name) => [name, name === 'name' ? 'Draft' : null]));
  }
  const { sampleBefore }: EventDeclaration = events[type];
  return { ...sampleBefore };
}

/** The sample envelope of an event type: a delivery with `test` true (rule events 16). */
export function sampleEnvelope(
  type: EventType,
  organization: { id: string; slug: string },
  timestamp = sampleMoment,
) {
  const data = sampleData(type);
  return {
    id: 'evt_01985f6e2c4170aa8f53d2b6914ce7a0',
    type,
    timestamp,
    api_version: apiVersion,
    organization,
    test: true,
    data,
    ...(isUpdate(type) ? { changed_fields: exampleChanges(data) } : {}),
    ...(tellsPrevious(type) ? { previous: examplePrevious(type, data) } : {}),
  };
}
