// Texts are taken apart by position: a page has hundreds of moments, and a `Date` for each costs more than all else
// that is done about a row. Columns are timestamptz(3), sessions are in UTC.

/** `2026-10-01 12:00:00.5+00` */
const usual = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?\+00$/;
/** `2026-10-01T12:00:00.5+00:00` */
const usualJson = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?\+00:00$/;

/** A `timestamptz(3)` as the API shows it: RFC 3339 in UTC with milliseconds. */
export function momentOf(text: string): string {
  if (usual.test(text))
    return withMilliseconds(`${text.slice(0, 10)}T${text.slice(11, 19)}`, text.slice(20, -3));
  // As ISO 8601: as PostgreSQL writes it, years below 100 would be read as 2001.
  return new Date(text.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')).toISOString();
}

/** The same from PostgreSQL's JSON. */
export const momentOfJson = (text: string): string =>
  usualJson.test(text)
    ? withMilliseconds(text.slice(0, 19), text.slice(20, -6))
    : new Date(text).toISOString();

const withMilliseconds = (seconds: string, fraction: string): string =>
  `${seconds}.${fraction.length === 3 ? fraction : fraction.padEnd(3, '0')}Z`;
