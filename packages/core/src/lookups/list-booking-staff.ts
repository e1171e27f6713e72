import { reads } from '../verb/verb.ts';
import { namedList } from './named-list.ts';

export const listBookingStaff = reads('booking-staff.list', (context, { query }) =>
  namedList(context, query, 'booking-staff.list', {
    table: 'booking_staff',
    columns: ['email'],
    archives: true,
  }),
);
