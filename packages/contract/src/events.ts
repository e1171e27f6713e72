import * as z from 'zod';
import type { EventFilter } from './event-filters.ts';
import { bareSchema } from './field.ts';
import { type ResourceName, resources } from './resources.ts';
import type { Scope } from './scopes.ts';
import { type Text, text } from './text.ts';

/** What kind of change an event tells of, so that connectors can group events without knowing them. */
export type EventCategory =
  /** A record came to be. */
  | 'created'
  /** Fields of a record were changed; the envelope names them. */
  | 'updated'
  /** A record was moved to another stage. */
  | 'moved'
  /** A record reached another state of its life. */
  | 'status'
  /** The state of an order's payment changed. */
  | 'payment'
  /** A moment has passed and nothing was done. */
  | 'overdue';

/** In the parameters by which records are found: the day on which they are looked for, as `YYYY-MM-DD`. */
const today = '{today}';

export interface EventDeclaration {
  readonly label: Text;
  readonly description: Text;
  readonly category: EventCategory;
  /**
   * What it can be filtered by: a filter of the record's list, and where in the event's data the value stands; `[]`
   * stands for each element of a list.
   */
  readonly filters?: Readonly<Partial<Record<EventFilter, string>>>;
  /** Parameters of the record's list that find records in the state that the event leaves. */
  readonly leaves?: Readonly<Record<string, string | boolean>>;
  readonly entity: ResourceName;
  /** The scope that reading its data needs. */
  readonly scope: Scope;
  /**
   * Of an `x.updated`: fields that `changed_fields` names only beside a watchable one, because the same request
   * changed them, too: another event tells of them, or none. Nobody can wait for them here.
   */
  readonly namedBeside?: readonly string[];
  /**
   * Of an event that tells what was before: the fields whose former values are its own to tell. All that can change
   * where none are named.
   */
  readonly formerly?: readonly string[];
}

const lead = {
  entity: 'lead',
  scope: 'leads:read',
  filters: {
    pipeline_id: 'pipeline.id',
    stage_id: 'stage.id',
    owner_id: 'owner.id',
    origin_id: 'origin.id',
    status: 'status',
    tag: 'tags[]',
  },
} as const;
/** The fields of a lead that its stage changes. */
const movedFields = ['status', 'pipeline', 'stage', 'stage_entered_at', 'won_at', 'lost_at'] as const;
const company = {
  entity: 'company',
  scope: 'companies:read',
  filters: { owner_id: 'owner.id', tag: 'tags[]' },
} as const;
const client = { entity: 'client', scope: 'clients:read', filters: { owner_id: 'owner.id' } } as const;
const activity = {
  entity: 'activity',
  scope: 'activities:read',
  filters: { status: 'status', type_id: 'type.id', owner_id: 'owner.id', assignee_id: 'assignee.id' },
} as const;
const task = {
  entity: 'task',
  scope: 'tasks:read',
  filters: { project_id: 'project.id', stage_id: 'stage.id', assignee_id: 'assignees[].id' },
} as const;
const invoice = { entity: 'invoice', scope: 'invoices:read', filters: { status: 'status' } } as const;
const quote = { entity: 'quote', scope: 'invoices:read' } as const;
const booking = {
  entity: 'booking',
  scope: 'bookings:read',
  filters: { status: 'status', service_id: 'service.id', staff_id: 'staff.id' },
} as const;
const product = { entity: 'product', scope: 'products:read' } as const;
const order = {
  entity: 'order',
  scope: 'orders:read',
  filters: { status: 'status', payment_status: 'payment_status' },
  formerly: [
    'status',
    'payment_status',
    'confirmed_at',
    'paid_at',
    'shipped_at',
    'delivered_at',
    'cancelled_at',
  ],
} as const;
const contact = { entity: 'contact', scope: 'companies:read' } as const;

