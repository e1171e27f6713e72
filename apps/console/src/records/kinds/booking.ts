import { type Booking, text } from '@dealkeep/contract';
import { possibleBookingSteps } from '@dealkeep/core/records';
import { bookingBegins } from '../beginnings.ts';
import { arrangedColumn, columnLabels } from '../list-cells.ts';
import type { Presentation } from '../presentation.ts';

export const booking: Presentation = {
  resource: 'booking',
  path: '/bookings',
  icon: 'calendar-days',
  group: 'work',
  key: 'b',
  object: text('the booking', 'rezerváciu'),
  createLabel: text('Create booking', 'Vytvoriť rezerváciu'),
  columns: [
    'customer',
    arrangedColumn(columnLabels.when, 'starts_at'),
    'service',
    'staff',
    'status',
    'price',
    'created_at',
  ],
  labels: {
    'customer.name': text('Name', 'Meno'),
    'customer.email': text('E-mail', 'E-mail'),
    'customer.phone': text('Phone', 'Telefón'),
    'customer.company': text('Company', 'Firma'),
    'customer.notes': text('Notes', 'Poznámky'),
    staff: text('With whom', 'U koho'),
    staff_id: text('With whom', 'U koho'),
    source: text('Made by', 'Vytvorená cez'),
    cancellation_reason: text('Why it was cancelled', 'Prečo je zrušená'),
  },
  form: [{ fields: ['service_id', 'starts_at', 'staff_id', 'customer', 'notes'] }],
  begins: bookingBegins,
  page: [
    { heading: columnLabels.when, fields: ['starts_at', 'ends_at', 'service', 'staff', 'status', 'price'] },
    { heading: columnLabels.customer, fields: ['customer', 'client', 'lead'] },
    {
      heading: text('About', 'O rezervácii'),
      fields: ['source', 'confirmed_at', 'completed_at', 'cancelled_at', 'cancellation_reason', 'created_at'],
    },
  ],
  leftOut: {
    page: {
      id: 'the address of the page holds it',
      app_url: 'it is this page',
      currency: 'it stands at the price',
    },
  },
  teaches: text(
    'Times that customers reserved for your services.',
    'Termíny, ktoré si zákazníci rezervovali.',
  ),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can send a text message to everybody who booked.',
    'Automatizácia v Zapieri, n8n alebo Activepieces môže poslať SMS každému, kto si rezervoval termín.',
  ),
  possible: (record) => possibleBookingSteps(record as Booking),
  life: {
    states: [['pending'], ['confirmed'], ['completed', 'no_show']],
    next: ['bookings.confirm', 'bookings.complete'],
  },
  views: [
    {
      name: text('Today', 'Dnes'),
      query: 'sort=starts_at&starts_after=yesterday&starts_before=tomorrow',
    },
    { name: text('To confirm', 'Na potvrdenie'), query: 'sort=starts_at&status=pending' },
  ],
};
