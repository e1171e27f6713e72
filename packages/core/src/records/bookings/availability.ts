import { limits } from '@dealkeep/contract';
import { type InputOf, type Reading, type ResultOf, reads } from '../../change/verb/verb.ts';
import { invalidParameter, notFound } from '../../foundations/problem.ts';
import { canChoose, named } from '../../identity/reference-data/reference-data.ts';
import { bookedTime } from './booked-time.ts';

const step = 15 * 60_000;

/** Days of an answer that is not told its end. */
const usualDays = 7;

type Availability = ResultOf<'booking-services.availability'>;
type Query = InputOf<'booking-services.availability'>['query'];

/** The time of a booking, in milliseconds since 1970. */
type Taken = readonly [staff: string, startsAt: number, endsAt: number];

interface Row {
  duration_minutes: number;
  directory_version: number;
  time_zone: string;
  /** Number of days that are asked about, by the calendar of the organization. */
  days: number;
  starts_at: number;
  ends_at: number;
  /** The last one first. */
  taken: Taken[] | null;
}

/**
 * The service, the days in the organization's time zone, and what is booked then, by the condition of
 * `bookings_overlap`.
 */
async function readRow({ sql, organization, now }: Reading, id: string, query: Query): Promise<Row> {
  const { from = null, to = null, staff_id = null } = query;
  const [row] = await sql<Row[]>`
    select s.duration_minutes, o.directory_version, o.time_zone, last.day - first.day + 1 as days,
      (extract(epoch from span.starts_at) * 1000)::float8 as starts_at,
      (extract(epoch from span.ends_at) * 1000)::float8 as ends_at,
      (select json_agg(json_build_array(b.staff_id, extract(epoch from b.starts_at) * 1000,
                                        extract(epoch from b.ends_at) * 1000) order by b.starts_at desc)
       from bookings b
       where b.organization_id = ${organization} and b.staff_id is not null
         and b.status in ('pending', 'confirmed', 'completed')
         and (${staff_id}::uuid is null or b.staff_id = ${staff_id}::uuid)
         and last.day - first.day between 0 and ${limits.availabilityDays - 1}::integer
         and tstzrange(b.starts_at, b.ends_at) && tstzrange(span.starts_at, greatest(
           span.starts_at, span.ends_at + s.duration_minutes * interval '1 minute'))) as taken
    from booking_services s
    cross join (select directory_version, time_zone from organizations where id = ${organization}) o
    cross join lateral (
      select coalesce(${from}::date, (${now}::timestamptz at time zone o.time_zone)::date) as day) first
    cross join lateral (select coalesce(${to}::date, first.day + ${usualDays - 1}::integer) as day) last
    cross join lateral (
      select first.day::timestamp at time zone o.time_zone as starts_at,
             (last.day + 1)::timestamp at time zone o.time_zone as ends_at) span
    where s.organization_id = ${organization} and s.id = ${id} and s.archived_at is null`;
  if (!row) throw notFound();
  return row;
}

/**
 * When a service can be booked with somebody of the staff. An organization without staff books without, at any time.
 * Raises NOT_FOUND, also of a service that is archived, and INVALID_PARAMETER.
 */
export const getAvailability = reads(
  'booking-services.availability',
  async (context, { path, query }): Promise<Availability> => {
    const row = await readRow(context, path.id, query);
    const referenceData = await context.referenceDataAt(row.directory_version);
    const { bookingServices, bookingStaff } = referenceData;
    const { staff_id } = query;
    if (staff_id !== undefined && !canChoose(bookingStaff, staff_id)) {
      throw invalidParameter({ path: 'staff_id', key: 'field.not_found' });
    }
    if (row.days < 1) throw invalidParameter({ path: 'to', key: 'field.before_start' });
    const max = limits.availabilityDays;
    if (row.days > max) throw invalidParameter({ path: 'to', key: 'field.too_many_days', values: { max } });
    const service = named(bookingServices, path.id);
    if (!service) throw notFound();
    const staff = [...bookingStaff.values()].filter(
      ({ id, archived }) => !archived && (staff_id === undefined || id === staff_id),
    );
    const { duration_minutes, time_zone } = row;
    return { service, duration_minutes, time_zone, starts: freeStarts(context, row, staff) };
  },
);

type Staff = Availability['starts'][number]['staff'][number];

function freeStarts({ now }: Reading, row: Row, staff: readonly Staff[]): Availability['starts'] {
  const taken = Map.groupBy(row.taken ?? [], ([id]) => id);
  const { compare } = new Intl.Collator('sk');
  // What lies behind is left behind: the bookings of one do not overlap, and starts are asked in their order.
  const members = staff
    .map(({ id, name }) => ({ id, name, ahead: taken.get(id) ?? [] }))
    .sort((one, other) => compare(one.name, other.name) || (one.id < other.id ? -1 : 1));
  const starts: Availability['starts'] = [];
  for (let at = row.starts_at; at < row.ends_at; at += step) {
    if (at < Date.parse(now)) continue;
    const time = bookedTime(new Date(at).toISOString(), row.duration_minutes);
    if (!time) break;
    const end = Date.parse(time.endsAt);
    const free: Staff[] = [];
    for (const member of members) {
      while ((member.ahead.at(-1)?.[2] ?? Number.POSITIVE_INFINITY) <= at) member.ahead.pop();
      const next = member.ahead.at(-1);
      if (!next || next[1] >= end) free.push({ id: member.id, name: member.name });
    }
    if (free.length > 0 || members.length === 0) {
      starts.push({ starts_at: time.startsAt, ends_at: time.endsAt, staff: free });
    }
  }
  return starts;
}
