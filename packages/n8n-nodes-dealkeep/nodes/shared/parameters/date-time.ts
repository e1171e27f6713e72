/**
 * n8n's date picker gives a moment without a zone, which means the workflow's time zone; expressions give ISO texts
 * with an offset, `Date`s and Luxon `DateTime`s. These functions make of all of them what the API takes.
 */

const naive = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;
const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

/** RFC 3339 in UTC; undefined when the value is no moment. */
export function toDateTime(value: unknown, timeZone: string): string | undefined {
  return instantOf(value, timeZone)?.toISOString();
}

/**
 * `YYYY-MM-DD`; undefined when the value is no date.
 *
 * - A text without a zone is the day that it names.
 * - Midnight, in UTC or with any offset, is that day as it is written: spreadsheets, databases and other apps give
 *   days as `2026-03-01T00:00:00.000Z`, which in New York would be the day before. So does a `Date` of midnight in
 *   UTC.
 * - Every other moment is the day that it is in the workflow's time zone, whatever its own zone. Luxon's `DateTime`s
 *   are judged by their ISO form alike, as n8n itself makes texts of those inside collections.
 */
export function toDate(value: unknown, timeZone: string): string | undefined {
  const text = textOf(value);
  if (text !== undefined && (naive.test(text) || isMidnight(text))) {
    return readAsUtc(text) === undefined ? undefined : text.slice(0, 10);
  }
  const instant = instantOf(value, timeZone);
  return instant && dayOf(instant, timeZone);
}

const isMidnight = (text: string): boolean =>
  zoned.test(text) && /^.{10}[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-])/i.test(text);

/** What to do about a text that names a day in a form that can mean two. */
export const dateAdvice = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\s*\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4}(?!\d)/.test(value)
    ? "Day and month can be either way round in this form. Say which is which, e.g. {{ DateTime.fromFormat($json.date, 'd.M.yyyy').toISODate() }}."
    : undefined;

function instantOf(value: unknown, timeZone: string): Date | undefined {
  const text = textOf(value);
  const asUtc = text === undefined ? undefined : readAsUtc(text);
  if (text === undefined || asUtc === undefined) return undefined;
  if (zoned.test(text)) return valid(new Date(text.replace(' ', 'T')));
  // The offset that holds at a local time is found in two steps: once near it, once at the moment found.
  const first = asUtc - offsetAt(new Date(asUtc), timeZone);
  return valid(new Date(asUtc - offsetAt(new Date(first), timeZone)));
}

/**
 * The milliseconds of the moment that a text names, as if it were of UTC. Undefined when it names none, and when
 * there is no such day or hour: JavaScript would make 3 March of 31 February.
 */
function readAsUtc(text: string): number | undefined {
  if (!zoned.test(text) && !naive.test(text)) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = text
    .slice(0, 'YYYY-MM-DDThh:mm:ss'.length)
    .split(/\D/)
    .map(Number);
  const read = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const isReal = read.getUTCDate() === day && read.getUTCHours() === hour && read.getUTCMinutes() === minute;
  return isReal ? read.getTime() : undefined;
}

/** Texts as they are; `Date` and Luxon's `DateTime` by their ISO form. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value === 'object' && value !== null && 'toISO' in value && typeof value.toISO === 'function') {
    const iso: unknown = value.toISO();
    return typeof iso === 'string' ? iso : undefined;
  }
  return undefined;
}

/** Milliseconds that a time zone is ahead of UTC at a moment. */
function offsetAt(instant: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - Math.floor(instant.getTime() / 1000) * 1000;
}

const dayOf = (instant: Date, timeZone: string): string =>
  new Date(instant.getTime() + offsetAt(instant, timeZone)).toISOString().slice(0, 10);

const valid = (date: Date): Date | undefined => (Number.isNaN(date.getTime()) ? undefined : date);
