import * as z from 'zod';
import { type EventDeclaration, sampleMoment } from '../event.ts';
import { describe } from '../field.ts';
import { listQuery, search } from '../list-query.ts';
import { consoleOperation, operation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import { appUrlOf, body, createdAt, exampleRef, idOf, record, ref } from '../shapes.ts';
import { text } from '../text.ts';

const texts = {
  client: text('Client', 'Klient'),
  lead: text('Lead', 'Príležitosť'),
  service: text('Service', 'Služba'),
  staff: text('Staff Member', 'Pracovník'),
};
const status = field.choice({
  label: text('Status', 'Stav'),
  choices: {
    pending: text('Pending', 'Čaká'),
    confirmed: text('Confirmed', 'Potvrdená'),
    completed: text('Completed', 'Dokončená'),
    cancelled: text('Cancelled', 'Zrušená'),
    no_show: text('No-Show', 'Nedostavil sa'),
  },
  example: 'pending',
});
const source = field.choice({
  label: text('Source', 'Zdroj'),
  choices: { api: text('API', 'API'), console: text('Console', 'Konzola') },
  example: 'api',
});
const startsAt = field.dateTime({ label: text('Start', 'Začiatok'), example: '2026-10-06T09:00:00.000Z' });
const moment = (en: string, sk: string) =>
  field.dateTime({ label: text(en, sk), example: '2026-10-05T15:40:00.000Z' });
const reason = field.string({
  label: text('Reason', 'Dôvod'),
  example: 'The customer is ill.',
  max: 1000,
  multiline: true,
});
const customer = {
  name: field.name({ label: text('Customer Name', 'Zákazník – meno'), example: 'Eva Šimková', max: 255 }),
  email: field.email({ label: text('Customer Email', 'Zákazník – e-mail'), example: 'eva@customer.example' }),
  phone: field.string({
    label: text('Customer Phone', 'Zákazník – telefón'),
    example: '+421 905 654 321',
    max: 50,
  }),
};
const notes = field.string({
  label: text('Notes', 'Poznámky'),
  example: 'First visit.',
  max: 2000,
  multiline: true,
});
const serviceId = field.reference('booking-service', { label: texts.service });
const staffId = field.reference('booking-staff', { label: texts.staff });
const clientId = field.reference('client', { label: texts.client });

export const bookingLabel = text('Booking', 'Rezervácia');

export const Booking = record(
  'Booking',
  { label: bookingLabel },
  {
    id: idOf(exampleRef.booking),
    status,
    source,
    starts_at: startsAt,
    ends_at: field.dateTime({ label: text('End', 'Koniec'), example: '2026-10-06T10:00:00.000Z' }),
    confirmed_at: moment('Confirmed At', 'Potvrdená').nullable(),
    completed_at: moment('Completed At', 'Dokončená').nullable(),
    cancelled_at: moment('Cancelled At', 'Zrušená').nullable(),
    cancellation_reason: reason.nullable(),
    price: field.amount({ label: text('Price', 'Cena'), example: 45 }).nullable(),
    currency: field.keptCurrency({ label: text('Currency', 'Mena'), example: 'EUR' }).nullable(),
    client: ref(texts.client, exampleRef.client).nullable(),
    lead: ref(texts.lead, exampleRef.lead).nullable(),
    service: ref(texts.service, exampleRef.service).nullable(),
    staff: ref(texts.staff, exampleRef.staff).nullable(),
    customer: describe(
      z.object({
        name: customer.name,
        email: customer.email.nullable(),
        phone: customer.phone.nullable(),
        company: describe(z.string(), {
          label: text('Customer Company', 'Zákazník – firma'),
          example: 'Tatra Bikes s.r.o.',
        }).nullable(),
        notes: notes.nullable(),
      }),
      { label: text('Customer', 'Zákazník'), id: 'BookingCustomer' },
    ),
    created_at: createdAt,
    app_url: appUrlOf('bookings', exampleRef.booking),
  },
);

export const CreateBooking = body(
  'BookingCreate',
  { label: bookingLabel },
  {
    service_id: serviceId,
    starts_at: startsAt,
    customer: body(
      'BookingCustomerCreate',
      { label: text('Customer', 'Zákazník') },
      {
        name: customer.name,
        email: customer.email.nullish(),
        phone: customer.phone.nullish(),
      },
    ),
    staff_id: staffId.nullish(),
    notes: notes.nullish(),
  },
);

export const CancelBooking = body('BookingCancel', { label: bookingLabel }, { reason: reason.nullish() });

const common = { resource: 'booking', answer: Booking } as const;
const read = { ...common, method: 'GET', scope: 'bookings:read', statuses: [200], errors: [] } as const;
const write = {
  ...common,
  method: 'POST',
  scope: 'bookings:write',
  shape: 'record',
  errors: ['CONFLICT'],
} as const;

export const bookingOperations = {
  'bookings.list': operation({
    ...read,
    id: 'bookings.list',
    kind: 'list',
    path: '/bookings',
    query: listQuery(
      {
        q: search(
          text("Part of the customer's name or e-mail.", 'Časť mena alebo e-mailu zákazníka.'),
          'šimková',
        ),
        status: status.optional(),
        service_id: serviceId.optional(),
        staff_id: staffId.optional(),
        client_id: clientId.optional(),
        email: customer.email.optional(),
        starts_after: field
          .dateTime({
            label: text('Starts After', 'Začína po'),
            help: text(
              'Only bookings that start after this moment.',
              'Len rezervácie, ktoré sa začínajú po tomto okamihu.',
            ),
            example: '2026-10-01T00:00:00.000Z',
          })
          .optional(),
        starts_before: field
          .dateTime({
            label: text('Starts Before', 'Začína pred'),
            help: text(
              'Only bookings that start before this moment.',
              'Len rezervácie, ktoré sa začínajú pred týmto okamihom.',
            ),
            example: '2026-11-01T00:00:00.000Z',
          })
          .optional(),
      },
      ['starts_at'],
    ),
    shape: 'list',
    title: text('List bookings', 'Zoznam rezervácií'),
    about: text('Bookings of the organization, page by page.', 'Rezervácie organizácie po stránkach.'),
  }),
  'bookings.create': operation({
    ...write,
    id: 'bookings.create',
    kind: 'create',
    path: '/bookings',
    body: CreateBooking,
    statuses: [201],
    emits: ['booking.created'],
    title: text('Create a booking', 'Vytvoriť rezerváciu'),
    about: text(
      'Books a service; its end follows from the duration. A staff member is booked once at a time.',
      'Rezervuje službu; koniec vyplýva z trvania. Pracovník môže mať v jednom čase len jednu rezerváciu.',
    ),
    instruction:
      'Create a booking of a service. Its end follows from the duration. A staff member is booked once at a time.',
  }),
  'bookings.get': operation({
    ...read,
    id: 'bookings.get',
    kind: 'get',
    path: '/bookings/{id}',
    shape: 'record',
    title: text('Get a booking', 'Zobraziť rezerváciu'),
    about: text('One booking.', 'Jedna rezervácia.'),
  }),
  'bookings.cancel': operation({
    ...write,
    id: 'bookings.cancel',
    kind: 'action',
    path: '/bookings/{id}/cancel',
    body: CancelBooking,
    statuses: [200],
    emits: ['booking.cancelled'],
    title: text('Cancel a booking', 'Zrušiť rezerváciu'),
    about: text('Cancels a pending or confirmed booking.', 'Zruší čakajúcu alebo potvrdenú rezerváciu.'),
    instruction: 'Cancel a pending or confirmed booking.',
    destructive: true,
    step: { label: text('Cancel', 'Zrušiť'), asks: true },
  }),
};

const step = {
  ...common,
  kind: 'action',
  method: 'POST',
  permissions: ['booking.edit'],
  shape: 'record',
  errors: ['CONFLICT'],
} as const;

/** Moments between which a calendar is read. */
const between = (en: string, sk: string) =>
  field.dateTime({ label: text(en, sk), example: '2026-10-05T22:00:00.000Z' });

export const bookingConsoleOperations = {
  'bookings.calendar': consoleOperation({
    id: 'bookings.calendar',
    resource: 'booking',
    kind: 'list',
    method: 'GET',
    path: '/bookings/calendar',
    permissions: ['booking.view'],
    query: z.strictObject({
      from: between('From', 'Od'),
      to: between('To', 'Do'),
      staff_id: staffId.optional(),
    }),
    answer: z.array(Booking),
    shape: 'bare',
    errors: [],
    title: text('List the bookings of some days', 'Zoznam rezervácií niekoľkých dní'),
    about: text(
      'Those that take place between two moments and were not cancelled, by their start; the first 500.',
      'Tie, ktoré sa konajú medzi dvoma okamihmi a nie sú zrušené, podľa začiatku; prvých 500.',
    ),
  }),
  'bookings.confirm': consoleOperation({
    ...step,
    id: 'bookings.confirm',
    path: '/bookings/{id}/confirm',
    emits: ['booking.confirmed'],
    title: text('Confirm a booking', 'Potvrdiť rezerváciu'),
    about: text('The customer can count on it.', 'Zákazník s ňou môže počítať.'),
    step: { label: text('Confirm', 'Potvrdiť'), asks: false },
  }),
  'bookings.complete': consoleOperation({
    ...step,
    id: 'bookings.complete',
    path: '/bookings/{id}/complete',
    emits: ['booking.completed'],
    title: text('Complete a booking', 'Dokončiť rezerváciu'),
    about: text(
      'The service was rendered. This cannot be taken back.',
      'Služba bola poskytnutá. Nedá sa to vrátiť.',
    ),
    step: { label: text('Complete', 'Dokončiť'), asks: true },
  }),
  'bookings.no-show': consoleOperation({
    ...step,
    id: 'bookings.no-show',
    path: '/bookings/{id}/no-show',
    emits: ['booking.no_show'],
    title: text('Note that the customer did not come', 'Zaznamenať, že zákazník neprišiel'),
    about: text(
      'The customer did not come. This cannot be taken back.',
      'Zákazník neprišiel. Nedá sa to vrátiť.',
    ),
    destructive: true,
    step: { label: text('No-show', 'Zákazník neprišiel'), asks: true },
  }),
};

/** Over by the moment of the event. */
const past = { starts_at: '2026-10-01T12:00:00.000Z', ends_at: '2026-10-01T13:00:00.000Z' };
const told = {
  entity: 'booking',
  scope: 'bookings:read',
  filters: { status: 'status', service_id: 'service.id', staff_id: 'staff.id' },
} as const;

const events = {
  'booking.created': {
    ...told,
    category: 'created',
    label: text('Booking created', 'Rezervácia vytvorená'),
    description: text('A booking was made.', 'Bola vytvorená rezervácia.'),
  },
  'booking.confirmed': {
    ...told,
    category: 'status',
    leaves: { status: 'confirmed' },
    label: text('Booking confirmed', 'Rezervácia potvrdená'),
    description: text('A booking was confirmed.', 'Rezervácia bola potvrdená.'),
    sample: { status: 'confirmed', confirmed_at: sampleMoment },
  },
  'booking.cancelled': {
    ...told,
    category: 'status',
    leaves: { status: 'cancelled' },
    label: text('Booking cancelled', 'Rezervácia zrušená'),
    description: text('A booking was cancelled.', 'Rezervácia bola zrušená.'),
    sample: {
      status: 'cancelled',
      cancelled_at: sampleMoment,
      cancellation_reason: 'The customer is ill.',
    },
  },
  'booking.completed': {
    ...told,
    category: 'status',
    leaves: { status: 'completed' },
    label: text('Booking completed', 'Rezervácia dokončená'),
    description: text('A booked service was provided.', 'Rezervovaná služba bola poskytnutá.'),
    sample: {
      ...past,
      status: 'completed',
      confirmed_at: '2026-09-30T08:30:00.000Z',
      completed_at: sampleMoment,
    },
  },
  'booking.no_show': {
    ...told,
    category: 'status',
    leaves: { status: 'no_show' },
    label: text('Booking no-show', 'Zákazník neprišiel'),
    description: text('The customer of a booking did not come.', 'Zákazník na rezerváciu neprišiel.'),
    sample: { ...past, status: 'no_show', confirmed_at: '2026-09-30T08:30:00.000Z' },
  },
} as const satisfies Record<string, EventDeclaration>;

export const booking = {
  label: bookingLabel,
  plural: text('Bookings', 'Rezervácie'),
  schema: Booking,
  kind: 'record',
  brief: [
    'id',
    'status',
    'starts_at',
    'ends_at',
    'service',
    'staff',
    'customer',
    'price',
    'currency',
    'app_url',
  ],
  collection: 'bookings',
  example: exampleRef.booking,
  reference: { list: 'bookings.list', get: 'bookings.get', names: ['customer.name'], apart: ['starts_at'] },
  scope: 'bookings:read',
  permission: 'booking.view',
  toolSet: 'work',
  operations: bookingOperations,
  consoleOperations: bookingConsoleOperations,
  events,
  calm: { confirmed_at: null, completed_at: null, cancelled_at: null, cancellation_reason: null },
} as const satisfies RecordDeclaration;
