/** What a written date and time says. */
export type MomentReading =
  | {
      readonly is: 'moment';
      /** RFC 3339 in UTC. */
      readonly utc: string;
    }
  /** The hour that a zone's clocks show twice, or never. */
  | { readonly is: 'twice' | 'never' };

const local = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}(?:\.\d+)?))?)?$/i;
const zoned = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2}(?:\.\d+)?))?\s?(?:(Z)|([+-]\d{2}):?(\d{2}))$/i;

/** Whether a text is a date and time that counts by the clocks of a place, because it names no offset. */
export const isLocal = (text: string): boolean => local.test(text.trim());

/**
 * A date and time as ISO 8601 writes it; without an offset by the clocks of a time zone, without a time the
 * beginning of the day. Undefined for everything else: another notation can mean two days (`8.12.2026`), and words
 * any.
 */
export function readMoment(text: string, timeZone: string): MomentReading | undefined {
  const [, day = '', minutes = '00:00', seconds = '00', isUtc, hours, rest] =
    zoned.exec(text.trim()) ?? local.exec(text.trim()) ?? [];
  const shown = asUtc(`${day}T${minutes}:${seconds}`);
  if (shown === undefined) return undefined;
  if (isUtc === undefined && hours === undefined) return atClock(shown, timeZone);
  const instant = new Date(`${day}T${minutes}:${seconds}${isUtc ? 'Z' : `${hours}:${rest}`}`);
  return Number.isNaN(instant.getTime()) ? undefined : { is: 'moment', utc: instant.toISOString() };
}

/**
 * What clocks show, as if it were UTC; undefined for a day or an hour that there is not, which JavaScript moves on.
 */
function asUtc(shown: string): number | undefined {
  const read = new Date(`${shown}Z`);
  if (Number.isNaN(read.getTime())) return undefined;
  return read.toISOString().startsWith(shown.slice(0, 'YYYY-MM-DDThh:mm:ss'.length))
    ? read.getTime()
    : undefined;
}

const dayInMilliseconds = 24 * 60 * 60 * 1000;

/**
 * The moment at which the clocks of a zone show a time. The offsets of the days around it are the only ones there
 * are.
 */
function atClock(shown: number, timeZone: string): MomentReading {
  const offsets = [shown - dayInMilliseconds, shown + dayInMilliseconds].map((near) =>
    offsetAt(near, timeZone),
  );
  const instants = [...new Set(offsets)]
    .map((offset) => shown - offset)
    .filter((instant) => instant + offsetAt(instant, timeZone) === shown);
  const [instant] = instants;
  if (instant === undefined) return { is: 'never' };
  return instants.length > 1 ? { is: 'twice' } : { is: 'moment', utc: new Date(instant).toISOString() };
}

/** Milliseconds that a time zone is ahead of UTC at a moment. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  const year = part('year').padStart(4, '0');
  const shown = Date.parse(
    `${year}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`,
  );
  return shown - Math.floor(instant / 1000) * 1000;
}
