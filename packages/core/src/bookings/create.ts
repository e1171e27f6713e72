import { randomUUIDv7 } from 'node:crypto';
import type { FieldProblem } from '@dealkeep/contract';
import { breaksConstraint } from '../database/failures.ts';
import { type BookingService, canChoose, type Directory } from '../directory/directory.ts';
import { invalidFields, Problem } from '../problem.ts';
import type { Refused, ValidPart } from '../verb/check-input.ts';
import {
  type Changing,
  type InputOf,
  type Reading,
  type ResultOf,
  type Writing,
  writes,
} from '../verb/verb.ts';
import { readBooking } from './record.ts';

type Body = InputOf<'bookings.create'>['body'];

const create = async (
  context: Writing,
  { body }: InputOf<'bookings.create'>,
): Promise<ResultOf<'bookings.create'>> => {
  const { sql, organization, credential, now } = context;
  const directory = await context.directory();
  const staffId = body.staff_id ?? null;
  const { service, time, problems } = bookable(body, directory);
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
    if (breaksConstraint(error, 'bookings_overlap'))
      throw new Problem('booking.overlap', {}, { about: 'starts_at' });
    throw error;
  }
  const created = await readBooking(context, id);
  context.emit('booking.created', created);
  return created;
};

export const createBooking = writes('bookings.create', create, { further });

/** The service and the time that a body asks for, as far as they are known, and what is wrong with them. */
function bookable(
  { service_id, staff_id, starts_at }: ValidPart<Body>,
  directory: Directory,
): { service?: BookingService | undefined; time?: BookedTime | undefined; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const service = service_id === undefined ? undefined : directory.bookingServices.get(service_id);
  const time = starts_at === undefined ? undefined : bookedTime(starts_at, service?.duration_minutes ?? 0);
  if (service_id !== undefined && (!service || service.archived)) {
    problems.push({ path: 'service_id', key: 'field.not_found' });
  }
  if (starts_at !== undefined && !time) problems.push({ path: 'starts_at', key: 'field.invalid_date_time' });
  if (staff_id && !canChoose(directory.bookingStaff, staff_id)) {
    problems.push({ path: 'staff_id', key: 'field.not_found' });
  }
  return { service, time, problems };
}

async function further(context: Reading, { part }: Refused<Body>): Promise<readonly FieldProblem[]> {
  const { sql, organization } = context;
  const { service, time, problems } = bookable(part, await context.directory());
  if (problems.length > 0 || !service || !time || !part.staff_id) return problems;
  // The condition of the table's exclusion constraint, asked before it so that the refusal can be told well.
  const [taken] = await sql`
    select from bookings
    where organization_id = ${organization} and staff_id = ${part.staff_id}
      and tstzrange(starts_at, ends_at) && tstzrange(${time.startsAt}, ${time.endsAt})
      and status in ('pending', 'confirmed', 'completed')
    limit 1`;
  return taken ? [{ path: 'starts_at', key: 'booking.overlap' }] : [];
}

/**
 * Lets bookings of one member of staff be made one after another. The exclusion constraint alone would refuse
 * overlapping ones, too, but two inserts that wait for each other in it deadlock, and PostgreSQL resolves that only
 * after a second.
 */
async function lockStaff({ sql, organization }: Changing, id: string): Promise<void> {
  await sql`
    select 1 from booking_staff where organization_id = ${organization} and id = ${id} for no key update`;
}

/** The last moment that RFC 3339 can write. */
const lastMoment = '9999-12-31T23:59:59.999Z';

interface BookedTime {
  startsAt: string;
  endsAt: string;
}

/** Start and end of a booking in UTC with milliseconds; undefined when the end lies beyond the year 9999. */
function bookedTime(startsAt: string, durationMinutes: number): BookedTime | undefined {
  const start = new Date(startsAt);
  const end = new Date(start.getTime() + durationMinutes * 60_000);
  if (Number.isNaN(end.getTime()) || end > new Date(lastMoment)) return undefined;
  return { startsAt: start.toISOString(), endsAt: end.toISOString() };
}

/** The client whose contact has this e-mail; null unless it is exactly one. */
async function matchClient(
  { sql, organization }: Changing,
  email: string | null | undefined,
): Promise<string | null> {
  if (!email) return null;
  const clients = await sql<{ id: string }[]>`
    select distinct k.id
    from contacts t join clients k on k.organization_id = t.organization_id and k.company_id = t.company_id
    where t.organization_id = ${organization} and lower(t.email) = lower(${email})
    limit 2`;
  return clients.length === 1 ? (clients[0]?.id ?? null) : null;
}
