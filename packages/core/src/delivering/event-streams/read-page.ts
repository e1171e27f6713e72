import { type EventType, events, eventTypes, isEventType } from '@dealkeep/contract';
import { currentEra } from '../../change/events/event-era.ts';
import type { EventSource } from '../../change/events/feed-horizon.ts';
import { decodeCursor, encodeCursor } from '../../change/paging/cursor.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Fragment } from '../../foundations/database/connect.ts';
import { streamHorizonMs, streamResumableMs } from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';
import type { Secrets } from '../../foundations/secrets.ts';
import { authorize, requireScope, scopeRefusal } from '../../identity/credentials/authorize.ts';
import type { Credential } from '../../identity/credentials/credential.ts';
import { ofAllOrganizations } from '../../identity/tenancy/due-organizations.ts';

/** A place in an organization's events: behind all that a snapshot of the database could see. */
export interface Place {
  /** A `pg_snapshot` as text. */
  readonly since: string;
  /** Whose events are being read; those of a later one follow. */
  readonly era: number;
  /** In the middle of a walk to a newer snapshot: that one, the era of then, and the event that was read last. */
  readonly walk?: {
    readonly until: string;
    readonly era: number;
    readonly transaction: string;
    readonly id: string;
  };
}

export interface EventPage {
  /** Exactly as they are delivered; empty at the end of a walk. */
  readonly envelopes: readonly string[];
  readonly next: Place;
}

const eventsOfPage = 100;
/** Bytes of a page, at most; a single event may have more. */
const bytesOfPage = 1_000_000;

export async function currentPlace({ sql, placement }: EventSource): Promise<Place> {
  const [row] = await sql<
    { since: string; era: number }[]
  >`select ${placement.openTransactions(sql)}::text as since, event_era as era from installation`;
  if (!row) throw new Error('The database gave no snapshot');
  return row;
}

/** The part `bounds (since, until, era)` of a statement: from which snapshot to which, and the era of the latter. */
async function boundsOf({ sql, placement }: EventSource, { since, walk }: Place): Promise<() => Fragment> {
  if (walk)
    return () => sql`
      bounds as materialized (
        select ${since}::pg_snapshot as since, ${walk.until}::pg_snapshot as until, ${walk.era}::smallint as era)`;
  const row = sql`
    select ${since}::pg_snapshot as since, ${placement.openTransactions(sql)} as until, ${currentEra(sql)} as era`;
  const columns = { since: 'pg_snapshot', until: 'pg_snapshot', era: 'smallint' };
  return placement.partOfFirst(sql, { name: 'bounds', columns, row });
}

/**
 * The next events behind a place. Events are committed in another order than they are numbered or timed: a
 * transaction that stays open commits after a newer one. So a place is no number but a snapshot, which knows the
 * transactions that were still open; what is new is exactly what it cannot see.
 */
export async function readPage(
  source: EventSource,
  query: { organization: string; types: readonly EventType[]; now: Date; place: Place },
): Promise<EventPage> {
  const { sql } = source;
  const { organization, types, now, place } = query;
  const { since, era, walk } = place;
  const bounds = await boundsOf(source, place);
  const rows = await sql<PageRow[]>`
    with ${bounds()}
    select bounds.until::text as until, bounds.era, page.id, page.transaction, page.occurred_at, page.envelope
    from bounds left join lateral (
      select id, transaction_id::text as transaction, occurred_at, envelope,
             sum(octet_length(envelope)) over (order by transaction_id, id) - octet_length(envelope) as before
      from (
        select id, transaction_id, occurred_at, envelope from events
        where organization_id = ${organization} and era = ${era}
          and transaction_id >= pg_snapshot_xmin(bounds.since) and transaction_id < pg_snapshot_xmax(bounds.until)
          and not pg_visible_in_snapshot(transaction_id, bounds.since)
          and pg_visible_in_snapshot(transaction_id, bounds.until)
          ${walk ? sql`and (transaction_id, id) > (${walk.transaction}::xid8, ${walk.id})` : sql``}
          and not test and type = any(${[...types]}) and occurred_at > ${new Date(now.getTime() - streamHorizonMs).toISOString()}
        order by transaction_id, id limit ${eventsOfPage}) as next
      order by transaction_id, id) as page on page.before < ${bytesOfPage}`;
  const found = rows.filter(isEvent);
  const last = found.at(-1);
  const until = rows[0]?.until ?? since;
  const eraThen = rows[0]?.era ?? era;
  // Whoever begins an era waits until nothing is written in the one before any more: what is behind the place is of
  // both.
  if (!last && eraThen > era) return readPage(source, { ...query, place: { since, era: eraThen } });
  return {
    // Sorted by the moment: a change that waited for another transaction can have the lower transaction number.
    envelopes: found
      .toSorted((a, b) => compare(a.occurred_at, b.occurred_at) || compare(a.id, b.id))
      .map(({ envelope }) => envelope),
    next: last
      ? { since, era, walk: { until, era: eraThen, transaction: last.transaction, id: last.id } }
      : { since: until, era },
  };
}

