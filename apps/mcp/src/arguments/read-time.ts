import { asciiLowerCase } from '@dealkeep/contract';
import { addDays, dayOf, momentOfLocal } from '@dealkeep/core/foundations';
import type { Caller } from '../tools/tool.ts';

/** What models are told of dates, once for all tools. */
export const timeInstruction =
  'A date is YYYY-MM-DD, today, tomorrow or yesterday. A date-time without an offset, like 2026-10-02T10:00 or tomorrow 10:00, is in the time zone of the organization; in filters a date alone is its midnight.';

const words: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
const dayPattern = /^\d{4}-\d\d-\d\d$/;

type At = Pick<Caller, 'core' | 'credential'>;

/** Today, where the organization is. */
export const today = ({ core, credential }: At): string =>
  dayOf(core.clock.now().toISOString(), credential.organization.timeZone);

/** The date that a text means; the text itself where it is no word for one. */
export function readDate(at: At, text: string): string {
  const days = words[asciiLowerCase(text.trim())];
  return days === undefined ? text : addDays(today(at), days);
}

/**
 * The moment that a text means, as RFC 3339 in UTC: a local time, or the midnight with which a day begins. The text
 * itself where it is neither; what is wrong with it then, its operation says.
 */
export function readDateTime(at: At, text: string): string {
  const [, day = '', time = '00:00'] =
    /^(\S*?)(?:(?:T|\s+(?:at\s+)?)(\d\d?:\d\d(?::\d\d)?)(?:\.\d+)?)?$/i.exec(text.trim()) ?? [];
  const date = readDate(at, day);
  if (!dayPattern.test(date)) return text;
  return momentOfLocal(`${date}T${time.padStart(5, '0')}`, at.credential.organization.timeZone) ?? text;
}

/** Whether a text says a day and no time of it. */
export const isDayAlone = (text: string): boolean =>
  dayPattern.test(text.trim()) || asciiLowerCase(text.trim()) in words;
