import { setTimeout } from 'node:timers/promises';
import { isEventType, limits } from '@dealkeep/contract';
import { beginning, type FeedPlace, isBeginning } from '../../change/events/feed-place.ts';
import { type FeedPage, type FeedQuery, readFeed } from '../../change/events/read-feed.ts';
import { type InputOf, type Reading, reads, StoredJson } from '../../change/verb/verb.ts';
import { feedOverlapMs } from '../../foundations/operating-limits.ts';
import { notFound } from '../../foundations/problem.ts';
import type { Credential } from '../../identity/credentials/credential.ts';
import { isCredential } from '../../identity/credentials/credential.ts';
import { decodeFeedCursor, encodeFeedCursor, eventsKeptMs } from './feed-cursor.ts';
import { readableTypes, requireReadable, typesOf } from './readable-types.ts';

type Query = InputOf<'events.list'>['query'];

/**
 * What happened behind a cursor, or since a moment, or of all that is kept; with `wait` it answers as soon as there
 * is something. Raises INVALID_PARAMETER, INVALID_CURSOR, and what forbids reading a type.
 */
export const listEvents = reads('events.list', async (context, { query }) => {
  const { core, organization } = context;
  const { secrets, clock, retention } = core;
  const asked = query.types === undefined ? undefined : typesOf(query.types);
  const cursorOf = { secrets, organization, query };
  let types = readableTypes(context.actor, asked);
  let place =
    query.cursor === undefined
      ? beginning
      : decodeFeedCursor(cursorOf, query.cursor, { now: clock.now(), retention });
  const end = performance.now() + (query.wait ?? 0) * 1000;
  let heldBackTries = 5;
  for (let isFirst = true; ; isFirst = false) {
    // A change that comes while this is read is behind what it has read.
    const now = clock.now().getTime();
    const page = await readPage(context, feedQuery(organization, query, types), place, {
      isShared: !isFirst,
    });
    // Most transactions end at once: what a program has just written is there when it asks.
    if (!page.hasMore && page.isHeldBack && heldBackTries > 0) {
      heldBackTries -= 1;
      await setTimeout(heldBackPauseMs);
      continue;
    }
    place = page.end ?? place;
    const isOver = !page.isEmpty || page.hasMore;
    if (isOver || !(await core.waitingReaders.next(organization, place, end - performance.now()))) {
      const readUntil = page.hasMore ? place.at : now;
      const cursor = encodeFeedCursor(cursorOf, place, readUntil);
      return new StoredJson(
        `{"data":[${page.envelopes}],"next_cursor":"${cursor}","has_more":${page.hasMore}}`,
      );
    }
    types = readableTypes(await actorNow(context), asked);
  }
});

const heldBackPauseMs = 10;

const feedQuery = (organization: string, query: Query, types: FeedQuery['types']): FeedQuery => ({
  organization,
  types,
  recordId: query.record_id,
  createdAfter: query.created_after,
  limit: query.limit ?? limits.pageSizeDefault,
});

/** Whoever waits may have lost the right to read meanwhile. */
async function actorNow({ actor, actorNow: find }: Reading): Promise<Credential> {
  const now = await find?.();
  return now && isCredential(now) ? now : actor;
}

/**
 * A page behind a place. When the event of that place is gone, although it is no older than what is kept, the
 * database has lost its last transactions by a fail-over or a restore: then what happened since shortly before it is
 * read again, because new events may stand in front of the place.
 */
async function readPage(
  { core, sql, now }: Reading,
  query: FeedQuery,
  place: FeedPlace,
  { isShared }: { isShared: boolean },
): Promise<FeedPage> {
  const { createdAfter } = query;
  const start = isBeginning(place) && createdAfter !== undefined ? { since: createdAfter } : { place };
  const source = { sql, placement: core.placement };
  const page = isShared
    ? await core.waitingReaders.read(JSON.stringify([query, start]), () => readFeed(source, query, start))
    : await readFeed(source, query, start);
  const isKept = place.at > Date.parse(now) - eventsKeptMs(core.retention);
  if (page.isAnchored || !isKept) return page;
  core.log.warn(
    { organization_id: query.organization, event_id: place.id },
    'The feed: an event that was read is gone; what happened since is read again',
  );
  return readFeed(source, query, { since: new Date(place.at - feedOverlapMs).toISOString() });
}

/** Raises NOT_FOUND, and what forbids reading its type. */
export const getEvent = reads('events.get', async ({ sql, organization, actor }, { path }) => {
  const [event] = await sql<{ type: string; envelope: string }[]>`
    select type, envelope from events where organization_id = ${organization} and id = ${path.id}`;
  if (!event || !isEventType(event.type)) throw notFound();
  requireReadable(actor, event.type);
  return new StoredJson(event.envelope);
});
