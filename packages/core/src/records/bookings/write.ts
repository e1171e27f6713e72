import type { Booking, EventType, FieldProblem } from '@dealkeep/contract';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { canBeNamed, type Looking } from '../../change/verb/sight.ts';
import { type Changing, type InputOf, isChanging, type ReadContext, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { breaksConstraint } from '../../foundations/database/failures.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import {
  type BookingService,
  canChoose,
  type Named,
  type ReferenceData,
} from '../../identity/reference-data/reference-data.ts';
import { type BookedTime, bookedTime } from './booked-time.ts';
import { bookings } from './record.ts';

type Body = InputOf<'bookings.create'>['body'];

export const createBooking = writes('bookings.create', {
  async check(context, { body }) {
    const { service, time, problems } = bookable(body, await context.referenceData());
    if (problems.length > 0 || !service || !time) throw invalidFields(problems);
    // The table refuses it itself when it is written.
    if (!isChanging(context) && (await isTaken(context, body.staff_id, time))) throw overlap();
    return { service, time };
  },

  async run(context, { body }, { service, time }) {
    const { actor, now } = context;
    const { customer } = body;
    const client = await findParties(context, body);
    const row = await bookings.insertWhole(
      context,
      {
        ...bookings.valuesOf(body),
        id: newId(),
        status: 'pending',
        source: actor.kind === 'session' ? 'console' : 'api',
        starts_at: time.startsAt,
        ends_at: time.endsAt,
        price: service.price,
        currency: service.currency,
        client_id: client?.id ?? null,
        customer_name: customer.name,
        customer_email: customer.email,
        customer_phone: customer.phone,
        created_at: now,
        updated_at: now,
      },
      {
        joined: { client_name: client?.name ?? null, lead_name: null },
        refused: (failure) => (breaksConstraint(failure, 'bookings_overlap') ? overlap() : undefined),
      },
    );
    const created = await bookings.recordOf(context, row);
    context.emit('booking.created', created);
    return created;
  },
});

const overlap = (): Problem => new Problem('booking.overlap', {}, { about: 'starts_at' });

/** The service and the time that a body asks for, as far as they are known, and what is wrong with them. */
function bookable(
  { service_id, staff_id, starts_at }: ValidPart<Body>,
  referenceData: ReferenceData,
): { service?: BookingService | undefined; time?: BookedTime | undefined; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const service = service_id === undefined ? undefined : referenceData.bookingServices.get(service_id);
  const time = starts_at === undefined ? undefined : bookedTime(starts_at, service?.duration_minutes ?? 0);
  if (service_id !== undefined && (!service || service.archived)) {
    problems.push({ path: 'service_id', key: 'field.not_found' });
  }
  if (starts_at !== undefined && !time) problems.push({ path: 'starts_at', key: 'field.invalid_date_time' });
  if (staff_id && !canChoose(referenceData.bookingStaff, staff_id)) {
    problems.push({ path: 'staff_id', key: 'field.not_found' });
  }
  return { service, time, problems };
}

/** Whether somebody has a booking at a time: the condition of the table's exclusion constraint. */
async function isTaken(
  { sql, organization }: ReadContext,
  staffId: string | null | undefined,
  { startsAt, endsAt }: BookedTime,
): Promise<boolean> {
  if (!staffId) return false;
  const [taken] = await sql`
    select 1 from bookings
    where organization_id = ${organization} and staff_id = ${staffId}
      and tstzrange(starts_at, ends_at) && tstzrange(${startsAt}, ${endsAt})
      and status in ('pending', 'confirmed', 'completed')
    limit 1`;
  return taken !== undefined;
}

/**
 * The client whose contact has the customer's e-mail, among those that the actor can name; null unless it is exactly
 * one. The member of staff is locked, so that bookings of one are made one after another. The exclusion constraint
 * alone would refuse overlapping ones, too, but two inserts that wait for each other in it deadlock, and PostgreSQL
 * resolves that only after a second.
 */
