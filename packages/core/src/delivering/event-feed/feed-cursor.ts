import type { FeedPlace } from '../../change/events/feed-place.ts';
import { decodeCursor, encodeCursor } from '../../change/paging/cursor.ts';
import type { Retention } from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';
import type { Secrets } from '../../foundations/secrets.ts';

/** Whose cursor it is, and of which query: everything but the page's size and how long to wait. */
interface Asked {
  readonly secrets: Secrets;
  readonly organization: string;
  readonly query: Readonly<Record<string, unknown>>;
}

/** @param readUntil the moment until which everything was read, in milliseconds since 1970 */
export function encodeFeedCursor(asked: Asked, place: FeedPlace, readUntil: number): string {
  const { era, transaction, id, at } = place;
  const value = [era, transaction, at, readUntil].join(' ');
  return encodeCursor(asked.secrets, fingerprintOf(asked), { value, id });
}

/**
 * Raises INVALID_CURSOR for anything that is no cursor of this very query, and for one so old that what came behind
 * it may be kept no longer; this one says where to begin.
 */
export function decodeFeedCursor(
  asked: Asked,
  cursor: string,
  { now, retention }: { now: Date; retention: Retention },
): FeedPlace {
  const { value, id } = decodeCursor(asked.secrets, fingerprintOf(asked), cursor);
  const [era = '', transaction = '', at = '', readUntil = ''] = String(value).split(' ');
  const oldest = now.getTime() - eventsKeptMs(retention);
  if (Number(readUntil) < oldest) {
    const begin = new Date(oldest).toISOString();
    throw new Problem(
      'events.cursor_expired',
      { days: retention.eventDays, begin },
      { detail: { parameter: 'cursor', created_after: begin } },
    );
  }
  return { era: Number(era), transaction, id, at: Number(at) };
}

/** How long an event is kept, and a cursor that nobody uses. */
export const eventsKeptMs = ({ eventDays }: Pick<Retention, 'eventDays'>): number =>
  eventDays * 24 * 3600_000;

function fingerprintOf({ organization, query }: Asked): string {
  const { cursor: _, limit: __, wait: ___, ...filters } = query;
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return JSON.stringify(['events.list', organization, given.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
