const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

// The three forms of RFC 9110 §5.6.7; a recipient must understand all.
const preferred = /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/;
const older = /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/;
const oldest = /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/;

/**
 * `Retry-After` as seconds from now: a number of seconds or an HTTP date; 0 for a moment that has passed; undefined
 * when it is neither. Source: RFC 9110 §10.2.3.
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const moment = parseHttpDate(text, now);
  return moment === undefined ? undefined : Math.max(0, (moment - now.getTime()) / 1000);
}

function parseHttpDate(text: string, now: Date): number | undefined {
  const parts = (preferred.exec(text) ?? older.exec(text) ?? oldest.exec(text))?.groups;
  const { day = '', month = '', year = '', time = '' } = parts ?? {};
  const monthNumber = months.indexOf(month) + 1;
  if (monthNumber === 0) return undefined;
  const fullYear = year.length === 2 ? nearestYear(Number(year), now) : year;
  const moment = Date.parse(`${fullYear}-${twoDigits(monthNumber)}-${twoDigits(Number(day))}T${time}Z`);
  return Number.isNaN(moment) ? undefined : moment;
}

/** Two digits mean a year at most 50 years ahead. */
function nearestYear(digits: number, now: Date): number {
  const year = Math.floor(now.getUTCFullYear() / 100) * 100 + digits;
  return year > now.getUTCFullYear() + 50 ? year - 100 : year;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
