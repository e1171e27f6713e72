import { reads } from '../verb/verb.ts';
import { namedList } from './named-list.ts';

export const listBookingServices = reads('booking-services.list', (context, { query }) =>
  namedList(context, query, 'booking-services.list', {
    table: 'booking_services',
    columns: ['duration_minutes', 'price', 'currency'],
    archives: true,
  }),
);