/** The event catalog (rules events 1 and 2). Only what is really emitted stands here. */
export const events = {
  'lead.created': {
    ...lead,
    category: 'created',
    label: text('Lead created', 'Príležitosť vytvorená'),
    description: text('A lead was created.', 'Bola vytvorená príležitosť.'),
  },
  'lead.updated': {
    ...lead,
    category: 'updated',
    namedBeside: movedFields,
    label: text('Lead updated', 'Príležitosť zmenená'),
    description: text(
      'Fields of a lead other than its stage were changed.',
      'Zmenili sa polia príležitosti okrem fázy.',
    ),
  },
  'lead.archived': {
    ...lead,
    category: 'status',
    leaves: { archived: true },
    label: text('Lead archived', 'Príležitosť archivovaná'),
    description: text('A lead was archived.', 'Príležitosť bola archivovaná.'),
  },
  'lead.stage_changed': {
    ...lead,
    category: 'moved',
    formerly: [...movedFields, 'lost_reason', 'lost_note'],
    label: text('Lead stage changed', 'Fáza príležitosti zmenená'),
    description: text('A lead was moved to another stage.', 'Príležitosť bola presunutá do inej fázy.'),
  },
  'lead.won': {
    ...lead,
    category: 'status',
    leaves: { status: 'won' },
    label: text('Lead won', 'Príležitosť vyhratá'),
    description: text('A lead reached a won stage.', 'Príležitosť sa dostala do vyhratej fázy.'),
  },
  'lead.lost': {
    ...lead,
    category: 'status',
    leaves: { status: 'lost' },
    label: text('Lead lost', 'Príležitosť prehratá'),
    description: text('A lead reached a lost stage.', 'Príležitosť sa dostala do prehratej fázy.'),
  },
  'company.created': {
    ...company,
    category: 'created',
    label: text('Company created', 'Firma vytvorená'),
    description: text('A company was created.', 'Bola vytvorená firma.'),
  },
  'company.updated': {
    ...company,
    category: 'updated',
    namedBeside: ['contacts'],
    label: text('Company updated', 'Firma zmenená'),
    description: text('Fields of a company were changed.', 'Zmenili sa polia firmy.'),
  },
  'contact.created': {
    ...contact,
    category: 'created',
    label: text('Contact created', 'Kontakt vytvorený'),
    description: text('A contact was created.', 'Bol vytvorený kontakt.'),
  },
  'contact.updated': {
    ...contact,
    category: 'updated',
    label: text('Contact updated', 'Kontakt zmenený'),
    description: text('Fields of a contact were changed.', 'Zmenili sa polia kontaktu.'),
  },
  'client.created': {
    ...client,
    category: 'created',
    label: text('Client created', 'Klient vytvorený'),
    description: text('A company was made a client.', 'Z firmy sa stal klient.'),
  },
  'client.updated': {
    ...client,
    category: 'updated',
    label: text('Client updated', 'Klient zmenený'),
    description: text('Fields of a client were changed.', 'Zmenili sa polia klienta.'),
  },
  'activity.created': {
    ...activity,
    category: 'created',
    label: text('Activity created', 'Aktivita vytvorená'),
    description: text('An activity was planned.', 'Bola naplánovaná aktivita.'),
  },
  'activity.completed': {
    ...activity,
    category: 'status',
    leaves: { status: 'closed' },
    label: text('Activity completed', 'Aktivita dokončená'),
    description: text('An activity was completed.', 'Aktivita bola dokončená.'),
  },
  'activity.cancelled': {
    ...activity,
    category: 'status',
    leaves: { status: 'canceled' },
    label: text('Activity cancelled', 'Aktivita zrušená'),
    description: text('An activity was cancelled.', 'Aktivita bola zrušená.'),
  },
  'task.created': {
    ...task,
    category: 'created',
    label: text('Task created', 'Úloha vytvorená'),
    description: text('A task was created.', 'Bola vytvorená úloha.'),
  },
  'task.moved': {
    ...task,
    category: 'moved',
    label: text('Task moved', 'Úloha presunutá'),
    description: text(
      'A task was moved to another stage of its project.',
      'Úloha bola presunutá do inej fázy projektu.',
    ),
  },
  'task.completed': {
    ...task,
    category: 'status',
    leaves: { completed: true },
    label: text('Task completed', 'Úloha dokončená'),
    description: text('A task was completed.', 'Úloha bola dokončená.'),
  },
  'task.overdue': {
    ...task,
    category: 'overdue',
    leaves: { completed: false, due_before: today },
    label: text('Task overdue', 'Úloha po termíne'),
    description: text('The due moment of an open task has passed.', 'Uplynul termín otvorenej úlohy.'),
  },
  'invoice.created': {
    ...invoice,
    category: 'created',
    label: text('Invoice created', 'Faktúra vytvorená'),
    description: text('An invoice was issued.', 'Bola vystavená faktúra.'),
  },
  'invoice.paid': {
    ...invoice,
    category: 'status',
    leaves: { is_paid: true },
    label: text('Invoice paid', 'Faktúra uhradená'),
    description: text('An invoice was paid in full.', 'Faktúra bola celá uhradená.'),
  },
  'invoice.overdue': {
    ...invoice,
    category: 'overdue',
    leaves: { is_overdue: true },
    label: text('Invoice overdue', 'Faktúra po splatnosti'),
    description: text(
      'The due date of an unpaid invoice has passed.',
      'Uplynula splatnosť neuhradenej faktúry.',
    ),
  },
  'quote.accepted': {
    ...quote,
    category: 'status',
    label: text('Quote accepted', 'Ponuka prijatá'),
    description: text('A quote was accepted.', 'Cenová ponuka bola prijatá.'),
  },
  'quote.rejected': {
    ...quote,
    category: 'status',
    label: text('Quote rejected', 'Ponuka odmietnutá'),
    description: text('A quote was rejected.', 'Cenová ponuka bola odmietnutá.'),
  },
  'booking.created': {
    ...booking,
    category: 'created',
    label: text('Booking created', 'Rezervácia vytvorená'),
    description: text('A booking was made.', 'Bola vytvorená rezervácia.'),
  },
  'booking.confirmed': {
    ...booking,
    category: 'status',
    leaves: { status: 'confirmed' },
    label: text('Booking confirmed', 'Rezervácia potvrdená'),
    description: text('A booking was confirmed.', 'Rezervácia bola potvrdená.'),
  },
  'booking.cancelled': {
    ...booking,
    category: 'status',
    leaves: { status: 'cancelled' },
    label: text('Booking cancelled', 'Rezervácia zrušená'),
    description: text('A booking was cancelled.', 'Rezervácia bola zrušená.'),
  },
  'booking.completed': {
    ...booking,
    category: 'status',
    leaves: { status: 'completed' },
    label: text('Booking completed', 'Rezervácia dokončená'),
    description: text('A booked service was provided.', 'Rezervovaná služba bola poskytnutá.'),
  },
  'booking.no_show': {
    ...booking,
    category: 'status',
    leaves: { status: 'no_show' },
    label: text('Booking no-show', 'Zákazník neprišiel'),
    description: text('The customer of a booking did not come.', 'Zákazník na rezerváciu neprišiel.'),
  },
  'product.created': {
    ...product,
    category: 'created',
    label: text('Product created', 'Produkt vytvorený'),
    description: text('A product was created.', 'Bol vytvorený produkt.'),
  },
  'product.updated': {
    ...product,
    category: 'updated',
    label: text('Product updated', 'Produkt zmenený'),
    description: text('Fields of a product were changed.', 'Zmenili sa polia produktu.'),
  },
  'order.created': {
    ...order,
    category: 'created',
    label: text('Order created', 'Objednávka vytvorená'),
    description: text('An order was created.', 'Bola vytvorená objednávka.'),
  },
  'order.confirmed': {
    ...order,
    category: 'status',
    leaves: { status: 'confirmed' },
    label: text('Order confirmed', 'Objednávka potvrdená'),
    description: text('An order was confirmed.', 'Objednávka bola potvrdená.'),
  },
  'order.paid': {
    ...order,
    category: 'status',
    leaves: { payment_status: 'paid' },
    label: text('Order paid', 'Objednávka uhradená'),
    description: text('An order was paid for the first time.', 'Objednávka bola prvýkrát uhradená.'),
  },
  'order.picking': {
    ...order,
    category: 'status',
    leaves: { status: 'picking' },
    label: text('Order picking', 'Objednávka sa pripravuje'),
    description: text('The items of an order are being picked.', 'Položky objednávky sa pripravujú.'),
  },
  'order.packed': {
    ...order,
    category: 'status',
    leaves: { status: 'packed' },
    label: text('Order packed', 'Objednávka zabalená'),
    description: text('An order was packed.', 'Objednávka bola zabalená.'),
  },
  'order.ready_for_pickup': {
    ...order,
    category: 'status',
    leaves: { status: 'ready_for_pickup' },
    label: text('Order ready for pickup', 'Objednávka pripravená na odber'),
    description: text('An order is ready for pickup.', 'Objednávka je pripravená na odber.'),
  },
  'order.shipped': {
    ...order,
    category: 'status',
    leaves: { status: 'shipped' },
    label: text('Order shipped', 'Objednávka odoslaná'),
    description: text('An order was shipped.', 'Objednávka bola odoslaná.'),
  },
  'order.delivered': {
    ...order,
    category: 'status',
    leaves: { status: 'delivered' },
    label: text('Order delivered', 'Objednávka doručená'),
    description: text('An order was delivered.', 'Objednávka bola doručená.'),
  },
  'order.cancelled': {
    ...order,
    category: 'status',
    leaves: { status: 'cancelled' },
    label: text('Order cancelled', 'Objednávka zrušená'),
    description: text('An order was cancelled.', 'Objednávka bola zrušená.'),
  },
  'order.returned': {
    ...order,
    category: 'status',
    leaves: { status: 'returned' },
    label: text('Order returned', 'Objednávka vrátená'),
    description: text('An order was returned.', 'Objednávka bola vrátená.'),
  },
  'order.payment_pending': {
    ...order,
    category: 'payment',
    leaves: { payment_status: 'pending' },
    label: text('Order payment pending', 'Platba objednávky čaká'),
    description: text('The payment of an order is pending.', 'Platba objednávky čaká na spracovanie.'),
  },
  'order.payment_paid': {
    ...order,
    category: 'payment',
    leaves: { payment_status: 'paid' },
    label: text('Order payment paid', 'Platba objednávky prijatá'),
    description: text('The payment of an order was received.', 'Platba objednávky bola prijatá.'),
  },
  'order.payment_refunded': {
    ...order,
    category: 'payment',
    leaves: { payment_status: 'refunded' },
    label: text('Order payment refunded', 'Platba objednávky vrátená'),
    description: text('The payment of an order was refunded.', 'Platba objednávky bola vrátená.'),
  },
  'order.payment_failed': {
    ...order,
    category: 'payment',
    leaves: { payment_status: 'failed' },
    label: text('Order payment failed', 'Platba objednávky zlyhala'),
    description: text('The payment of an order failed.', 'Platba objednávky zlyhala.'),
  },
} as const satisfies Record<string, EventDeclaration>;

