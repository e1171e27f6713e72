import type { DeliveryFailureReason } from '@dealkeep/contract';
import type { Fragment, Statements } from '../../database/connect.ts';
import type { RequestOutcome } from '../../outgoing/index.ts';

/** An attempt as the log keeps it. */
export interface AttemptEntry {
  organization_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string | null;
  /** As `X-Service-Attempt`. */
  number: number;
  started_at: string;
  duration_ms: number;
  status: number | null;
  failure: DeliveryFailureReason | null;
  failure_detail: string | null;
  response_start: string | null;
  next_attempt_at: string | null;
  by_hand: boolean;
}

/** What an entry is made of. */
interface LoggedAttempt {
  id: string;
  delivery: Pick<AttemptEntry, 'organization_id' | 'webhook_id' | 'event_id' | 'number' | 'by_hand'>;
  eventType: string | undefined;
  startedAt: Date;
  outcome: RequestOutcome;
}

/** @param next_attempt_at of the retry; null when there is none */
export function entryOf(attempt: LoggedAttempt, next_attempt_at: string | null): AttemptEntry {
  const { id, delivery, eventType, startedAt, outcome } = attempt;
  const { organization_id, webhook_id, event_id, number, by_hand } = delivery;
  const answer = outcome.outcome === 'answered' ? outcome : undefined;
  return {
    organization_id,
    id,
    webhook_id,
    event_id,
    event_type: eventType ?? null,
    number,
    started_at: startedAt.toISOString(),
    duration_ms: outcome.durationMs,
    status: answer?.status ?? null,
    ...failureOf(attempt),
    response_start: answer ? storable(answer.responseStart) : null,
    next_attempt_at,
    by_hand,
  };
}

const longestDetail = 500;

function failureOf({ outcome }: LoggedAttempt): Pick<AttemptEntry, 'failure' | 'failure_detail'> {
  const detail = outcome.outcome === 'failed' ? outcome.detail : outcome.headers.location;
  const failure_detail = detail === undefined ? null : storable(detail.slice(0, longestDetail));
  if (outcome.outcome === 'failed') return { failure: outcome.reason, failure_detail };
  return outcome.status >= 300 && outcome.status < 400
    ? { failure: 'redirected', failure_detail }
    : { failure: null, failure_detail: null };
}

/** PostgreSQL keeps no NUL and no half characters; one such text must not stop a whole batch. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** One statement for many. Written twice, it changes nothing more. */
export async function insertAttempts(sql: Statements, entries: readonly AttemptEntry[]): Promise<void> {
  await attemptsInsert(sql, entries);
}

/** The same as a statement that can stand behind a `with`. */
export function attemptsInsert(sql: Statements, entries: readonly AttemptEntry[]): Fragment {
  const all = <Name extends keyof AttemptEntry>(name: Name): AttemptEntry[Name][] =>
    entries.map((entry) => entry[name]);
  const byHand = entries.filter(({ by_hand }) => by_hand).map(({ id }) => id);
  return sql`
    insert into attempts (organization_id, id, webhook_id, event_id, event_type, number, started_at, duration_ms,
                          status, failure, failure_detail, response_start, next_attempt_at, by_hand)
    select e.*, e.id = any(${byHand}::uuid[]) from unnest(
      ${all('organization_id')}::uuid[], ${all('id')}::uuid[], ${all('webhook_id')}::uuid[],
      ${all('event_id')}::text[], ${all('event_type')}::text[], ${all('number')}::integer[],
      ${all('started_at')}::timestamptz[], ${all('duration_ms')}::integer[], ${all('status')}::integer[],
      ${all('failure')}::text[], ${all('failure_detail')}::text[], ${all('response_start')}::text[],
      ${all('next_attempt_at')}::timestamptz[]) as e (organization_id, id)
    on conflict do nothing`;
}