interface EventRow {
  until: string;
  era: number;
  id: string;
  transaction: string;
  occurred_at: string;
  envelope: string;
}
/** A page without events is one row that tells where it ends. */
type PageRow = EventRow | { until: string; era: number; id: null };

const isEvent = (row: PageRow): row is EventRow => row.id !== null;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Which of the organizations may have something new behind a place; and the place of now. Asked often, so it looks
 * up the transactions that were still open one by one: beside an old one, all between would be read each time.
 */
export async function lookForNews(
  { sql, placement }: EventSource,
  organizations: readonly string[],
  place: Place,
): Promise<{ found: readonly string[]; now: Place }> {
  // By itself, because records may stand apart, on servers that count transactions of their own.
  const [bounds] = await sql<{ now: string; era: number; from: string; to: string; open: string }[]>`
    select until::text as now, ${currentEra(sql)} as era, pg_snapshot_xmax(since)::text as from,
           pg_snapshot_xmax(until)::text as to, array(select pg_snapshot_xip(since))::text as open
    from (select ${place.since}::pg_snapshot as since, ${placement.openTransactions(sql)} as until) as bounds`;
  if (!bounds) throw new Error('Unreachable: one row always comes');
  const { now, era, from, to, open } = bounds;
  const watched = sql`organization_id = any(${[...organizations]}::uuid[]) and era in (${place.era}, ${era})`;
  const rows = await sql<{ organization: string }[]>`
    select ${ofAllOrganizations(sql)} organization_id as organization from events
    where ${watched} and transaction_id >= ${from}::xid8 and transaction_id < ${to}::xid8
    union
    select organization_id from events where ${watched} and transaction_id = any(${open}::text::xid8[])`;
  return { found: rows.map(({ organization }) => organization), now: { since: now, era } };
}

interface Within {
  secrets: Secrets;
  clock: Clock;
  organization: string;
}

const fingerprint = (organization: string): string => `events of ${organization}`;

/** What a client gives back to go on behind all that it has been sent. */
export const streamCursor = ({ secrets, clock, organization }: Within, { since, era }: Place): string =>
  encodeCursor(secrets, fingerprint(organization), {
    value: `${era} ${since}`,
    id: clock.now().toISOString(),
  });

/**
 * Undefined when it is too old, or of a version that named no era. Raises INVALID_CURSOR for anything that is no
 * cursor of this organization's events.
 */
export function placeOf({ secrets, clock, organization }: Within, cursor: string): Place | undefined {
  const { value, id: moment } = decodeCursor(secrets, fingerprint(organization), cursor);
  const age = clock.now().getTime() - Date.parse(moment);
  const [, era, since] = /^(\d+) (\S+)$/.exec(String(value)) ?? [];
  if (since === undefined || age > streamResumableMs) return undefined;
  return { since, era: Number(era) };
}

/**
 * The events that a credential may listen to: those asked for, or all that its scopes, and behind a connection the
 * user's role, may read. Raises what forbids it, as for a REST hook.
 */
export function chooseEvents(
  credential: Credential,
  asked: readonly string[] | undefined,
): readonly EventType[] {
  authorize(credential, { scope: 'webhooks:manage', refusesLegacyKeys: true });
  if (!asked) return eventTypes.filter((type) => !scopeRefusal(credential, events[type].scope));
  return [...new Set(asked)].map((type) => {
    if (!isEventType(type))
      throw new Problem('webhook.unknown_event', { event: type }, { detail: { event: type } });
    requireScope(credential, events[type].scope);
    return type;
  });
}