export type EventType = keyof typeof events;

export const eventTypes = Object.keys(events).filter((type): type is EventType => type in events);

export const isEventType = (value: string): value is EventType => Object.hasOwn(events, value);

/** The events of a category about records of a resource, in the order of the catalog. */
export const eventsOf = (entity: ResourceName, category: EventCategory): EventType[] =>
  eventTypes.filter((type) => events[type].entity === entity && events[type].category === category);

/** What an event can be filtered by: filters of its record's list, and where its data holds the value of each. */
export function filtersOfEvent(type: EventType): Readonly<Record<string, string>> {
  const { filters = {} }: EventDeclaration = events[type];
  return filters;
}

/** The schema of what an event can be filtered by; undefined where it does not have it. */
export function filterSchemaOf(type: EventType, name: string): z.ZodType | undefined {
  const filters = filtersOfEvent(type);
  const path = Object.hasOwn(filters, name) ? filters[name] : undefined;
  return path === undefined ? undefined : schemaAt(dataSchemaOf(type), path.split('.'));
}

function schemaAt(schema: z.ZodType, [part, ...rest]: readonly string[]): z.ZodType | undefined {
  if (part === undefined) return schema;
  const { bare } = bareSchema(schema);
  const [name = '', isList] = part.endsWith('[]') ? [part.slice(0, -2), true] : [part, false];
  const inner = bare instanceof z.ZodObject ? bareSchema(bare.shape[name] ?? z.never()).bare : undefined;
  const next = isList && inner instanceof z.ZodArray ? bareSchema(inner.element).bare : inner;
  return next instanceof z.ZodType ? schemaAt(next, rest) : undefined;
}

