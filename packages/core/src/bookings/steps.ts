import type { Booking, EventType } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { Problem } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { type Changing, writes } from '../verb/verb.ts';
import { bookings } from './record.ts';

export type BookingStep = 'confirm' | 'complete' | 'no-show' | 'cancel';

/** The states that each step of a booking may start from. */
const bookingStepsFrom: Readonly<Record<BookingStep, readonly Booking['status'][]>> = {
  confirm: ['pending'],
  complete: ['pending', 'confirmed'],
  'no-show': ['pending', 'confirmed'],
  cancel: ['pending', 'confirmed'],
};

/** What can be done with a booking as it is. */
export const possibleBookingSteps = ({ status }: Pick<Booking, 'status'>): BookingStep[] =>
  (['confirm', 'complete', 'no-show', 'cancel'] as const).filter((step) =>
    bookingStepsFrom[step].includes(status),
  );

/** A step of a booking: the states that it may start from, what it writes, what it is called. */
interface Step {
  readonly from: readonly Booking['status'][];
  readonly event: EventType;
  changes(now: string): Parameters<typeof bookings.update>[2];
}

/** Takes a booking one step further. Raises NOT_FOUND, and CONFLICT in any other state. */
async function changeBooking(context: Changing, id: string, step: Step): Promise<Booking> {
  const before = await bookings.lock(context, id);
  if (!step.from.includes(before.status)) throw new Problem('record.wrong_state', { state: before.status });
  const changedAt = laterOf(context.now, before.updated_at);
  const row = await bookings.update(context, id, { ...step.changes(changedAt), updated_at: changedAt });
  const changed = await bookings.recordOf(context, row);
  context.emit(step.event, changed);
  return changed;
}

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
