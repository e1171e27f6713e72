import { reads } from '../verb/verb.ts';
import { readBooking } from './booking-record.ts';

export const getBooking = reads('bookings.get', (context, { path }) => readBooking(context, path.id));
