import { type Day, dayOf, nextHour } from '@dealkeep/core/foundations';
import { type ConsoleContext, sessionOf } from '../context.ts';

const timeZoneOf = (c: ConsoleContext): string => sessionOf(c).organization.timeZone;

/** Today, where the organization is. */
export const todayOf = (c: ConsoleContext): Day =>
  dayOf(c.get('core').clock.now().toISOString(), timeZoneOf(c));

/** The next full hour, where the organization is. */
export const nextHourOf = (c: ConsoleContext): string =>
  nextHour(c.get('core').clock.now().toISOString(), timeZoneOf(c));