/** The values that an event's data has of something that it can be filtered by. */
export function filteredValuesOf(type: EventType, name: string, data: object): string[] {
  const path = filtersOfEvent(type)[name];
  if (path === undefined) return [];
  let values: unknown[] = [data];
  for (const part of path.split('.')) {
    const key = part.replace('[]', '');
    values = values.flatMap((value) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, key) : [],
    );
  }
  return values.filter((value) => typeof value === 'string');
}

/** Parameters of the record's list that find, at a moment, records in the state that an event leaves. */
export function stateLeftBy(type: EventType, now: Date): Readonly<Record<string, string | boolean>> {
  const { leaves = {} }: EventDeclaration = events[type];
  return Object.fromEntries(
    Object.entries(leaves).map(([name, value]) => [
      name,
      value === today ? now.toISOString().slice(0, 10) : value,
    ]),
  );
}

/** Whether the envelopes of an event carry `changed_fields`: those of every `x.updated`. */
export const isUpdate = (type: EventType): boolean => type.endsWith('.updated');

/**
 * Whether the envelopes of an event carry `previous`: those of every `x.updated`, of moves to another stage, and of
 * every step of an order.
 */
export function tellsPrevious(type: EventType): boolean {
  const { category, entity } = events[type];
  return isUpdate(type) || category === 'moved' || (entity === 'order' && category !== 'created');
}

