import { ApiFailure } from '../failure.ts';
import { eventDays } from '../generated/events.ts';
import { isRecord, type JsonRecord, valueAt } from '../record.ts';
import type { DealkeepApi } from '../transport/request.ts';
import { type Envelope, isWanted, readEnvelope } from './envelope.ts';
import { eventName, type Wanted } from './trigger-parameters.ts';

const feedPath = '/events';
const largestPage = 100;

/** How far a workflow has read the feed of what happened. */
export interface FeedPosition {
  /** ISO 8601. Before this moment nothing is read. */
  readonly since: string;
  /** Behind what was read; undefined when nothing was read yet. */
  readonly cursor?: string;
  /** A cursor goes on with the types that it began with, separated by commas. */
  readonly types: string;
  /** ISO 8601. Until then everything was read. */
  readonly at: string;
}

export const startOf = (since: string, { events }: Pick<Wanted, 'events'>): FeedPosition => ({
  since,
  types: events.join(','),
  at: since,
});

/** As the static data holds it; undefined when it holds none. */
export function readPosition(stored: unknown): FeedPosition | undefined {
  if (!isRecord(stored)) return undefined;
  const { since, cursor, types, at } = stored;
  if (typeof since !== 'string' || typeof types !== 'string' || typeof at !== 'string') return undefined;
  return { since, types, at, ...(typeof cursor === 'string' ? { cursor } : {}) };
}

export interface FeedReading {
  /** What is wanted of it, in order. */
  readonly events: readonly Envelope[];
  readonly position: FeedPosition;
  readonly hasMore: boolean;
  /** What to tell when the position was too old. */
  readonly lost?: string;
}

/**
 * What happened behind a position, in order, as far as the pages go. A position that is too old is left for the
 * oldest event that is kept.
 *
 * @throws {ApiFailure} that names the event, where one may not be read
 */
export async function readFeed(
  api: DealkeepApi,
  wanted: Wanted,
  position: FeedPosition,
  limit: { readonly pages: number; readonly until?: number },
): Promise<FeedReading> {
  const types = wanted.events.join(',');
  // With other events than before it goes on by the moment.
  let here = position.types === types ? position : { since: position.at, types, at: position.at };
  let lost = here.cursor === undefined ? lossOf(here.at, oldestKept()) : undefined;
  const found: Envelope[] = [];
  for (let page = 1; ; page += 1) {
    const asked = new Date().toISOString();
    const answer = await nextPage(api, wanted, here).catch((error: unknown) => {
      if (!(error instanceof ApiFailure) || error.code !== 'INVALID_CURSOR') throw error;
      // It is too old, and the API says what is kept; or it comes from before Dealkeep was restored.
      const oldest = valueAt(error.detail, 'created_after');
      lost = typeof oldest === 'string' ? lossOf(here.at, oldest) : undefined;
      const since = typeof oldest === 'string' && oldest > here.at ? oldest : here.at;
      here = { since, types, at: since };
      return nextPage(api, wanted, here);
    });
    found.push(...answer.events);
    const last = answer.events.at(-1);
    const at = answer.hasMore ? (last?.timestamp ?? here.at) : asked;
    here = { ...here, cursor: answer.cursor, at };
    const isEnough = page >= limit.pages || Date.now() > (limit.until ?? Number.POSITIVE_INFINITY);
    if (!answer.hasMore || isEnough) {
      return {
        events: found.filter((event) => isWanted(event, wanted)),
        position: here,
        hasMore: answer.hasMore,
        ...(lost === undefined ? {} : { lost }),
      };
    }
  }
}

/** ISO 8601. Nothing that happened before this moment is kept. */
const oldestKept = (): string => new Date(Date.now() - eventDays * 24 * 3600_000).toISOString();

/** What is not kept any more of what happened since a moment; undefined when all of it is. */
const lossOf = (since: string, oldest: string): string | undefined =>
  since >= oldest
    ? undefined
    : `What happened from ${since} to ${oldest} is missed: Dealkeep keeps events for ${eventDays} days. What is kept comes now`;

interface FeedPage {
  readonly events: readonly Envelope[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

async function nextPage(
  api: DealkeepApi,
  wanted: Wanted,
  { since, types, cursor }: FeedPosition,
): Promise<FeedPage> {
  const answer = await ask(api, {
    types,
    created_after: since,
    limit: largestPage,
    ...(cursor ? { cursor } : {}),
  }).catch(async (error: unknown) => {
    throw error instanceof ApiFailure && error.status === 403 ? await refusalOf(api, wanted, error) : error;
  });
  const [data, next] = [valueAt(answer, 'data'), valueAt(answer, 'next_cursor')];
  if (!Array.isArray(data) || typeof next !== 'string') {
    throw new ApiFailure({ message: 'Dealkeep answered what happened without a list or a cursor' });
  }
  const events = data.map(readEnvelope).filter((event) => event !== undefined);
  return { events, cursor: next, hasMore: valueAt(answer, 'has_more') === true };
}

const ask = (api: DealkeepApi, query: JsonRecord): Promise<unknown> =>
  api.request({ method: 'GET', path: feedPath, query });

/** The refusal of the first event that the credential may not read: the API refuses all for one, and names none. */
async function refusalOf(api: DealkeepApi, { events }: Wanted, refusal: ApiFailure): Promise<ApiFailure> {
  for (const type of events) {
    const query = { types: type, created_after: new Date().toISOString(), limit: 1 };
    const failure = await ask(api, query).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(failure instanceof ApiFailure) || failure.status !== 403) continue;
    const { message, description = '', status, code } = failure;
    return new ApiFailure({
      message: `Events → ${eventName(type)}: ${message}`,
      description: `${description} Or take this event out of Events.`.trim(),
      status,
      ...(code === undefined ? {} : { code }),
    });
  }
  return refusal;
}
