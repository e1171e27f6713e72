import type { DeliveryFailureReason, Text } from '@dealkeep/contract';
import type { Core } from '../../core.ts';
import type { Statements } from '../../database/connect.ts';
import { notFound } from '../../problem.ts';
import type { OrganizationName } from '../../verb/transact.ts';
import { unsignedHeaders } from '../sign.ts';
import { type DeliverySummary, errorOf, summaries, summaryOf } from './delivery-summary.ts';

/** One attempt. Moments are RFC 3339 in UTC. */
export interface LoggedAttempt {
  /** As `X-Service-Attempt`. */
  number: number;
  started_at: string;
  duration_ms: number;
  /** Null when nothing was answered. */
  status: number | null;
  error: Text | null;
  /** The first 1 KiB of the answer; null when there was none. */
  response_start: string | null;
  /** As they were sent; the signatures are not kept. */
  request_headers: Record<string, string>;
  /** The retry that was planned. */
  next_attempt_at: string | null;
  by_hand: boolean;
}

export interface Delivery extends DeliverySummary {
  occurred_at: string | null;
  /** Null when the webhook was removed. */
  webhook_name: string | null;
  target_url: string | null;
  /** The envelope exactly as it is sent; null when it is no longer kept. */
  body: string | null;
  /** The first one first. */
  log: LoggedAttempt[];
}

/** One delivery with all its attempts, its body and headers. Raises NOT_FOUND. */
export async function getDelivery(
  { sql }: Pick<Core, 'sql'>,
  { id: organization }: Pick<OrganizationName, 'id'>,
  { webhook_id, event_id }: { webhook_id: string; event_id: string },
): Promise<Delivery> {
  const which = sql`
    a.organization_id = ${organization} and a.event_id = ${event_id} and a.webhook_id = ${webhook_id}`;
  const [row] = await summaries(sql, { which, limit: 1 });
  if (!row) throw notFound();
  const [more] = await sql<Pick<Delivery, 'occurred_at' | 'webhook_name' | 'target_url' | 'body'>[]>`
    select e.occurred_at, w.name as webhook_name, w.target_url, e.envelope as body
    from (values (0)) one
    left join events e on e.organization_id = ${organization} and e.id = ${event_id}
    left join webhooks w on w.organization_id = ${organization} and w.id = ${webhook_id}`;
  if (!more) throw new Error('Unreachable: one row always comes');
  const log = await attemptsOf(sql, organization, { webhook_id, event_id });
  return { ...summaryOf(row), ...more, log };
}

interface AttemptRow extends Omit<LoggedAttempt, 'error' | 'request_headers'> {
  event_type: string | null;
  failure: DeliveryFailureReason | null;
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
  return rows.map(({ failure, failure_detail, event_type, ...attempt }) => ({
    ...attempt,
    error: errorOf(failure, failure_detail),
    request_headers: unsignedHeaders({
      eventId: event_id,
      type: event_type ?? '',
      attempt: attempt.number,
      timestamp: Math.floor(Date.parse(attempt.started_at) / 1000),
    }),
  }));
}