/**
 * Fields that name a record, that other events tell of alone, or that no event tells of: when it was made, and what
 * is shown on demand.
 */
const neverChanged = new Set([
  'id',
  'uuid',
  'app_url',
  'created_at',
  'updated_at',
  'archived_at',
  'deduplicated',
  'stock_on_hand',
  'stock_available',
]);

/** The fields whose change an event tells of, named in its `changed_fields`; none where it is no `x.updated`. */
export function watchableFields(type: EventType): readonly string[] {
  if (!isUpdate(type)) return [];
  const { namedBeside = [] }: EventDeclaration = events[type];
  return Object.keys(dataSchemaOf(type).shape).filter(
    (name) => !neverChanged.has(name) && !namedBeside.includes(name),
  );
}

/**
 * The fields of an event's data whose former values its `previous` is read for; none where it tells of none.
 * `lead.updated` tells of the other fields that changed together with a stage.
 */
export function formerFields(type: EventType): readonly string[] {
  if (!tellsPrevious(type)) return [];
  const { formerly }: EventDeclaration = events[type];
  return formerly ?? Object.keys(dataSchemaOf(type).shape).filter((name) => !neverChanged.has(name));
}

/** The schema of an event's `data`: the record as its GET answers it. */
export const dataSchemaOf = (type: EventType): z.ZodObject => resources[events[type].entity].schema;
