import { type DeliveryFailureReason, type HookDelivery, isEventType, limits } from '@dealkeep/contract';
import { decodeCursor } from '../../change/paging/cursor.ts';
import { type Reading, reads } from '../../change/verb/verb.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { invalidParameter, notFound } from '../../foundations/problem.ts';
import type { Credential } from '../../identity/credentials/credential.ts';
import { hooksOfCredential } from '../webhooks/rest-hooks.ts';
import { errorOf, pageOf, type SummaryRow, searchConditions, selectSummaries } from './search-deliveries.ts';

/**
 * Deliveries of a hook of the credential, the one tried last first. Raises NOT_FOUND for any other hook,
 * INVALID_PARAMETER and INVALID_CURSOR.
 */
export const listHookDeliveries = reads(
  'webhook-deliveries.list',
  async ({ core, sql, organization, actor }, { path: { id: hook }, query }) => {
    const { status, event, record_id, created_after: after, limit = limits.pageSizeDefault, cursor } = query;
    if (event !== undefined && !isEventType(event)) {
      throw invalidParameter({ path: 'event', key: 'webhook.unknown_event', values: { event } });
    }
    const filters = { webhook_id: hook, event_type: event, record_id, outcome: status };
    const fingerprint = JSON.stringify(['webhook-deliveries.list', organization, filters, after ?? null]);
    const position = cursor === undefined ? undefined : decodeCursor(core.secrets, fingerprint, cursor);
    // No attempt is made before its event, so those before it are not looked at.
    const isRecent =
      after === undefined
        ? sql``
        : sql`and a.started_at >= ${after}::timestamptz and e.occurred_at > ${after}::timestamptz`;
    const found = selectSummaries(sql, {
      organization,
      which: sql`${searchConditions(sql, organization, filters, position)} ${isRecent}`,
      outcome: status,
      limit: limit + 1,
    });
    const rows = await sql<(SummaryRow | { id: null })[]>`
      select found.* from ${hookOf(sql, actor, hook)} left join (${found}) found on true
      order by found.last_attempt_at desc, found.id desc`;
    if (rows.length === 0) throw notFound();
    const deliveries = rows.filter((row): row is SummaryRow => row.id !== null);
    return pageOf(core, { rows: deliveries, limit, fingerprint }, deliveryOf);
  },
);

interface Attempt {
  number: number;
  started_at: string;
  attempt_ms: number;
  attempt_status: number | null;
  attempt_failure: DeliveryFailureReason | null;
  attempt_detail: string | null;
  response_start: string | null;
  planned_at: string | null;
  by_hand: boolean;
}

/** One of them with its attempts, the first one first. Raises NOT_FOUND. */
export const getHookDelivery = reads('webhook-deliveries.get', (context, { path }) =>
  hookDelivery(context, path),
);

/** The same in the midst of a change. Raises NOT_FOUND. */
export async function hookDelivery(
  { sql, organization, actor }: Pick<Reading, 'sql' | 'organization' | 'actor'>,
  { id: hook, delivery_id: event }: { readonly id: string; readonly delivery_id: string },
): Promise<HookDelivery> {
  const which = searchConditions(sql, organization, { webhook_id: hook, event_id: event }, undefined);
  const rows = await sql<(SummaryRow & Attempt)[]>`
    select found.*, each.number, each.started_at, each.duration_ms as attempt_ms, each.status as attempt_status,
           each.failure as attempt_failure, each.failure_detail as attempt_detail, each.response_start,
           each.next_attempt_at as planned_at, each.by_hand
    from ${hookOf(sql, actor, hook)}
    cross join (${selectSummaries(sql, { organization, which, limit: 1 })}) found
    join attempts each on each.organization_id = ${organization} and each.event_id = found.event_id
      and each.webhook_id = found.webhook_id
    order by each.number, each.id`;
  const [delivery] = rows;
  if (!delivery) throw notFound();
  return { ...deliveryOf(delivery), attempts: rows.map(attemptOf) };
}

/** The hook as a table of one row, and of none when it is not the credential's. */
const hookOf = (sql: Statements, actor: Credential, id: string): Fragment => sql`
  (select id as hook from webhooks where ${hooksOfCredential(sql, actor)} and id = ${id}) hook`;

const deliveryOf = (row: SummaryRow): Omit<HookDelivery, 'attempts'> => ({
  id: row.event_id,
  event: row.event_type,
  record_id: row.record_id,
  status: row.outcome,
  attempt_count: row.attempts,
  response_status: row.status,
  error: errorOf(row.failure, row.failure_detail),
  created_at: row.occurred_at,
  last_attempt_at: row.last_attempt_at,
  next_attempt_at: row.next_attempt_at,
});

const attemptOf = (row: Attempt): HookDelivery['attempts'][number] => ({
  number: row.number,
  started_at: row.started_at,
  duration_ms: row.attempt_ms,
  response_status: row.attempt_status,
  error: errorOf(row.attempt_failure, row.attempt_detail),
  response_start: row.response_start,
  next_attempt_at: row.planned_at,
  by_hand: row.by_hand,
});
