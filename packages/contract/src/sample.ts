import * as z from 'zod';
import { dataSchemaOf, type EventType, events } from './events.ts';
import { bareSchema, descriptionOf } from './field.ts';
import { apiVersion } from './limits.ts';

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
  if (bare instanceof z.ZodRecord) return {};
  if (bare instanceof z.ZodArray) return [exampleOf(bare.element)];
  if (bare instanceof z.ZodEnum) return bare.options[0];
  if (bare instanceof z.ZodBoolean) return true;
  if (bare instanceof z.ZodString) return descriptionOf(schema)?.reference ? referenceExample : '';
  return referenceExample;
}

const referenceExample = '01985f6e-2c41-7f21-a6d4-93b07c5e8812';

/** A field's state that an event implies, laid over the general example. */
const implied: Partial<Record<EventType, Readonly<Record<string, unknown>>>> = {
  'lead.won': { status: 'won', lost_at: null, lost_reason: null, lost_note: null, archived_at: null },
  'lead.lost': { status: 'lost', won_at: null, archived_at: null },
  'lead.archived': { won_at: null, lost_at: null },
};
const openLead = { won_at: null, lost_at: null, lost_reason: null, lost_note: null, archived_at: null };

/** The `data` of a sample: every key of a live delivery, with believable values. */
export function sampleData(type: EventType): Record<string, unknown> {
  const example = exampleOf(dataSchemaOf(type));
  const record: Record<string, unknown> =
    typeof example === 'object' && example !== null ? { ...example } : {};
  if (events[type].entity !== 'lead') return record;
  const laid: Record<string, unknown> = { ...record, ...(implied[type] ?? openLead) };
  const stage = laid['stage'];
  if (type === 'lead.won') laid['stage'] = { ...Object(stage), name: 'Won', kind: 'won', probability: 100 };
  if (type === 'lead.lost') laid['stage'] = { ...Object(stage), name: 'Lost', kind: 'lost', probability: 0 };
  return laid;
}

/** The sample envelope of an event type: a delivery with `test` true (specification, Delivery rules, 9). */
export function sampleEnvelope(
  type: EventType,
  organization: { id: string; slug: string },
  timestamp = '2026-10-01T13:05:09.480Z',
) {
  return {
    id: 'evt_01985f6e2c417d3a9b524f0c8a7e1d63',
    type,
    timestamp,
    api_version: apiVersion,
    organization,
    test: true,
    data: sampleData(type),
    ...('updated' in events[type] ? { changed_fields: ['note'] } : {}),
  };
}
