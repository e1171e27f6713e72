import { reads } from '../verb/verb.ts';
import { namedList } from './named-list.ts';

export const listBookingServices = reads('booking-services.list', (context, { query }) =>
  namedList(context, query, 'booking-services.list', 'booking_services', [
    'duration_minutes',
    'price',
    'currency',
  ]),
);
