import { randomUUIDv7 } from 'node:crypto';
import type { FieldProblem } from '@dealkeep/contract';
import { breaksConstraint } from '../database/failures.ts';
import { canChoose } from '../directory/directory.ts';
import { invalidFields, Problem } from '../problem.ts';
import { type Changing, writes } from '../verb/verb.ts';
import { bookedTime } from './booked-time.ts';
import { readBooking } from './booking-record.ts';
import { matchClient } from './match-client.ts';

export const createBooking = writes('bookings.create', async (context, { body }) => {
  const { core, sql, organization, credential, now } = context;
  const directory = await core.directories.current(sql, organization);
  const service = directory.bookingServices.get(body.service_id);
  const time = bookedTime(body.starts_at, service?.duration_minutes ?? 0);
  const staffId = body.staff_id ?? null;
  const problems: FieldProblem[] = [];
  if (!service || service.archived) problems.push({ path: 'service_id', key: 'field.not_found' });
  if (!time) problems.push({ path: 'starts_at', key: 'field.invalid_date_time' });
  if (staffId !== null && !canChoose(directory.bookingStaff, staffId)) {
    problems.push({ path: 'staff_id', key: 'field.not_found' });
  }
  if (problems.length > 0 || !service || !time) throw invalidFields(problems);

  const id = randomUUIDv7();
  const booking = {
    organization_id: organization,
    id,
    status: 'pending',
    source: credential.kind === 'session' ? 'console' : 'api',
    starts_at: time.startsAt,
    ends_at: time.endsAt,
    price: service.price,
    currency: service.currency,
    client_id: await matchClient(context, body.customer.email),
    service_id: service.id,
    staff_id: staffId,
    customer_name: body.customer.name,
    customer_email: body.customer.email ?? null,
    customer_phone: body.customer.phone ?? null,
    notes: body.notes ?? null,
    created_at: now,
    updated_at: now,
  };
  if (staffId !== null) await lockStaff(context, staffId);
  try {
    await sql`insert into bookings ${sql(booking)}`;
  } catch (error) {
    if (breaksConstraint(error, 'bookings_overlap')) throw new Problem('booking.overlap');
    throw error;
  }
  const created = await readBooking(context, id);
  context.emit('booking.created', created);
  return created;
});

/**
 * Bookings of one person come one after another. The exclusion constraint alone would keep them apart, too, but two
 * inserts that wait for each other in it are a deadlock, which costs a second.
 */
async function lockStaff({ sql, organization }: Changing, id: string): Promise<void> {
  await sql`
    select 1 from booking_staff where organization_id = ${organization} and id = ${id} for no key update`;
}
