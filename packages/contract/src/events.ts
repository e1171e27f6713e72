import type * as z from 'zod';
import { type ResourceName, resources } from './resources.ts';
import type { Scope } from './scopes.ts';
import { type Text, text } from './text.ts';

export interface EventDeclaration {
  readonly label: Text;
  readonly description: Text;
  readonly entity: ResourceName;
  /** The scope that reading its data needs. */
  readonly scope: Scope;
  /** Of an `x.updated`: the fields whose change it tells of; its envelope names them in `changed_fields`. */
  readonly watchable?: readonly string[];
  /**
   * Fields that `changed_fields` names only beside a watchable one, because the same request changed them, too: another
   * event tells of them, or none. Nobody can wait for them here.
   */
  readonly namedBeside?: readonly string[];
}

const lead = { entity: 'lead', scope: 'leads:read' } as const;
const company = { entity: 'company', scope: 'companies:read' } as const;
const client = { entity: 'client', scope: 'clients:read' } as const;
const activity = { entity: 'activity', scope: 'activities:read' } as const;
const task = { entity: 'task', scope: 'tasks:read' } as const;
const invoice = { entity: 'invoice', scope: 'invoices:read' } as const;
const quote = { entity: 'quote', scope: 'invoices:read' } as const;
const booking = { entity: 'booking', scope: 'bookings:read' } as const;
const product = { entity: 'product', scope: 'products:read' } as const;
const order = { entity: 'order', scope: 'orders:read' } as const;
const contact = { entity: 'contact', scope: 'companies:read' } as const;

