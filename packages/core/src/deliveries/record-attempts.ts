import { randomUUIDv7 } from 'node:crypto';
import { limits } from '@dealkeep/contract';
import type { Database } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { RequestOutcome } from '../outgoing/index.ts';
import type { ClaimedDelivery } from './claim.ts';
import { parseRetryAfter, retryDelayMs } from './retry-schedule.ts';

/** One attempt that is over. */
export interface FinishedAttempt {
  delivery: ClaimedDelivery;
  startedAt: Date;
  endedAt: Date;
  outcome: RequestOutcome;
}

type Fate = 'delivered' | 'gone' | 'again' | 'given up';

interface Verdict {
  fate: Fate;
  dueAt: string | null;
}

/** What an attempt means for its delivery (specification, Delivery rules). */
export function judgeAttempt({ delivery, endedAt, outcome }: FinishedAttempt): Verdict {
  const status = outcome.outcome === 'answered' ? outcome.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { fate: 'delivered', dueAt: null };
  if (status === 410) return { fate: 'gone', dueAt: null };
  const asked =
    outcome.outcome === 'answered' && (status === 429 || status === 503)
      ? parseRetryAfter(outcome.headers.retryAfter, endedAt)
      : undefined;
  const delay = retryDelayMs(delivery.attempts + 1, asked, Math.random());
  if (delay === undefined) return { fate: 'given up', dueAt: null };
  return { fate: 'again', dueAt: new Date(endedAt.getTime() + delay).toISOString() };
}

/** Writes many attempts with one statement a table: the log, the deliveries, the health of their webhooks. */
export async function recordAttempts(
  sql: Database,
  workerId: number,
  attempts: readonly FinishedAttempt[],
): Promise<Map<FinishedAttempt, Fate>> {
  const judged = attempts.map((attempt) => ({ attempt, verdict: judgeAttempt(attempt) }));
  const ids = (...fates: Fate[]) =>
    judged.filter(({ verdict }) => fates.includes(verdict.fate)).map(({ attempt }) => attempt.delivery.id);
  const again = judged.filter(({ verdict }) => verdict.fate === 'again');
  const over = ids('delivered', 'gone', 'given up');
  const recovered = webhooksOf(judged, (fate) => fate === 'delivered').filter(
    (each) => each.failingSince !== null,
  );
  const gone = webhooksOf(judged, (fate) => fate === 'gone');
  const failing = webhooksOf(judged, (fate) => fate === 'again' || fate === 'given up');
  const latest = new Date(Math.max(...attempts.map((attempt) => attempt.endedAt.getTime())));
  const endBefore = new Date(latest.getTime() - limits.failingEndHours * 3600_000).toISOString();

  await inTransaction(sql, async (tx) => {
    const log = attempts.map(({ delivery, startedAt, endedAt, outcome }) => ({
      organization_id: delivery.organization_id,
      id: randomUUIDv7(),
      webhook_id: delivery.webhook_id,
      event_id: delivery.event_id,
      number: delivery.attempts + 1,
      started_at: startedAt.toISOString(),
      duration_ms: Math.max(0, endedAt.getTime() - startedAt.getTime()),
      status: outcome.outcome === 'answered' ? outcome.status : null,
      error: outcome.outcome === 'failed' ? outcome.message : null,
      response_start: outcome.outcome === 'answered' ? outcome.responseStart : null,
    }));
    await tx`insert into attempts ${tx(log)}`;
    // Only while the lease is still ours: another worker may have taken over meanwhile.
    if (over.length > 0) {
      await tx`delete from deliveries where id = any(${over}::uuid[]) and worker_id = ${workerId}`;
    }
    if (again.length > 0) {
      await tx`
        update deliveries d set attempts = attempts + 1, due_at = next.due_at, worker_id = null
        from unnest(${again.map(({ attempt }) => attempt.delivery.id)}::uuid[],
                    ${again.map(({ verdict }) => verdict.dueAt)}::timestamptz[]) as next (id, due_at)
        where d.id = next.id and d.worker_id = ${workerId}`;
    }
    for (const { organizationId, webhookId } of recovered) {
      await tx`update webhooks set failing_since = null where organization_id = ${organizationId} and id = ${webhookId}`;
    }
    for (const { organizationId, webhookId, endedAt } of failing) {
      await tx`
        update webhooks set failing_since = coalesce(failing_since, ${endedAt})
        where organization_id = ${organizationId} and id = ${webhookId} and failing_since is null`;
      // Three days without one success end a REST hook (specification, Delivery rules, 8).
      await tx`
        delete from webhooks
        where organization_id = ${organizationId} and id = ${webhookId} and api_key_id is not null
          and failing_since <= ${endBefore}`;
    }
    for (const { organizationId, webhookId } of gone) {
      await tx`delete from webhooks where organization_id = ${organizationId} and id = ${webhookId}`;
    }
  });
  return new Map(judged.map(({ attempt, verdict }) => [attempt, verdict.fate]));
}

function webhooksOf(
  judged: readonly { attempt: FinishedAttempt; verdict: Verdict }[],
  chosen: (fate: Fate) => boolean,
) {
  const webhooks = new Map<
    string,
    { organizationId: string; webhookId: string; endedAt: string; failingSince: string | null }
  >();
  for (const { attempt, verdict } of judged) {
    const {
      organization_id: organizationId,
      webhook_id: webhookId,
      failing_since: failingSince,
    } = attempt.delivery;
    if (chosen(verdict.fate) && !webhooks.has(webhookId)) {
      webhooks.set(webhookId, {
        organizationId,
        webhookId,
        endedAt: attempt.endedAt.toISOString(),
        failingSince,
      });
    }
  }
  return [...webhooks.values()].sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1));
}
