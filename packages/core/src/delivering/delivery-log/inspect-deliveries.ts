import type { DeliveryFailureReason, Text } from '@dealkeep/contract';
import type { Services } from '../../change/services.ts';
import type { OrganizationName } from '../../change/verb/unit-of-work.ts';
import type { Database, Statements } from '../../foundations/database/connect.ts';
import { inspectedDeliveries } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { notFound } from '../../foundations/problem.ts';
import { idsOfOrganizations, ofAllOrganizations } from '../../identity/tenancy/due-organizations.ts';
import { unsignedHeaders } from '../webhooks/signed-headers.ts';
import { organizationOfWebhook } from './operate-webhooks.ts';
import {
  type DeliverySummary,
  errorOf,
  type LoggedDelivery,
  summaries,
  summaryOf,
} from './search-deliveries.ts';

type InEnglish<Row extends { error: unknown }> = Omit<Row, 'error'> & { error: string | null };

/** A delivery as an operator sees it. */
export type InspectedSummary = InEnglish<DeliverySummary>;
export type InspectedDelivery = InEnglish<Omit<Delivery, 'log'>> & { log: InEnglish<LoggedAttempt>[] };

/** A delivery whose event was not sent to the webhook yet. */
export interface UntriedDelivery {
  event_id: string;
  webhook_id: string;
  event_type: string;
  record_id: string;
  outcome: 'waiting' | 'held';
  attempts: 0;
  next_attempt_at: string | null;
  webhook_name: string | null;
  target_url: string;
  body: string;
  log: [];
}

/**
 * The last deliveries of a webhook, the one tried last first; also of one that was removed, as long as they are in
 * the log. Raises OperatorError.
 */
export async function inspectWebhook(sql: Database, webhook: string): Promise<InspectedSummary[]> {
  const organization = await organizationOfWebhook(sql, webhook, { removed: true });
  const which = sql`a.organization_id = ${organization} and a.webhook_id = ${webhook}`;
  const rows = await summaries(sql, { organization, which, limit: inspectedDeliveries });
  return rows.map((row) => inEnglish(summaryOf(row)));
}

/** What became of an event: one delivery for each webhook that it concerned. Raises OperatorError. */
export async function inspectEvent(
  sql: Database,
  event_id: string,
): Promise<(InspectedDelivery | UntriedDelivery)[]> {
  // The key of events begins with the organization.
  const organizations = await idsOfOrganizations(sql);
  const [event] = await sql<{ organization: string }[]>`
    select ${ofAllOrganizations(sql)} organization_id as organization from events
    where organization_id = any(${organizations}::uuid[]) and id = ${event_id}`;
  if (!event) throw new OperatorError(`There is no event "${event_id}"; events are kept for 30 days`);
  const { organization } = event;
  const tried = await sql<{ webhook_id: string }[]>`
    select distinct webhook_id from attempts
    where organization_id = ${organization} and event_id = ${event_id} order by webhook_id`;
  const deliveries = await Promise.all(
    tried.map(({ webhook_id }) => getDelivery({ sql }, { id: organization }, { webhook_id, event_id })),
  );
  return [
    ...deliveries.map((each) => ({ ...inEnglish(each), log: each.log.map(inEnglish) })),
    ...(await untried(sql, organization, event_id)),
  ];
}

const inEnglish = <Row extends DeliverySummary | LoggedAttempt>(row: Row): InEnglish<Row> => ({
  ...row,
  error: row.error?.en ?? null,
});

const untried = (sql: Database, organization: string, event_id: string) => sql<UntriedDelivery[]>`
  select e.id as event_id, untried.webhook_id, e.type as event_type, e.record_id, untried.outcome, 0 as attempts,
         untried.next_attempt_at, untried.webhook_name, untried.target_url, e.envelope as body, '[]'::json as log
  from events e
  cross join (
    select w.id as webhook_id, w.name as webhook_name, w.target_url, queued.* from webhooks w
    cross join lateral (
      select 'waiting' as outcome, d.due_at as next_attempt_at from deliveries d
      where d.webhook_id = w.id and d.event_id = ${event_id} and d.attempts = 0
      union all
      select 'held', null from held_events h
      where h.webhook_id = w.id and h.event_id = ${event_id} and h.attempts = 0) queued
    where w.organization_id = ${organization} and w.deleted_at is null) untried
  where e.organization_id = ${organization} and e.id = ${event_id}
  order by untried.webhook_id`;

