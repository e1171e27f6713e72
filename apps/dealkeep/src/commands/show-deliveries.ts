import type { InspectedDelivery, InspectedSummary, UntriedDelivery } from '@dealkeep/core/delivering';
import { oneLine } from '../one-line.ts';
import { table } from '../print-result.ts';

export type Inspected = InspectedSummary | InspectedDelivery | UntriedDelivery;

/** Deliveries for people: a table of a webhook's, or the whole story of an event's. */
export function showDeliveries(deliveries: readonly Inspected[]): string {
  const stories = deliveries.filter((each) => 'log' in each);
  if (stories.length > 0) return stories.map(story).join('\n\n');
  return table(
    deliveries
      .filter((each) => 'last_attempt_at' in each)
      .map((each) => ({
        last_attempt_at: each.last_attempt_at,
        outcome: each.outcome,
        attempts: each.attempts,
        status: each.status,
        error: each.error,
        event_type: each.event_type,
        event_id: each.event_id,
        next_attempt_at: each.next_attempt_at,
      })),
  );
}

function story(delivery: InspectedDelivery | UntriedDelivery): string {
  const { event_id, event_type, record_id, webhook_id, webhook_name, target_url, outcome, body } = delivery;
  const next = delivery.next_attempt_at === null ? '' : `, next attempt at ${delivery.next_attempt_at}`;
  const attempts = delivery.log.map((attempt) => ({
    attempt: attempt.number,
    started_at: attempt.started_at,
    duration_ms: attempt.duration_ms,
    status: attempt.status,
    error: attempt.error,
    by_hand: attempt.by_hand ? 'yes' : 'no',
    answer: attempt.response_start,
  }));
  return [
    `event    ${event_id}  ${event_type ?? ''}  ${record_id ?? ''}`.trimEnd(),
    `webhook  ${webhook_id}  ${oneLine(webhook_name ?? '')}  ${oneLine(target_url ?? 'removed')}`,
    `outcome  ${outcome}${next}`,
    attempts.length > 0 ? table(attempts) : 'not tried yet',
    ...(body === null ? [] : [`body     ${oneLine(body)}`]),
  ].join('\n');
}
