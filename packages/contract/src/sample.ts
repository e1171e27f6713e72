import * as z from 'zod';
import { dataSchemaOf, type EventType, events, isUpdate, tellsPrevious } from './events.ts';
import { bareSchema, descriptionOf, formsOf } from './field.ts';
import { apiVersion } from './limits.ts';
import type { ReferenceName } from './references.ts';
import type { ResourceName } from './resources.ts';
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
  if (reference !== undefined) return exampleRef[referred[reference]].id;
  if (bare instanceof z.ZodString) return '';
  throw new Error('There is no example of a value of this kind yet.');
}

/** The record of the examples that a reference means. */
export const referred: Readonly<Record<ReferenceName, keyof typeof exampleRef>> = {
  company: 'company',
  contact: 'contact',
  client: 'client',
  lead: 'lead',
  activity: 'activity',
  task: 'task',
  invoice: 'invoice',
  booking: 'booking',
  order: 'order',
  product: 'product',
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

const moment = '2026-10-01T13:05:09.480Z';

/** The fields of each entity that its general example must not fill all at once. */
const calm: Partial<Record<ResourceName, Readonly<Record<string, unknown>>>> = {
  lead: { won_at: null, lost_at: null, lost_reason: null, lost_note: null, archived_at: null },
  activity: { completed_at: null },
  task: { completed_at: null, archived_at: null },
  invoice: { paid_at: null },
  quote: { accepted_at: null, rejected_at: null },
  booking: { confirmed_at: null, completed_at: null, cancelled_at: null, cancellation_reason: null },
  order: {
    cod_fee: null,
    invoice_uuid: null,
    confirmed_at: null,
    paid_at: null,
    shipped_at: null,
    delivered_at: null,
    cancelled_at: null,
  },
};

const orderStep = (status: string, more: Readonly<Record<string, string>> = {}) => ({
  status,
  confirmed_at: moment,
  ...more,
});
const payment = (status: string, more: Readonly<Record<string, string>> = {}) => ({
  payment_status: status,
  ...more,
});

/** Over by the moment of the event. */
const pastBooking = { starts_at: '2026-10-01T12:00:00.000Z', ends_at: '2026-10-01T13:00:00.000Z' };

/** What an event says of its record's state, laid over the calm one. */
const implied: Partial<Record<EventType, Readonly<Record<string, unknown>>>> = {
  'lead.won': {
    status: 'won',
    won_at: moment,
    stage: { ...exampleRef.wonStage, kind: 'won', probability: 100 },
  },
  'lead.lost': {
    status: 'lost',
    lost_at: moment,
    stage: { ...exampleRef.lostStage, kind: 'lost', probability: 0 },
    lost_reason: exampleRef.lostReason,
    lost_note: 'Chose a cheaper offer.',
  },
  'lead.archived': { archived_at: moment },
  'activity.completed': {
    status: 'closed',
    start_at: '2026-10-01T12:00:00.000Z',
    end_at: '2026-10-01T13:00:00.000Z',
    completed_at: moment,
  },
  'activity.cancelled': { status: 'canceled' },
  'task.completed': { completed_at: moment },
  'task.overdue': { start_date: '2026-09-28', due_date: '2026-10-01', due_time: '15:00' },
  'invoice.paid': { status: 'paid', is_paid: true, paid_at: moment, remaining_amount: 0 },
  'invoice.overdue': {
    status: 'overdue',
    is_overdue: true,
    issued_date: '2026-09-16',
    due_date: '2026-09-30',
  },
  'quote.accepted': { status: 'accepted', accepted_at: moment },
  'quote.rejected': { status: 'rejected', rejected_at: moment },
  'booking.confirmed': { status: 'confirmed', confirmed_at: moment },
  'booking.cancelled': {
    status: 'cancelled',
    cancelled_at: moment,
    cancellation_reason: 'The customer is ill.',
  },
  'booking.completed': {
    ...pastBooking,
    status: 'completed',
    confirmed_at: '2026-09-30T08:30:00.000Z',
    completed_at: moment,
  },
  'booking.no_show': { ...pastBooking, status: 'no_show', confirmed_at: '2026-09-30T08:30:00.000Z' },
  'order.confirmed': orderStep('confirmed'),
  'order.picking': orderStep('picking'),
  'order.packed': orderStep('packed'),
  'order.ready_for_pickup': orderStep('ready_for_pickup'),
  'order.shipped': orderStep('shipped', { shipped_at: moment }),
  'order.delivered': orderStep('delivered', { shipped_at: moment, delivered_at: moment }),
  'order.cancelled': { status: 'cancelled', cancelled_at: moment },
  'order.returned': orderStep('returned', { shipped_at: moment, delivered_at: moment }),
  'order.paid': payment('paid', { paid_at: moment }),
  'order.payment_pending': payment('pending'),
  'order.payment_paid': payment('paid', { paid_at: moment }),
  'order.payment_refunded': payment('refunded', { paid_at: moment }),
  'order.payment_failed': payment('failed'),
};

/** The `data` of a sample: every key of a live delivery, with believable values. */
export function sampleData(type: EventType): Record<string, unknown> {
  const example = exampleOf(dataSchemaOf(type));
  return { ...Object(example), ...calm[events[type].entity], ...implied[type] };
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
  if (type === 'lead.stage_changed') {
    return {
      status: 'lost',
      stage: { ...exampleRef.lostStage, kind: 'lost', probability: 0 },
      stage_entered_at: '2026-09-18T09:00:00.000Z',
      lost_at: '2026-09-18T09:00:00.000Z',
    };
  }
  if (type === 'task.moved') return { project: null, stage: null };
  return { ...formerOrder[type] };
}

/** What an order was before each step. */
const formerOrder: Partial<Record<EventType, Readonly<Record<string, unknown>>>> = {
  'order.confirmed': { status: 'new', confirmed_at: null },
  'order.picking': { status: 'confirmed' },
  'order.packed': { status: 'picking' },
  'order.ready_for_pickup': { status: 'packed' },
  'order.shipped': { status: 'packed', shipped_at: null },
  'order.delivered': { status: 'shipped', delivered_at: null },
  'order.cancelled': { status: 'new', cancelled_at: null },
  'order.returned': { status: 'delivered' },
  'order.paid': { payment_status: 'unpaid', paid_at: null },
  'order.payment_pending': { payment_status: 'unpaid' },
  'order.payment_paid': { payment_status: 'unpaid', paid_at: null },
  'order.payment_refunded': { payment_status: 'paid' },
  'order.payment_failed': { payment_status: 'pending' },
};

/** The sample envelope of an event type: a delivery with `test` true (rule events 16). */
export function sampleEnvelope(
  type: EventType,
  organization: { id: string; slug: string },
  timestamp = '2026-10-01T13:05:09.480Z',
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
