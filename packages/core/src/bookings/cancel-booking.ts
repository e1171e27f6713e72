import { writes } from '../verb/verb.ts';
import { bookingStepsFrom } from './booking-steps.ts';
import { changeBooking } from './change-booking.ts';

export const cancelBooking = writes('bookings.cancel', (context, { path, body }) =>
  changeBooking(context, path.id, {
    from: bookingStepsFrom.cancel,
    event: 'booking.cancelled',
    changes: (now) => ({
      status: 'cancelled',
      cancelled_at: now,
      cancellation_reason: body.reason ?? null,
    }),
  }),
);
