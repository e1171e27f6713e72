import type { Transaction } from '../database/connect.ts';
import type { RequestOutcome } from '../outgoing/index.ts';

/** An attempt as the log keeps it. */
export interface LoggedAttempt {
  id: string;
  delivery: {
    organization_id: string;
    webhook_id: string;
    event_id: string;
    /** Attempts made before. */
    attempts: number;
  };
  startedAt: Date;
  outcome: RequestOutcome;
}

/** Writes attempts into the delivery log. Written twice, they change nothing more. */
export async function insertAttempts(tx: Transaction, attempts: readonly LoggedAttempt[]): Promise<void> {
  const answers = attempts.map(({ outcome }) => (outcome.outcome === 'answered' ? outcome : undefined));
  await tx`
    insert into attempts (organization_id, id, webhook_id, event_id, number, started_at, duration_ms, status, error,
                          response_start)
    select * from unnest(
      ${attempts.map(({ delivery }) => delivery.organization_id)}::uuid[],
      ${attempts.map(({ id }) => id)}::uuid[],
      ${attempts.map(({ delivery }) => delivery.webhook_id)}::uuid[],
      ${attempts.map(({ delivery }) => delivery.event_id)}::text[],
      ${attempts.map(({ delivery }) => delivery.attempts + 1)}::integer[],
      ${attempts.map(({ startedAt }) => startedAt.toISOString())}::timestamptz[],
      ${attempts.map(({ outcome }) => outcome.durationMs)}::integer[],
      ${answers.map((answer) => answer?.status ?? null)}::integer[],
      ${attempts.map(({ outcome }) => (outcome.outcome === 'failed' ? storable(outcome.message) : null))}::text[],
      ${answers.map((answer) => (answer ? storable(answer.responseStart) : null))}::text[])
    on conflict do nothing`;
}

/** PostgreSQL keeps no NUL and no half characters; one such text must not stop a whole batch. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