async function findParties(
  looking: Looking,
  { customer: { email }, staff_id }: Pick<Body, 'customer' | 'staff_id'>,
): Promise<Named | null> {
  const { sql, organization } = looking;
  if (!email && !staff_id) return null;
  const [found] = await sql<{ clients: Named[] }[]>`
    with staff as (
      select 1 from booking_staff
      where organization_id = ${organization} and id = ${staff_id ?? null} for no key update)
    select (select count(*) from staff) as locked, (
      select coalesce(json_agg(client), '[]') from (
        select distinct k.id, c.name
        from contacts t join clients k on k.organization_id = t.organization_id and k.company_id = t.company_id
        join companies c on c.organization_id = k.organization_id and c.id = k.company_id
        where t.organization_id = ${organization} and comparison_form(t.email) = comparison_form(${email || null})
          and ${canBeNamed(looking, 'contact', 't')} and ${canBeNamed(looking, 'client', 'k')}
        limit 2) client) as clients`;
  const [client, other] = found?.clients ?? [];
  return other === undefined ? (client ?? null) : null;
}

type BookingStep = 'bookings.confirm' | 'bookings.complete' | 'bookings.no-show' | 'bookings.cancel';

/** The states that each step of a booking may start from. */
const bookingStepsFrom: Readonly<Record<BookingStep, readonly Booking['status'][]>> = {
  'bookings.confirm': ['pending'],
  'bookings.complete': ['pending', 'confirmed'],
  'bookings.no-show': ['pending', 'confirmed'],
  'bookings.cancel': ['pending', 'confirmed'],
};

/** What can be done with a booking as it is. */
export const possibleBookingSteps = ({ status }: Pick<Booking, 'status'>): BookingStep[] =>
  (['bookings.confirm', 'bookings.complete', 'bookings.no-show', 'bookings.cancel'] as const).filter((step) =>
    bookingStepsFrom[step].includes(status),
  );

/** A step of a booking: which one, what it writes, what it is called. */
interface Step {
  readonly id: BookingStep;
  readonly event: EventType;
  changes(now: string): Parameters<typeof bookings.update>[2];
}

/** Takes a booking one step further. Raises NOT_FOUND, and CONFLICT in any other state than it may start from. */
async function changeBooking(context: Changing, id: string, step: Step): Promise<Booking> {
  const before = await bookings.lock(context, id);
  if (!bookingStepsFrom[step.id].includes(before.status)) {
    throw new Problem('record.wrong_state', { state: before.status });
  }
  const changedAt = laterOf(context.now, before.updated_at);
  const row = await bookings.update(context, before, { ...step.changes(changedAt), updated_at: changedAt });
  const changed = await bookings.recordOf(context, row);
  context.emit(step.event, changed);
  return changed;
}

export const confirmBooking = writes('bookings.confirm', (context, { path }) =>
  changeBooking(context, path.id, {
    id: 'bookings.confirm',
    event: 'booking.confirmed',
    changes: (now) => ({ status: 'confirmed', confirmed_at: now }),
  }),
);

export const completeBooking = writes('bookings.complete', (context, { path }) =>
  changeBooking(context, path.id, {
    id: 'bookings.complete',
    event: 'booking.completed',
    changes: (now) => ({ status: 'completed', completed_at: now }),
  }),
);

export const markNoShow = writes('bookings.no-show', (context, { path }) =>
  changeBooking(context, path.id, {
    id: 'bookings.no-show',
    event: 'booking.no_show',
    changes: () => ({ status: 'no_show' }),
  }),
);

export const cancelBooking = writes('bookings.cancel', (context, { path, body }) =>
  changeBooking(context, path.id, {
    id: 'bookings.cancel',
    event: 'booking.cancelled',
    changes: (now) => ({
      status: 'cancelled',
      cancelled_at: now,
      cancellation_reason: body.reason ?? null,
    }),
  }),
);
