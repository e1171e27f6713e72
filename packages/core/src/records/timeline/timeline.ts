import {
  type EventType,
  limits,
  mostCounted,
  type RelatedOperation,
  relatedOperation,
  type SearchedKind,
  searchedKindNames,
  type TimelineOperation,
  timelineOperation,
} from '@dealkeep/contract';
import { decodeCursor, encodeCursor, type Position } from '../../change/paging/cursor.ts';
import { type InputOf, type Reading, type ResultOf, reads, type Verb } from '../../change/verb/verb.ts';
import type { Fragment } from '../../foundations/database/connect.ts';
import { searchedRecords } from '../search/statement.ts';
import { readableBelonging, recordsOf, unionAll } from './belonging.ts';

/** Entries on a page of a timeline. */
const entriesOnPage = 20;
/** Records of each kind that are looked at for what happened to them: those made last. */
const mostLookedAt = 50;

const activityKinds: readonly SearchedKind[] = ['activity', 'task'];

interface EntryRow {
  id: string;
  type: EventType;
  /** As exact as it is stored, to compare with. */
  at: string;
  envelope: string | null;
  /** Of the entry of the audit log by which it came about. */
  actor_kind: string | null;
  actor_name: string | null;
  via_name: string | null;
}

/**
 * What happened to a record and to what belongs to it, the newest first, a page at a time: of each record its newest
 * events are read along an index, so it takes no longer where there is very much. Raises INVALID_CURSOR.
 */
async function readTimeline(
  context: Reading,
  kind: SearchedKind,
  { path, query }: InputOf<TimelineOperation>,
): Promise<ResultOf<TimelineOperation>> {
  const { core, sql, organization } = context;
  const id = path.id ?? path.uuid;
  const { about = 'all' } = query;
  const fingerprint = JSON.stringify(['timeline', organization, kind, id, about]);
  const place =
    query.cursor === undefined ? undefined : decodeCursor(core.secrets, fingerprint, query.cursor);
  const records = recordsLookedAt(context, kind, { id, about });
  if (!records) return { entries: [], next_cursor: null };
  const newestFirst = sql`order by e.occurred_at desc, e.id desc`;
  // Part of the text, because PostgreSQL then plans for few rows, once for all executions.
  const oneMore = sql.unsafe(String(entriesOnPage + 1));
  const rows = await sql<EntryRow[]>`
    select e.id, e.type, e.occurred_at::text as at,
           case when sum(octet_length(e.envelope)) over feed - octet_length(e.envelope) < ${sql.unsafe(String(limits.pageBytes))}
                then e.envelope end as envelope,
           entry.actor_kind, entry.actor_name, entry.via_name
    from (
      select e.* from (${records}) record cross join lateral (
        select e.* from events e
        where e.organization_id = ${organization} and e.record_id = record.id and not e.test ${isBehind(context, place)}
        ${newestFirst} limit ${oneMore}) e
      ${newestFirst} limit ${oneMore}) e
    left join audit_entries entry on entry.organization_id = ${organization} and entry.id = e.audit_entry_id
    window feed as (${newestFirst} rows unbounded preceding)
    ${newestFirst}`;
  const shown = rows
    .slice(0, entriesOnPage)
    .flatMap(({ envelope, ...row }) => (envelope === null ? [] : [{ ...row, envelope }]));
  const last = shown.at(-1);
  return {
    entries: shown.map(({ envelope, actor_kind: actor, actor_name: name, via_name: via }) => ({
      event: JSON.parse(envelope),
      by: actor === null ? null : { kind: actor, name, via },
    })),
    next_cursor:
      last && rows.length > shown.length
        ? encodeCursor(core.secrets, fingerprint, { value: last.at, id: last.id })
        : null,
  };
}

/**
 * The ids of the record and of what belongs to it, as far as it is asked about; undefined where it is about nothing.
 */
function recordsLookedAt(
  context: Reading,
  kind: SearchedKind,
  { id, about }: { id: string; about: NonNullable<InputOf<TimelineOperation>['query']['about']> },
): Fragment | undefined {
  const { sql, organization } = context;
  const isAsked = (other: SearchedKind): boolean =>
    about === 'all' || activityKinds.includes(other) === (about === 'activities');
  const itself = isAsked(kind) ? [sql`select ${id}::uuid as id`] : [];
  const others = readableBelonging(context, kind)
    .filter((each) => isAsked(each.kind))
    .map((each): Fragment => {
      const column = (name: string): Fragment => sql.unsafe(`${searchedRecords[each.kind].alias}.${name}`);
      return sql`
        (select ${column('id')} ${recordsOf(sql, each, { organization, kind, id })}
         order by ${column('created_at')} desc, ${column('id')} desc limit ${sql.unsafe(String(mostLookedAt))})`;
    });
  const all = [...itself, ...others];
  return all.length > 0 ? unionAll(sql, all) : undefined;
}

const isBehind = ({ sql }: Reading, place: Position | undefined): Fragment =>
  place === undefined
    ? sql``
    : sql`and (e.occurred_at, e.id) < (${place.value}::text::timestamptz, ${place.id}::text)`;

/** How many records of each kind belong to a record, of those that whoever asks may see. */
async function countRelated(
  context: Reading,
  kind: SearchedKind,
  { path }: Pick<InputOf<RelatedOperation>, 'path'>,
): Promise<ResultOf<RelatedOperation>> {
  const { sql, organization } = context;
  const id = path.id ?? path.uuid;
  const counted = readableBelonging(context, kind).map(
    (each): Fragment => sql`
      select ${sql.unsafe(`'${each.kind}'`)} as resource, count(*)::integer as records
      from (select ${recordsOf(sql, each, { organization, kind, id })} limit ${sql.unsafe(String(mostCounted + 1))}) found`,
  );
  return counted.length === 0 ? [] : sql<ResultOf<RelatedOperation>>`${unionAll(sql, counted)}`;
}

type TimelineVerbs = {
  readonly [Id in TimelineOperation | RelatedOperation]: Verb<Id>;
};

/** Each once for every kind that has a page. */
export const timelineVerbs = Object.fromEntries(
  searchedKindNames
    .flatMap((kind) => [
      reads(timelineOperation(kind), (context, input) => readTimeline(context, kind, input)),
      reads(relatedOperation(kind), (context, input) => countRelated(context, kind, input)),
    ])
    .map((verb) => [verb.id, verb]),
) as TimelineVerbs;
