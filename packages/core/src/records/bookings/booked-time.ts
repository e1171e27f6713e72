/** The last moment that RFC 3339 can write. */
const lastMoment = '9999-12-31T23:59:59.999Z';

export interface BookedTime {
  startsAt: string;
  endsAt: string;
}

/** Start and end of a booking in UTC with milliseconds; undefined when the end lies beyond the year 9999. */
export function bookedTime(startsAt: string, durationMinutes: number): BookedTime | undefined {
  const start = new Date(startsAt);
  const end = new Date(start.getTime() + durationMinutes * 60_000);
  if (Number.isNaN(end.getTime()) || end > new Date(lastMoment)) return undefined;
  return { startsAt: start.toISOString(), endsAt: end.toISOString() };
}