/** One attempt. Moments are RFC 3339 in UTC. */
export interface LoggedAttempt {
  /** As `X-Service-Attempt`. */
  number: number;
  started_at: string;
  duration_ms: number;
  /** Null when nothing was answered. */
  status: number | null;
  error: Text | null;
  /** The same for whoever says what to do about it. */
  failure: DeliveryFailureReason | null;
  /** The first 1 KiB of the answer; null when there was none. */
  response_start: string | null;
  /** As they were sent; the signatures are not kept. */
  request_headers: Record<string, string>;
  /** The retry that was planned. */
  next_attempt_at: string | null;
  by_hand: boolean;
}

export interface Delivery extends LoggedDelivery {
  occurred_at: string | null;
  /** Null when the webhook was removed. */
  webhook_name: string | null;
  target_url: string | null;
  webhook_kind: 'manual' | 'rest_hook' | null;
  /** The envelope exactly as it is sent; null when it is no longer kept. */
  body: string | null;
  /** The first one first. */
  log: LoggedAttempt[];
}

/** One delivery with all its attempts, its body and headers. Raises NOT_FOUND. */
export async function getDelivery(
  { sql }: Pick<Services, 'sql'>,
  { id: organization }: Pick<OrganizationName, 'id'>,
  { webhook_id, event_id }: { webhook_id: string; event_id: string },
): Promise<Delivery> {
  const which = sql`
    a.organization_id = ${organization} and a.event_id = ${event_id} and a.webhook_id = ${webhook_id}`;
  const [row] = await summaries(sql, { organization, which, limit: 1 });
  if (!row) throw notFound();
  const [more] = await sql<
    Pick<Delivery, 'occurred_at' | 'webhook_name' | 'target_url' | 'webhook_kind' | 'test' | 'body'>[]
  >`
    select e.occurred_at, w.name as webhook_name, w.target_url, case when w.id is null then null when w.api_key_id is null and w.oauth_connection_id is null then 'manual' else 'rest_hook' end as webhook_kind, e.test is true as test,
           e.envelope as body
    from (values (0)) one
    left join events e on e.organization_id = ${organization} and e.id = ${event_id}
    left join (select * from webhooks where organization_id = ${organization} and id = ${webhook_id} and deleted_at is null) w on true`;
  if (!more) throw new Error('Unreachable: one row always comes');
  const log = await attemptsOf(sql, organization, { webhook_id, event_id });
  const record = more.body === null ? null : JSON.parse(more.body).data;
  return { ...summaryOf(row), ...more, record, log };
}

interface AttemptRow extends Omit<LoggedAttempt, 'error' | 'request_headers'> {
  event_type: string | null;
  failure_detail: string | null;
}

async function attemptsOf(
  sql: Statements,
  organization: string,
  { webhook_id, event_id }: { webhook_id: string; event_id: string },
): Promise<LoggedAttempt[]> {
  const rows = await sql<AttemptRow[]>`
    select number, started_at, duration_ms, status, failure, failure_detail, response_start, next_attempt_at, by_hand,
           event_type
    from attempts
    where organization_id = ${organization} and event_id = ${event_id} and webhook_id = ${webhook_id}
    order by number, id`;
  return rows.map(({ failure_detail, event_type, ...attempt }) => ({
    ...attempt,
    error: errorOf(attempt.failure, failure_detail),
    request_headers: unsignedHeaders({
      eventId: event_id,
      type: event_type ?? '',
      attempt: attempt.number,
      timestamp: Math.floor(Date.parse(attempt.started_at) / 1000),
    }),
  }));
}
