/** A day of the calendar: `2026-11-23`. */
export type Day = string;

export const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** One for each time zone, because making one takes far longer than using it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

const clockOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

/** `2026-10-01 15:05:30` of a moment, as clocks in a time zone show it. */
export function clockTime(moment: string, timeZone: string): string {
  const clock = clocks.get(timeZone) ?? clockOf(timeZone);
  clocks.set(timeZone, clock);
  return clock.format(new Date(moment));
}

/** The same as a form has it: `2026-10-01T15:05`. */
export const localTime = (moment: string, timeZone: string): string =>
  clockTime(moment, timeZone).slice(0, -3).replace(' ', 'T');

/** The day of a moment where clocks show this time zone. */
export const dayOf = (moment: string, timeZone: string): Day =>
  clockTime(moment, timeZone).split(' ')[0] ?? '';

/**
 * The moment when clocks in a time zone show a local time, as RFC 3339 in UTC; undefined for what is no local time.
 * A time that is skipped in spring is an hour later, of one that comes twice in autumn it is the first.
 */
export function momentOfLocal(local: string, timeZone: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)$/.exec(local) ?? [];
  if (day === undefined) return undefined;
  const asUtc = Date.parse(`${day}T${time}Z`);
  // JavaScript makes 3 March of 31 February.
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(day)) return undefined;
  const offset = (at: number): number =>
    Date.parse(`${localTime(new Date(at).toISOString(), timeZone)}Z`) - Math.floor(at / 60_000) * 60_000;
  const [before, after] = [asUtc - offset(asUtc - dayMs), asUtc - offset(asUtc + dayMs)];
  const fits = [before, after].filter((at) => at + offset(at) === asUtc);
  return new Date(fits.length > 0 ? Math.min(...fits) : before).toISOString();
}

/** So many days later; earlier for a negative number. */
export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** The next full hour of clocks that show this time zone: `2026-10-01T16:00`. */
export const nextHour = (moment: string, timeZone: string): string =>
  `${localTime(new Date(Date.parse(moment) + hourMs).toISOString(), timeZone).slice(0, 13)}:00`;
