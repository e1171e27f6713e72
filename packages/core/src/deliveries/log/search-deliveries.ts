import { limits, SearchDeliveries } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../../core.ts';
import type { Fragment, Statements } from '../../database/connect.ts';
import { decodeCursor, encodeCursor, type Position } from '../../lists/cursor.ts';
import { checkInput } from '../../verb/check-input.ts';
import type { OrganizationName } from '../../verb/transact.ts';
import type { Page } from '../../verb/verb.ts';
import { type DeliverySummary, hasFailed, isOtherSuccess, summaries, summaryOf } from './delivery-summary.ts';

export type DeliverySearch = z.input<typeof SearchDeliveries>;

/**
 * Deliveries of an organization as the log knows them, the one tried last first; one that waits for its first attempt
 * is not among them. `since` and `until` mean the last attempt. A delivery that is tried again while somebody turns
 * pages moves to the first one. Raises VALIDATION_ERROR and INVALID_CURSOR.
 */
export async function searchDeliveries(
  core: Core,
  { id: organization }: OrganizationName,
  search: DeliverySearch = {},
): Promise<Page<DeliverySummary>> {
  const { limit = limits.pageSizeDefault, cursor, ...filters } = checkInput(SearchDeliveries, search);
  const fingerprint = JSON.stringify(['deliveries', organization, Object.entries(filters).sort()]);
  const position = cursor === undefined ? undefined : decodeCursor(core.secrets, fingerprint, cursor);
  const { sql } = core;
  const rows = await summaries(sql, {
    which: searchConditions(sql, organization, filters, position),
    outcome: filters.outcome,
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    data: shown.map(summaryOf),
    next_cursor: last
      ? encodeCursor(core.secrets, fingerprint, { value: last.last_attempt_at, id: last.id })
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
  const answeredWell = status !== undefined && status >= 200 && status <= 299;
  const failed =
    (outcome !== undefined && outcome !== 'delivered') || (status !== undefined && !answeredWell);
  const all = [
    sql`a.organization_id = ${organization}`,
    ...(webhook_id === undefined ? [] : [sql`a.webhook_id = ${webhook_id}`]),
    ...(event_id === undefined ? [] : [sql`a.event_id = ${event_id}`]),
    ...(event_type === undefined ? [] : [sql`a.event_type = ${event_type}`]),
    ...(record_id === undefined
      ? []
      : [
          sql`a.event_id = any(array(
            select id from events where organization_id = ${organization} and record_id = ${record_id}))`,
        ]),
    ...(failed ? [hasFailed(sql)] : []),
    ...(status === undefined ? [] : [sql`a.status = ${status}`]),
    ...(answeredWell && status !== 200 ? [isOtherSuccess(sql)] : []),
    ...(since === undefined ? [] : [sql`a.started_at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`a.started_at < ${until}::timestamptz`]),
    ...(after ? [sql`(a.started_at, a.id) < (${after.value}::text::timestamptz, ${after.id}::uuid)`] : []),
  ];
  return all.reduce((some, each) => sql`${some} and ${each}`);
}
