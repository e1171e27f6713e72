import { type EventType, limits } from '@dealkeep/contract';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import type { Placement } from '../../foundations/database/placement.ts';
import { feedHorizon } from './feed-horizon.ts';
import { type FeedPlace, isBeginning } from './feed-place.ts';

export interface FeedQuery {
  readonly organization: string;
  readonly types: readonly EventType[];
  readonly recordId: string | undefined;
  /** RFC 3339. */
  readonly createdAfter: string | undefined;
  readonly limit: number;
}

/** Behind a place, or with all that happened since a moment (RFC 3339), and perhaps some before. */
export type FeedStart = { readonly place: FeedPlace } | { readonly since: string };

export interface FeedPage {
  /** The envelopes as they are stored, separated by commas. */
  readonly envelopes: string;
  readonly isEmpty: boolean;
  /** The place behind all that was looked at; undefined where there was nothing. */
  readonly end: FeedPlace | undefined;
  readonly hasMore: boolean;
  /** There is an event that an open transaction keeps back. */
  readonly isHeldBack: boolean;
  /** False when the event of the place is not there any more. */
  readonly isAnchored: boolean;
}

interface FeedRow {
  envelopes: string | null;
  shown: number;
  has_more: boolean;
  is_anchored: boolean;
  is_held_back: boolean | null;
  end: { era: number; transaction: string; id: string; at: number; looked_at: number } | null;
}

/** Events that one request looks at, whichever it asks for; then it answers those that it has found. */
const lookedAtOnce = 5000;

/** No event stands in the feed in front of one that happened so much earlier than it did. */
const mostDisorder = '10 minutes';

/** In the words of the index. */
const upwards = (sql: Statements): Fragment => sql`e.era, e.transaction_id, e.id`;
const downwards = (sql: Statements): Fragment => sql`e.era desc, e.transaction_id desc, e.id desc`;

/** A page of an organization's feed, by one statement, or by two where events stand apart. */
export async function readFeed(
  source: { readonly sql: Statements; readonly placement: Placement },
  query: FeedQuery,
  start: FeedStart,
): Promise<FeedPage> {
  const { sql } = source;
  const { organization, types, recordId, createdAfter, limit } = query;
  const own = sql`e.organization_id = ${organization}`;
  const isSettled = sql`(e.era, e.transaction_id) < (select era, transaction_id from horizon)`;
  const isNext = sql`${own} and ${isBehind(sql, own, start)} and ${isSettled}`;
  const isOfRecord = recordId === undefined ? sql`` : sql`and e.record_id = ${recordId}`;
  const isRecent = createdAfter === undefined ? sql`` : sql`and e.occurred_at > ${createdAfter}::timestamptz`;
  // Numbers stand in the text, because PostgreSQL then plans for few rows, once for all executions.
  const first = (count: number): Fragment => sql`order by ${upwards(sql)} limit ${sql.unsafe(String(count))}`;
  // As a subquery, which hides the number: PostgreSQL would otherwise plan to need all that are behind the place,
  // and read and sort them for each page, where the index has them in order.
  const firstLookedAt = sql`order by ${upwards(sql)} limit (select ${sql.unsafe(String(lookedAtOnce))})`;
  const lookedAt = recordId === undefined ? firstLookedAt : sql`order by ${upwards(sql)}`;
  const isShown = sql`number <= ${sql.unsafe(String(limit))} and fits`;
  const isBehindNewest = sql`coalesce(open.id >= (select transaction_id from newest), true)`;
  const horizon = await feedHorizon(source, isBehindNewest);
  const [row] = await sql<FeedRow[]>`
    with newest as (select e.era, e.transaction_id from events e where ${own} order by ${downwards(sql)} limit 1),
    ${horizon()},
    found as materialized (
      select ${upwards(sql)}, e.occurred_at, e.envelope, row_number() over feed as number,
             sum(octet_length(e.envelope)) over feed - octet_length(e.envelope) < ${sql.unsafe(String(limits.pageBytes))} as fits
      from (select * from (select * from events e where ${isNext} ${isOfRecord} ${lookedAt}) e
            where not e.test and e.type = any((select ${[...types]}::text[])::text[]) ${isRecent} ${first(limit + 1)}) e
      window feed as (order by ${upwards(sql)} rows unbounded preceding)),
    page as materialized (
      select string_agg(envelope, ',' order by number) filter (where ${isShown}) as envelopes,
             count(*) filter (where ${isShown})::integer as shown, count(*)::integer as found from found)
    select envelopes, shown, found > shown as has_more,
           ${isAnchored(sql, own, start)} as is_anchored,
           (select newest.transaction_id >= horizon.transaction_id from newest join horizon using (era)) as is_held_back,
           case when found > shown then (
                  select ${endOf(sql, sql`0`)} from found e where number = shown)
                when ${recordId !== undefined} then (
                  select ${endOf(sql, sql`0`)} from events e where ${own} and ${isSettled}
                  order by ${downwards(sql)} limit 1)
                else (
                  select ${endOf(sql, sql`number`)}
                  from (select * from (
                          select ${upwards(sql)}, e.occurred_at, row_number() over (order by ${upwards(sql)}) as number
                          from events e where ${isNext} ${firstLookedAt}) e
                        order by number desc limit 1) e) end as end
    from page`;
  if (!row) throw new Error('Unreachable: one row always comes');
  const { envelopes, shown, end, has_more: hasMore, is_anchored: anchored, is_held_back: heldBack } = row;
  return {
    envelopes: envelopes ?? '',
    isEmpty: shown === 0,
    end: end ? { era: end.era, transaction: end.transaction, id: end.id, at: end.at } : undefined,
    hasMore: hasMore || end?.looked_at === lookedAtOnce,
    isHeldBack: heldBack === true,
    isAnchored: anchored,
  };
}

/** A place, and how many events were looked at up to it. */
const endOf = (sql: Statements, lookedAt: Fragment): Fragment => sql`
  json_build_object('era', e.era, 'transaction', e.transaction_id::text, 'id', e.id, 'looked_at', ${lookedAt},
                    'at', (extract(epoch from e.occurred_at) * 1000)::bigint)`;

function isBehind(sql: Statements, own: Fragment, start: FeedStart): Fragment {
  if ('place' in start) {
    const { era, transaction, id } = start.place;
    // As subqueries, which hide the values: PostgreSQL would otherwise plan each page anew, to no better end.
    return sql`(e.era, e.transaction_id, e.id) >
      ((select ${era}::smallint), (select ${transaction}::text::xid8), (select ${id}::text))`;
  }
  const isSince = sql`${own} and e.occurred_at > ${start.since}::timestamptz`;
  return sql`(e.era, e.transaction_id, e.id) >= (
    select ${upwards(sql)} from events e
    where ${isSince} and e.occurred_at <= (select min(e.occurred_at) from events e where ${isSince}) + interval ${sql.unsafe(`'${mostDisorder}'`)}
    order by ${upwards(sql)} limit 1)`;
}

const isAnchored = (sql: Statements, own: Fragment, start: FeedStart): Fragment =>
  'place' in start && !isBeginning(start.place)
    ? sql`exists (select 1 from events e where ${own} and e.id = ${start.place.id})`
    : sql`true`;
