import { type EventType, isEventType, limits } from '@dealkeep/contract';
import { type ApiRecord, isApiRecord } from '../records/api-record.ts';
import { operationOf } from '../registry.ts';
import { pageIn } from '../requests/answer.ts';
import type { Api } from '../requests/api.ts';

/** An event as the feed tells it: exactly what was delivered. */
export interface FedEvent {
  readonly type: EventType;
  readonly envelope: ApiRecord;
}

/** How many hours back is looked, one after the other until there is enough: the feed tells the oldest first. */
const windows = [1, 24, 7 * 24, limits.eventDays * 24];
/** Each page looks at thousands of events: what is not read in so many is not walked to its end. */
const mostPages = 3;
const hourMilliseconds = 3_600_000;

/** What was found in the feed, the newest first. */
export interface NewestEvents {
  readonly events: readonly FedEvent[];
  /** False where more happened than is looked through: then others may be newer. */
  readonly isWhole: boolean;
}

/** The newest events of these types that fit, by six requests at most however much has happened. */
export async function newestEvents(
  api: Api,
  types: readonly EventType[],
  {
    fits,
    isEnough,
    now,
  }: {
    readonly fits: (event: FedEvent) => boolean;
    readonly isEnough: (events: readonly FedEvent[]) => boolean;
    readonly now: Date;
  },
): Promise<NewestEvents> {
  let newest: NewestEvents = { events: [], isWhole: true };
  for (const hours of windows) {
    const since = new Date(now.getTime() - hours * hourMilliseconds).toISOString();
    const { events, isWhole } = await eventsOf(api, { types: types.join(), created_after: since });
    newest = { events: events.filter(fits).toReversed(), isWhole };
    if (!isWhole || isEnough(newest.events)) break;
  }
  return newest;
}

/** The newest event of a type about a record, as long as the feed keeps it. */
export async function newestOfRecord(api: Api, type: EventType, id: string): Promise<FedEvent | undefined> {
  const { events } = await eventsOf(api, { types: type, record_id: id });
  return events.at(-1);
}

/** The pages of the feed up to the most, in its own order. */
async function eventsOf(api: Api, query: Readonly<Record<string, string>>): Promise<NewestEvents> {
  const events: FedEvent[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await api.call({
      operation: operationOf('events.list'),
      query: { ...query, limit: limits.pageSizeMaximum, cursor },
      // A cursor at the edge of what is kept can be too old by the next page: the rest is then as unread as a fourth
      // page.
      ...(cursor === undefined ? {} : { accept: [400] }),
    });
    if (answer.status === 400) break;
    const { items, nextCursor } = pageIn(answer);
    events.push(...items.flatMap(eventIn));
    if (nextCursor === undefined) return { events, isWhole: true };
    cursor = nextCursor;
  }
  return { events, isWhole: false };
}

function eventIn(envelope: ApiRecord): FedEvent[] {
  const { type, data } = envelope;
  return typeof type === 'string' && isEventType(type) && isApiRecord(data) ? [{ type, envelope }] : [];
}