/** The event catalog (rules events 1 and 2). Only what is really emitted stands here. */
export const events = {
  'lead.created': {
    ...lead,
    label: text('Lead created', 'Príležitosť vytvorená'),
    description: text('A lead was created.', 'Bola vytvorená príležitosť.'),
  },
  'lead.updated': {
    ...lead,
    watchable: [
      'name',
      'value',
      'acquisition_cost',
      'expected_close_date',
      'note',
      'tags',
      'company',
      'contact',
      'client',
      'owner',
      'assignees',
      'origin',
    ],
    namedBeside: [
      'status',
      'pipeline',
      'stage',
      'stage_entered_at',
      'won_at',
      'lost_at',
      'lost_reason',
      'lost_note',
    ],
    label: text('Lead updated', 'Príležitosť zmenená'),
    description: text(
      'Fields of a lead other than its stage were changed.',
      'Zmenili sa polia príležitosti okrem fázy.',
    ),
  },
  'lead.archived': {
    ...lead,
    label: text('Lead archived', 'Príležitosť archivovaná'),
    description: text('A lead was archived.', 'Príležitosť bola archivovaná.'),
  },
  'lead.stage_changed': {
    ...lead,
    label: text('Lead stage changed', 'Fáza príležitosti zmenená'),
    description: text('A lead was moved to another stage.', 'Príležitosť bola presunutá do inej fázy.'),
  },
  'lead.won': {
    ...lead,
    label: text('Lead won', 'Príležitosť vyhratá'),
    description: text('A lead reached a won stage.', 'Príležitosť sa dostala do vyhratej fázy.'),
  },
  'lead.lost': {
    ...lead,
    label: text('Lead lost', 'Príležitosť prehratá'),
    description: text('A lead reached a lost stage.', 'Príležitosť sa dostala do prehratej fázy.'),
  },
  'company.created': {
    ...company,
    label: text('Company created', 'Firma vytvorená'),
    description: text('A company was created.', 'Bola vytvorená firma.'),
  },
  'company.updated': {
    ...company,
    watchable: [
      'name',
      'address',
      'country_code',
      'email',
      'phone',
      'registration_id',
      'tax_id',
      'vat_id',
      'note',
      'owner',
      'tags',
      'custom_fields',
    ],
    namedBeside: ['contacts'],
    label: text('Company updated', 'Firma zmenená'),
    description: text('Fields of a company were changed.', 'Zmenili sa polia firmy.'),
  },
  'contact.created': {
    ...contact,
    label: text('Contact created', 'Kontakt vytvorený'),
    description: text('A contact was created.', 'Bol vytvorený kontakt.'),
  },
  'contact.updated': {
    ...contact,
    watchable: ['name', 'company', 'email', 'emails', 'phone', 'phones', 'position', 'is_primary', 'note'],
    label: text('Contact updated', 'Kontakt zmenený'),
    description: text('Fields of a contact were changed.', 'Zmenili sa polia kontaktu.'),
  },
  'client.created': {
    ...client,
    label: text('Client created', 'Klient vytvorený'),
    description: text('A company was made a client.', 'Z firmy sa stal klient.'),
  },
  'client.updated': {
    ...client,
    watchable: ['company', 'owner', 'note', 'reference_code', 'reference_name', 'reference_valid_until'],
    label: text('Client updated', 'Klient zmenený'),
    description: text('Fields of a client were changed.', 'Zmenili sa polia klienta.'),
  },
  'activity.created': {
    ...activity,
    label: text('Activity created', 'Aktivita vytvorená'),
    description: text('An activity was planned.', 'Bola naplánovaná aktivita.'),
  },
  'activity.completed': {
    ...activity,
    label: text('Activity completed', 'Aktivita dokončená'),
    description: text('An activity was completed.', 'Aktivita bola dokončená.'),
  },
  'activity.cancelled': {
    ...activity,
    label: text('Activity cancelled', 'Aktivita zrušená'),
    description: text('An activity was cancelled.', 'Aktivita bola zrušená.'),
  },
  'task.created': {
    ...task,
    label: text('Task created', 'Úloha vytvorená'),
    description: text('A task was created.', 'Bola vytvorená úloha.'),
  },
  'task.moved': {
    ...task,
    label: text('Task moved', 'Úloha presunutá'),
    description: text(
      'A task was moved to another stage of its project.',
      'Úloha bola presunutá do inej fázy projektu.',
    ),
  },
  'task.completed': {
    ...task,
    label: text('Task completed', 'Úloha dokončená'),
    description: text('A task was completed.', 'Úloha bola dokončená.'),
  },
  'task.overdue': {
    ...task,
    label: text('Task overdue', 'Úloha po termíne'),
    description: text('The due moment of an open task has passed.', 'Uplynul termín otvorenej úlohy.'),
  },
  'invoice.created': {
    ...invoice,
    label: text('Invoice created', 'Faktúra vytvorená'),
    description: text('An invoice was issued.', 'Bola vystavená faktúra.'),
  },
  'invoice.paid': {
    ...invoice,
    label: text('Invoice paid', 'Faktúra uhradená'),
    description: text('An invoice was paid in full.', 'Faktúra bola celá uhradená.'),
  },
  'invoice.overdue': {
    ...invoice,
    label: text('Invoice overdue', 'Faktúra po splatnosti'),
    description: text(
      'The due date of an unpaid invoice has passed.',
      'Uplynula splatnosť neuhradenej faktúry.',
    ),
  },
  'quote.accepted': {
    ...quote,
    label: text('Quote accepted', 'Ponuka prijatá'),
    description: text('A quote was accepted.', 'Cenová ponuka bola prijatá.'),
  },
  'quote.rejected': {
    ...quote,
    label: text('Quote rejected', 'Ponuka odmietnutá'),
    description: text('A quote was rejected.', 'Cenová ponuka bola odmietnutá.'),
  },
  'booking.created': {
    ...booking,
    label: text('Booking created', 'Rezervácia vytvorená'),
    description: text('A booking was made.', 'Bola vytvorená rezervácia.'),
  },
  'booking.confirmed': {
    ...booking,
    label: text('Booking confirmed', 'Rezervácia potvrdená'),
    description: text('A booking was confirmed.', 'Rezervácia bola potvrdená.'),
  },
  'booking.cancelled': {
    ...booking,
    label: text('Booking cancelled', 'Rezervácia zrušená'),
    description: text('A booking was cancelled.', 'Rezervácia bola zrušená.'),
  },
  'booking.completed': {
    ...booking,
    label: text('Booking completed', 'Rezervácia dokončená'),
    description: text('A booked service was provided.', 'Rezervovaná služba bola poskytnutá.'),
  },
  'booking.no_show': {
    ...booking,
    label: text('Booking no-show', 'Zákazník neprišiel'),
    description: text('The customer of a booking did not come.', 'Zákazník na rezerváciu neprišiel.'),
  },
  'product.created': {
    ...product,
    label: text('Product created', 'Produkt vytvorený'),
    description: text('A product was created.', 'Bol vytvorený produkt.'),
  },
  'product.updated': {
    ...product,
    watchable: [
      'sku',
      'ean',
      'name',
      'description',
      'price',
      'discounted_price',
      'active',
      'category_uuid',
      'images',
      'attachments',
    ],
    label: text('Product updated', 'Produkt zmenený'),
    description: text('Fields of a product were changed.', 'Zmenili sa polia produktu.'),
  },
  'order.created': {
    ...order,
    label: text('Order created', 'Objednávka vytvorená'),
    description: text('An order was created.', 'Bola vytvorená objednávka.'),
  },
  'order.confirmed': {
    ...order,
    label: text('Order confirmed', 'Objednávka potvrdená'),
    description: text('An order was confirmed.', 'Objednávka bola potvrdená.'),
  },
  'order.paid': {
    ...order,
    label: text('Order paid', 'Objednávka uhradená'),
    description: text('An order was paid for the first time.', 'Objednávka bola prvýkrát uhradená.'),
  },
  'order.picking': {
    ...order,
    label: text('Order picking', 'Objednávka sa pripravuje'),
    description: text('The items of an order are being picked.', 'Položky objednávky sa pripravujú.'),
  },
  'order.packed': {
    ...order,
    label: text('Order packed', 'Objednávka zabalená'),
    description: text('An order was packed.', 'Objednávka bola zabalená.'),
  },
  'order.ready_for_pickup': {
    ...order,
    label: text('Order ready for pickup', 'Objednávka pripravená na odber'),
    description: text('An order is ready for pickup.', 'Objednávka je pripravená na odber.'),
  },
  'order.shipped': {
    ...order,
    label: text('Order shipped', 'Objednávka odoslaná'),
    description: text('An order was shipped.', 'Objednávka bola odoslaná.'),
  },
  'order.delivered': {
    ...order,
    label: text('Order delivered', 'Objednávka doručená'),
    description: text('An order was delivered.', 'Objednávka bola doručená.'),
  },
  'order.cancelled': {
    ...order,
    label: text('Order cancelled', 'Objednávka zrušená'),
    description: text('An order was cancelled.', 'Objednávka bola zrušená.'),
  },
  'order.returned': {
    ...order,
    label: text('Order returned', 'Objednávka vrátená'),
    description: text('An order was returned.', 'Objednávka bola vrátená.'),
  },
  'order.payment_pending': {
    ...order,
    label: text('Order payment pending', 'Platba objednávky čaká'),
    description: text('The payment of an order is pending.', 'Platba objednávky čaká na spracovanie.'),
  },
  'order.payment_paid': {
    ...order,
    label: text('Order payment paid', 'Platba objednávky prijatá'),
    description: text('The payment of an order was received.', 'Platba objednávky bola prijatá.'),
  },
  'order.payment_refunded': {
    ...order,
    label: text('Order payment refunded', 'Platba objednávky vrátená'),
    description: text('The payment of an order was refunded.', 'Platba objednávky bola vrátená.'),
  },
  'order.payment_failed': {
    ...order,
    label: text('Order payment failed', 'Platba objednávky zlyhala'),
    description: text('The payment of an order failed.', 'Platba objednávky zlyhala.'),
  },
} as const satisfies Record<string, EventDeclaration>;

export type EventType = keyof typeof events;

export const eventTypes = Object.keys(events).filter((type): type is EventType => type in events);

export const isEventType = (value: string): value is EventType => Object.hasOwn(events, value);

/** Whether the envelopes of an event carry `changed_fields`: those of every `x.updated`. */
export function isUpdate(type: EventType): boolean {
  return watchableFields(type).length > 0;
}

/** The fields whose change an event tells of; none where it is no `x.updated`. */
export function watchableFields(type: EventType): readonly string[] {
  const { watchable = [] }: EventDeclaration = events[type];
  return watchable;
}

/** The schema of an event's `data`: the record as its GET answers it. */
export const dataSchemaOf = (type: EventType): z.ZodObject => resources[events[type].entity].schema;
