import {
  type DeliveryFailureReason,
  describeDeliveryFailure,
  limits,
  SearchDeliveries,
  type Text,
} from '@dealkeep/contract';
import type * as z from 'zod';
import { decodeCursor, encodeCursor, type Position } from '../../change/paging/cursor.ts';
import type { Services } from '../../change/services.ts';
import { checkInput } from '../../change/verb/check-input.ts';
import type { OrganizationName } from '../../change/verb/unit-of-work.ts';
import type { Page } from '../../change/verb/verb.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';

/**
 * How a delivery stands after its last attempt.
 * - `waiting`: it is tried again
 * - `held`: it is delivered once the webhook is enabled
 */
export type DeliveryOutcome = 'delivered' | 'waiting' | 'held' | 'failed';

/** One event on its way to one webhook, by its last attempt. Moments are RFC 3339 in UTC. */
export interface DeliverySummary {
  event_id: string;
  webhook_id: string;
  event_type: string | null;
  /** Null when the event is no longer kept. */
  record_id: string | null;
  outcome: DeliveryOutcome;
  /** The number of the last attempt. */
  attempts: number;
  last_attempt_at: string;
  duration_ms: number;
  status: number | null;
  /** Why nothing was answered, or why the answer did not count; null where the status says all. */
  error: Text | null;
  next_attempt_at: string | null;
}

/** The same as a page of the log tells it: of which record, as it was when the event happened. */
export interface LoggedDelivery extends DeliverySummary {
  /** Somebody asked for it, to see what the receiver answers. */
  test: boolean;
  /** Null when the event is no longer kept. */
  record: Readonly<Record<string, unknown>> | null;
}

export interface SummaryRow extends Omit<DeliverySummary, 'error'> {
  /** Of its last attempt. */
  id: string;
  /** Null when the event is no longer kept. */
  occurred_at: string | null;
  failure: DeliveryFailureReason | null;
  failure_detail: string | null;
}

export const summaryOf = ({
  id: _,
  occurred_at: __,
  failure,
  failure_detail,
  ...row
}: SummaryRow): DeliverySummary => ({
  ...row,
  error: errorOf(failure, failure_detail),
});

export const errorOf = (failure: DeliveryFailureReason | null, detail: string | null): Text | null =>
  failure && describeDeliveryFailure(failure, detail);

/** In the very words of the partial indexes, so that PostgreSQL uses them. */
export const hasFailed = (sql: Statements): Fragment => sql`coalesce(a.status, 0) not between 200 and 299`;

/** In the very words of its partial index, so that PostgreSQL uses it. */
const isOtherSuccess = (sql: Statements): Fragment => sql`a.status between 201 and 299`;

/** Looked up for each row along an index; a join might read the whole log. */
export const isLastAttempt = (sql: Statements, organization: string): Fragment => sql`
  a.id = (select l.id from attempts l
          where l.organization_id = ${organization} and l.event_id = a.event_id and l.webhook_id = a.webhook_id
          order by l.number desc, l.id desc limit 1)`;

interface Summarized {
  readonly organization: string;
  /** A condition on the attempts `a` of one organization, and perhaps on the event `e` of each. */
  readonly which: Fragment;
  readonly outcome?: DeliveryOutcome | undefined;
  readonly limit: number;
  /** Further columns. */
  readonly beside?: Fragment | undefined;
}

export const summaries = (sql: Statements, summarized: Summarized) =>
  sql<SummaryRow[]>`${selectSummaries(sql, summarized)}`;

/** What says how the delivery of an attempt `a` stands, if it is its last one: `judged.outcome`. */
const judgedJoins = (sql: Statements, organization: string): Fragment => sql`
  left join (select id, disabled_reason from webhooks
             where organization_id = ${organization} and deleted_at is null) w on w.id = a.webhook_id
  cross join lateral (
    select case when a.status between 200 and 299 then 'delivered'
                when a.next_attempt_at is null or w.id is null then 'failed'
                when w.disabled_reason is null then 'waiting'
                when w.disabled_reason = 'failing' then 'held'
                else 'failed' end as outcome) judged`;

