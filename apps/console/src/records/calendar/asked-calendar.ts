import type { Booking } from '@dealkeep/contract';
import { addDays, type Day } from '@dealkeep/core/foundations';
import { runAsUser } from '@dealkeep/core/operations';
import { type ConsoleContext, sessionOf } from '../../context.ts';
import { todayOf } from '../../values/local-time.ts';
import { beginOf, clockAt, isDay, mondayOf, mondayOfWeek, weekOf } from './days.ts';
import { quartersOfDay, type Span } from './lanes.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Which days a calendar shows, and whose bookings. */
export interface AskedCalendar {
  readonly view: 'week' | 'day';
  readonly days: readonly Day[];
  readonly today: Day;
  readonly staff: readonly Person[];
  /** Only of this one; of all when absent. */
  readonly person: Person | undefined;
}

const mostStaff = 100;

/** The calendar of an address: `week=2026-W48` or `day=2026-11-23`, else the week of today. */
export async function askedCalendar(c: ConsoleContext): Promise<AskedCalendar> {
  const today = todayOf(c);
  const query = [
    ['limit', String(mostStaff)],
    ['sort', 'name'],
  ] as const;
  const { data: staff } = await runAsUser(c.get('core'), sessionOf(c), 'booking-staff.list', { query });
  const person = staff.find(({ id }) => id === c.req.query('staff_id'));
  const day = c.req.query('day');
  if (isDay(day)) return { view: 'day', days: [day], today, staff, person };
  const monday = mondayOfWeek(c.req.query('week')) ?? mondayOf(today);
  return { view: 'week', days: [0, 1, 2, 3, 4, 5, 6].map((at) => addDays(monday, at)), today, staff, person };
}

/** The address of a calendar like this one, with another day or view. */
export function calendarAddress(
  { person }: Pick<AskedCalendar, 'person'>,
  view: 'week' | 'day',
  day: Day,
): string {
  const query = new URLSearchParams(view === 'week' ? { week: weekOf(day) } : { day });
  if (person) query.set('staff_id', person.id);
  return `/bookings/calendar?${query}`;
}

/** A booking on one of the days that it is on. */
export type OnDay = Span & { readonly held: Booking; readonly day: Day };

/** The bookings of the days, by what clocks show: one past midnight is on both days. */
export async function bookingsOf(
  c: ConsoleContext,
  { days, person }: AskedCalendar,
): Promise<{ all: readonly OnDay[]; count: number }> {
  const { timeZone } = sessionOf(c).organization;
  const [first = '', last = first] = [days[0], days.at(-1)];
  const query: (readonly [string, string])[] = [
    ['from', beginOf(first, timeZone)],
    ['to', beginOf(addDays(last, 1), timeZone)],
    ...(person ? [['staff_id', person.id] as const] : []),
  ];
  const bookings = await runAsUser(c.get('core'), sessionOf(c), 'bookings.calendar', { query });
  const all = bookings.flatMap((held) => {
    const [start, end] = [clockAt(held.starts_at, timeZone), clockAt(held.ends_at, timeZone)];
    return days
      .filter(
        (day) =>
          day >= start.day && (day < end.day || (day === end.day && (end.minutes > 0 || day === start.day))),
      )
      .map((day) => ({
        held,
        day,
        from: day === start.day ? Math.floor(start.minutes / 15) : 0,
        to: day === end.day ? Math.ceil(end.minutes / 15) : quartersOfDay,
      }));
  });
  return { all, count: bookings.length };
}
