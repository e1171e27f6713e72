import type { DeliveryFailureReason } from '@dealkeep/contract';
import { Batches } from '../../../foundations/database/batches.ts';
import type { Database, Fragment, Statements } from '../../../foundations/database/connect.ts';
import { ErrorThrottle } from '../../../foundations/error-throttle.ts';
import type { Log } from '../../../foundations/log.ts';
import { unwrittenLogEntries } from '../../../foundations/operating-limits.ts';
import type { RequestOutcome } from '../../../foundations/outgoing/index.ts';

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

interface LogBufferOptions {
  /** A connection of its own, so that a log that cannot be written keeps nothing else waiting. */
  sql: Database;
  log: Log;
  /** As `DeliveryTiming.gatheredForMs.log`. */
  gatheredForMs: number;
}

/**
 * Writes the delivery log beside the deliveries, which go on when it cannot be written (a full disk, a lock, a
 * missing right). What waits is written once it can be again; of more than fits in memory the oldest goes.
 */
export const logBuffer = ({ sql, log, gatheredForMs }: LogBufferOptions): Batches<AttemptEntry> =>
  new Batches<AttemptEntry>({
    atOnce: 500,
    gathered: { count: 250, forMs: gatheredForMs },
    pauseMs: { first: 1000, longest: 1000 },
    write: async (batch) => {
      await attemptsInsert(sql, batch);
      return [];
    },
    trouble: new ErrorThrottle({
      log,
      level: 'error',
      begins: 'The delivery log cannot be written; deliveries go on',
      ends: 'The delivery log is written again',
    }),
    most: {
      count: unwrittenLogEntries,
      onFirstDropped: () => log.error({}, 'The delivery log loses attempts'),
    },
  });

/** One statement for many, which can stand behind a `with`. Written twice, it changes nothing more. */
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
