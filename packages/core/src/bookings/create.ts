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
import { bookings } from './record.ts';

type Body = InputOf<'bookings.create'>['body'];

const create = async (
  context: Writing,
  { body }: InputOf<'bookings.create'>,
): Promise<ResultOf<'bookings.create'>> => {
  const { credential, now } = context;
  const directory = await context.directory();
  const { service, time, problems } = bookable(body, directory);
  if (problems.length > 0 || !service || !time) throw invalidFields(problems);

  const { customer } = body;
  const clientId = await findParties(context, body);
  try {
    const row = await bookings.insert(context, {
      ...bookings.valuesOf(body),
      id: randomUUIDv7(),
      status: 'pending',
      source: credential.kind === 'session' ? 'console' : 'api',
      starts_at: time.startsAt,
      ends_at: time.endsAt,
      price: service.price,
      currency: service.currency,
      client_id: clientId,
      customer_name: customer.name,
      customer_email: customer.email,
      customer_phone: customer.phone,
      created_at: now,
      updated_at: now,
    });
    const created = await bookings.recordOf(context, row);
    context.emit('booking.created', created);
    return created;
  } catch (error) {
    if (breaksConstraint(error, 'bookings_overlap')) {
      throw new Problem('booking.overlap', {}, { about: 'starts_at' });
    }
    throw error;
  }
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

/**
 * The client whose contact has the customer's e-mail; null unless it is exactly one. The member of staff is locked, so that
 * bookings of one are made one after another. The exclusion constraint alone would refuse overlapping ones, too, but two
 * inserts that wait for each other in it deadlock, and PostgreSQL resolves that only after a second.
 */
async function findParties(
  { sql, organization }: Changing,
  { customer: { email }, staff_id }: Pick<Body, 'customer' | 'staff_id'>,
): Promise<string | null> {
  if (!email && !staff_id) return null;
  const [found] = await sql<{ clients: string[] }[]>`
    with staff as (
      select from booking_staff
      where organization_id = ${organization} and id = ${staff_id ?? null} for no key update)
    select (select count(*) from staff) as locked, array(
      select distinct k.id
      from contacts t join clients k on k.organization_id = t.organization_id and k.company_id = t.company_id
      where t.organization_id = ${organization} and lower(t.email) = lower(${email || null})
      limit 2) as clients`;
  const [client, other] = found?.clients ?? [];
  return other === undefined ? (client ?? null) : null;
}
