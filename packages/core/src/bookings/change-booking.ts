import type { Booking, EventType } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import { notFound, Problem } from '../problem.ts';
import type { Changing } from '../verb/verb.ts';
import { type BookingColumns, readBooking } from './booking-record.ts';

/** A step of a booking: the states that it may start from, what it writes, what it is called. */
interface Step {
  readonly from: readonly Booking['status'][];
  readonly event: EventType;
  changes(now: string): Partial<BookingColumns> & Pick<BookingColumns, 'status'>;
}

/** Takes a booking one step further. Raises NOT_FOUND, and CONFLICT in any other state. */
export async function changeBooking(context: Changing, id: string, step: Step): Promise<Booking> {
  const { sql, organization, now } = context;
  const [row] = await sql<BookingColumns[]>`
    select * from bookings where organization_id = ${organization} and id = ${id} for no key update`;
  if (!row) throw notFound();
  if (!step.from.includes(row.status)) throw new Problem('record.wrong_state', { state: row.status });
  const changedAt = laterOf(now, row.updated_at);
  await sql`
    update bookings set ${sql({ ...step.changes(changedAt), updated_at: changedAt })}
    where organization_id = ${organization} and id = ${id}`;
  const changed = await readBooking(context, id);
  context.emit(step.event, changed);
  return changed;
}
