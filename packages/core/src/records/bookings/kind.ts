import { column, field } from '../../change/record-tables/erased.ts';
import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { bookings, countBookings, getBooking, listBookings, listCalendar, sumBookings } from './record.ts';
import { cancelBooking, completeBooking, confirmBooking, createBooking, markNoShow } from './write.ts';

export const booking = {
  table: bookings,
  verbs: {
    'bookings.list': listBookings,
    'bookings.count': countBookings,
    'bookings.sum': sumBookings,
    'bookings.calendar': listCalendar,
    'bookings.create': createBooking,
    'bookings.get': getBooking,
    'bookings.cancel': cancelBooking,
    'bookings.confirm': confirmBooking,
    'bookings.complete': completeBooking,
    'bookings.no-show': markNoShow,
  },
  erased: {
    with: [
      { kind: 'client', column: 'client_id' },
      { kind: 'lead', column: 'lead_id' },
    ],
    columns: {
      customer_name: column.text,
      customer_email: column.nothing,
      customer_phone: column.nothing,
      customer_company: column.nothing,
      notes: column.nothing,
      cancellation_reason: column.nothing,
    },
    fields: {
      customer: {
        fields: {
          name: field.text,
          email: field.nothing,
          phone: field.nothing,
          company: field.nothing,
          notes: field.nothing,
        },
      },
      cancellation_reason: field.nothing,
    },
  },
} as const satisfies RecordKind;
