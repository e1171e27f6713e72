import type { Booking } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { bookingStepsFrom } from './booking-steps.ts';
import { changeBooking } from './change-booking.ts';

/** A change of a booking that no operation of the API makes. */
const decision =
  (change: Parameters<typeof changeBooking>[2]) =>
  (core: Core, organization: OrganizationName, { id }: { id: string }): Promise<Booking> =>
    transact(core, organization, (context) => changeBooking(context, id, change));

/** Confirms a pending booking: `booking.confirmed`. Raises NOT_FOUND or CONFLICT. */
export const confirmBooking = decision({
  from: bookingStepsFrom.confirm,
  event: 'booking.confirmed',
  changes: (now) => ({ status: 'confirmed', confirmed_at: now }),
});

/** The service was rendered: `booking.completed`. From pending or confirmed; raises NOT_FOUND or CONFLICT. */
export const completeBooking = decision({
  from: bookingStepsFrom.complete,
  event: 'booking.completed',
  changes: (now) => ({ status: 'completed', completed_at: now }),
});

/** The customer did not come: `booking.no_show`. From pending or confirmed; raises NOT_FOUND or CONFLICT. */
export const markNoShow = decision({
  from: bookingStepsFrom['no-show'],
  event: 'booking.no_show',
  changes: () => ({ status: 'no_show' }),
});
