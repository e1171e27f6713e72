import type { Booking } from '@dealkeep/contract';

export type BookingStep = 'confirm' | 'complete' | 'no-show' | 'cancel';

/** The states that each step of a booking may start from. */
export const bookingStepsFrom: Readonly<Record<BookingStep, readonly Booking['status'][]>> = {
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