/** The statement of {@link summaries}. */
export const selectSummaries = (
  sql: Statements,
  { organization, which, outcome, limit, beside = sql`` }: Summarized,
): Fragment => sql`
  select a.id, a.event_id, a.webhook_id, a.event_type, e.record_id, e.occurred_at, judged.outcome, a.number as attempts,
         a.started_at as last_attempt_at, a.duration_ms, a.status, a.failure, a.failure_detail,
         case when judged.outcome = 'waiting' then a.next_attempt_at end as next_attempt_at ${beside}
  from attempts a ${judgedJoins(sql, organization)}
  left join events e on e.organization_id = ${organization} and e.id = a.event_id
  where ${which} and ${isLastAttempt(sql, organization)} ${outcome ? hasOutcome(sql, outcome) : sql``}
  order by a.started_at desc, a.id desc limit ${limit}`;

/**
 * Compares columns of the attempt where that is enough, because PostgreSQL then knows how common the outcome is
 * (most are delivered), and which index holds what is tried again.
 */
function hasOutcome(sql: Statements, outcome: DeliveryOutcome): Fragment {
  if (outcome === 'delivered') return sql`and a.status between 200 and 299`;
  const planned = outcome === 'failed' ? sql`` : sql`and a.next_attempt_at is not null`;
  return sql`and judged.outcome = ${outcome} ${planned}`;
}

export type DeliverySearch = z.input<typeof SearchDeliveries>;

/**
 * Deliveries of an organization as the log knows them, the one tried last first; one that waits for its first
 * attempt is not among them. `since` and `until` mean the last attempt. A delivery that is tried again while
 * somebody turns pages moves to the first one. Raises VALIDATION_ERROR and INVALID_CURSOR.
 */
export async function searchDeliveries(
  core: Services,
  { id: organization }: OrganizationName,
  search: DeliverySearch = {},
): Promise<Page<LoggedDelivery>> {
  const { limit = limits.pageSizeDefault, cursor, ...filters } = checkInput(SearchDeliveries, search);
  const fingerprint = JSON.stringify(['deliveries', organization, Object.entries(filters).sort()]);
  const position = cursor === undefined ? undefined : decodeCursor(core.secrets, fingerprint, cursor);
  const { sql } = core;
  const rows = await sql<LoggedRow[]>`${selectSummaries(sql, {
    organization,
    which: searchConditions(sql, organization, filters, position),
    outcome: filters.outcome,
    limit: limit + 1,
    beside: sql`, e.test is true as test, e.envelope`,
  })}`;
  return pageOf(core, { rows, limit, fingerprint }, ({ test, envelope, ...row }) => ({
    ...summaryOf(row),
    test,
    record: envelope === null ? null : JSON.parse(envelope).data,
  }));
}

interface LoggedRow extends SummaryRow {
  test: boolean;
  envelope: string | null;
}

/** How many deliveries stand how; each count is at least so much where `more` says that there are further ones. */
export interface DeliveryCounts {
  all: number;
  delivered: number;
  waiting: number;
  held: number;
  failed: number;
  tests: number;
  /**
   * Not all were counted: of all and those delivered, of those that wait or are held, of those that failed, of
   * tests.
   */
  more: Readonly<Record<'all' | 'planned' | 'failed' | 'tests', boolean>>;
}

/** Attempts that are counted, at most: what a page says of more is that there are more. */
const countedAttempts = 500;
/** Tests are few, and found by their events. */
const testsLookedAt = 500;

