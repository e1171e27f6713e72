import { addDays, type Day, dayMs, localTime, momentOfLocal } from '@dealkeep/core/foundations';

const momentOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

export const isDay = (text: string | undefined): text is Day =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? '') && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

/** The Monday of a day's week. */
export const mondayOf = (day: Day): Day => addDays(day, -((new Date(momentOf(day)).getUTCDay() + 6) % 7));

/** The week of a day as ISO 8601 writes it: 2026-W48. It belongs to the year that has its Thursday. */
export function weekOf(day: Day): string {
  const thursday = addDays(mondayOf(day), 3);
  const year = thursday.slice(0, 4);
  const number = Math.floor((momentOf(thursday) - momentOf(`${year}-01-01`)) / dayMs / 7) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}

/** The Monday of a week that an address names; undefined where there is no such week. */
export function mondayOfWeek(week: string | undefined): Day | undefined {
  const [, year, number] = /^(\d{4})-W(\d\d)$/.exec(week ?? '') ?? [];
  if (year === undefined) return undefined;
  const monday = addDays(mondayOf(`${year}-01-04`), (Number(number) - 1) * 7);
  return weekOf(monday) === week ? monday : undefined;
}

/**
 * When a day begins where clocks show this time zone, in UTC. Where midnight is skipped, at the first moment after
 * it.
 */
export const beginOf = (day: Day, timeZone: string): string =>
  momentOfLocal(`${day}T00:00`, timeZone) ?? `${day}T00:00:00.000Z`;

/** Whether the clocks change on a day, so that it is shorter or longer than others. */
export const hasChange = (day: Day, timeZone: string): boolean =>
  Date.parse(beginOf(addDays(day, 1), timeZone)) - Date.parse(beginOf(day, timeZone)) !== dayMs;

/** What clocks show at a moment: the day, and the minutes since its midnight as a clock says them. */
export function clockAt(moment: string, timeZone: string): { day: Day; minutes: number } {
  const [day = '', time = ''] = localTime(moment, timeZone).split('T');
  const [hours, minutes] = time.split(':').map(Number);
  return { day, minutes: (hours ?? 0) * 60 + (minutes ?? 0) };
}