/** Counts the deliveries of a search by how they stand, the newest first, as far as a bounded look goes. */
export async function countDeliveries(
  { sql }: Pick<Services, 'sql'>,
  { id: organization }: Pick<OrganizationName, 'id'>,
  search: Omit<DeliverySearch, 'outcome' | 'test' | 'limit' | 'cursor'> = {},
): Promise<DeliveryCounts> {
  const filters = checkInput(SearchDeliveries, search);
  const newest = (more: Fragment): Fragment => sql`
    select a.* from attempts a where ${searchConditions(sql, organization, filters, undefined)} ${more}
    order by a.started_at desc, a.id desc limit ${countedAttempts}`;
  const last = isLastAttempt(sql, organization);
  type Read = Record<`${'all' | 'planned' | 'given_up' | 'tests'}_read`, number>;
  const [row] = await sql<(Omit<DeliveryCounts, 'more'> & Read)[]>`
    select "all", all_read, delivered, waiting, held, stopped + given_up as failed, planned_read, given_up_read, tests, tests_read
    from (
      select count(*) filter (where ${last})::integer as "all", count(*)::integer as all_read,
             count(*) filter (where a.status between 200 and 299 and ${last})::integer as delivered
      from (${newest(sql``)}) a) found
    cross join (
      select count(*)::integer as planned_read,
             count(*) filter (where judged.outcome = 'waiting' and ${last})::integer as waiting,
             count(*) filter (where judged.outcome = 'held' and ${last})::integer as held,
             count(*) filter (where judged.outcome = 'failed' and ${last})::integer as stopped
      from (${newest(sql`and a.next_attempt_at is not null`)}) a ${judgedJoins(sql, organization)}) planned
    cross join (
      select count(*)::integer as given_up_read, count(*) filter (where ${last})::integer as given_up
      from (${newest(sql`and ${hasFailed(sql)} and a.next_attempt_at is null`)}) a) given_up
    cross join (
      select count(*) filter (where ${last})::integer as tests, count(*)::integer as tests_read
      from (${newest(sql`and ${isTest(sql, organization)}`)}) a) tests`;
  if (!row) throw new Error('Unreachable: one row always comes');
  const { all_read, planned_read, given_up_read, tests_read, ...counts } = row;
  const isMore = (read: number): boolean => read >= countedAttempts;
  const [all, planned, tests] = [isMore(all_read), isMore(planned_read), isMore(tests_read)];
  return { ...counts, more: { all, planned, failed: planned || isMore(given_up_read), tests } };
}

/** Tests are sent at once and rarely, so the newest events of tests are those of the newest attempts. */
const isTest = (sql: Statements, organization: string): Fragment => sql`
  a.event_id = any(array(
    select id from events where organization_id = ${organization} and test
    order by occurred_at desc limit ${testsLookedAt}))`;

/** A page of deliveries, of which `limit` and one more were read, so that it is known whether there are more. */
export function pageOf<Row extends SummaryRow, Item>(
  { secrets }: Pick<Services, 'secrets'>,
  {
    rows,
    limit,
    fingerprint,
  }: { readonly rows: readonly Row[]; readonly limit: number; readonly fingerprint: string },
  show: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    data: shown.map(show),
    next_cursor: last
      ? encodeCursor(secrets, fingerprint, { value: last.last_attempt_at, id: last.id })
      : null,
    has_more: last !== undefined,
  };
}

type Filters = Omit<z.output<typeof SearchDeliveries>, 'limit' | 'cursor'>;

/** Which attempts are looked for, as a condition on `attempts a`. */
export function searchConditions(
  sql: Statements,
  organization: string,
  filters: Filters,
  after: Position | undefined,
): Fragment {
  const { webhook_id, event_id, event_type, record_id, outcome, status, since, until } = filters;
  const records = [...(record_id === undefined ? [] : [record_id]), ...(filters.record_ids ?? [])];
  const answeredWell = status !== undefined && status >= 200 && status <= 299;
  const failed =
    (outcome !== undefined && outcome !== 'delivered') || (status !== undefined && !answeredWell);
  const all = [
    sql`a.organization_id = ${organization}`,
    ...(webhook_id === undefined ? [] : [sql`a.webhook_id = ${webhook_id}`]),
    ...(event_id === undefined ? [] : [sql`a.event_id = ${event_id}`]),
    ...(event_type === undefined ? [] : [sql`a.event_type = ${event_type}`]),
    ...(record_id === undefined && filters.record_ids === undefined
      ? []
      : [
          sql`a.event_id = any(array(
            select id from events where organization_id = ${organization} and record_id = any(${records}::uuid[])))`,
        ]),
    ...(filters.test === true ? [isTest(sql, organization)] : []),
    ...(failed ? [hasFailed(sql)] : []),
    ...(status === undefined ? [] : [sql`a.status = ${status}`]),
    ...(answeredWell && status !== 200 ? [isOtherSuccess(sql)] : []),
    ...(since === undefined ? [] : [sql`a.started_at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`a.started_at < ${until}::timestamptz`]),
    ...(after ? [sql`(a.started_at, a.id) < (${after.value}::text::timestamptz, ${after.id}::uuid)`] : []),
  ];
  return all.reduce((some, each) => sql`${some} and ${each}`);
}
