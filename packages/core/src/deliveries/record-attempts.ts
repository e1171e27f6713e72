import type { Database, Fragment, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { FinishedAttempt } from './finished-attempt.ts';
import { type JudgedAttempt, judgeAttempt, type Verdict } from './judge-attempt.ts';
import { recordHealth } from './record-health.ts';
import { releaseNext } from './release-held-events.ts';
import { type WithdrawnDelivery, withdrawDeliveries } from './withdraw-deliveries.ts';

export interface RecordedAttempts {
  verdicts: Map<FinishedAttempt, Verdict>;
  /** What waited for webhooks that are disabled now. */
  withdrawn: WithdrawnDelivery[];
  /** Held events that followed have become due. */
  released: boolean;
}

/**
 * Writes many attempts with one statement a table: the health of their webhooks, the deliveries. Only what
 * the worker still holds the lease of is changed. Written twice, they change nothing more.
 */
export async function recordAttempts(
  sql: Database,
  workerId: number,
  attempts: readonly FinishedAttempt[],
): Promise<RecordedAttempts> {
  const judged = attempts.map((attempt) => ({ attempt, verdict: judgeAttempt(attempt, Math.random()) }));
  const left = await inTransaction(sql, async (tx) => {
    // Webhooks before deliveries, as everybody locks them.
    const disabled = await recordHealth(tx, judged.filter(wasMade));
    await Promise.all([deleteDone(tx, workerId, judged), putOff(tx, workerId, judged)]);
    await noteIdle(tx, judged);
    const withdrawn =
      disabled.length > 0 ? await withdrawDeliveries(tx, disabled, { now: lastEnd(attempts) }) : [];
    return { withdrawn, released: await releaseFollowing(tx, attempts) };
  });
  return { verdicts: new Map(judged.map(({ attempt, verdict }) => [attempt, verdict])), ...left };
}

/** What could not even be signed, as with a wrong `SECRETS_KEY`, is our fault and says nothing about the webhook. */
const wasMade = ({ attempt: { outcome } }: JudgedAttempt): boolean =>
  outcome.outcome === 'answered' || outcome.reason !== 'not_sent';

/** Each held event that was tried makes place for the next one of its webhook. */
async function releaseFollowing(tx: Transaction, attempts: readonly FinishedAttempt[]): Promise<boolean> {
  const webhooks = attempts
    .filter(({ delivery }) => delivery.in_order)
    .map(({ delivery }) => delivery.webhook_id);
  if (webhooks.length === 0) return false;
  return (await releaseNext(tx, tx`w.id = any(${webhooks}::uuid[])`, lastEnd(attempts))) > 0;
}

const lastEnd = (attempts: readonly FinishedAttempt[]): string =>
  new Date(Math.max(...attempts.map(({ endedAt }) => endedAt.getTime()))).toISOString();

async function deleteDone(
  tx: Transaction,
  workerId: number,
  judged: readonly JudgedAttempt[],
): Promise<void> {
  const done = judged.filter(({ verdict }) => verdict.dueAt === null).map(({ attempt }) => attempt.delivery);
  if (done.length === 0) return;
  await tx`
    delete from deliveries where ctid = any(array(
      select ours.ctid
      from unnest(${done.map((each) => each.webhook_id)}::uuid[], ${done.map((each) => each.id)}::uuid[])
        as done (webhook_id, id)
      cross join lateral (
        select d.ctid from deliveries d
        where d.webhook_id = done.webhook_id and d.id = done.id
          -- Nobody's: a crash of the server has undone the claim, or the lease has ended. It was sent all the same.
          and coalesce(d.worker_id, ${workerId}) = ${workerId}
        for update skip locked) ours))`;
}

async function putOff(tx: Transaction, workerId: number, judged: readonly JudgedAttempt[]): Promise<void> {
  const again = judged.filter(({ verdict }) => verdict.dueAt !== null);
  if (again.length === 0) return;
  await tx`
    update deliveries d
    set attempts = d.attempts + case when d.by_hand then 0 else 1 end,
        extra_attempts = d.extra_attempts + case when d.by_hand then 1 else 0 end,
        by_hand = false, retry_at = null, in_order = false,
        due_at = ours.next_at, worker_id = null, leased_until = null
    from (select ours.ctid, again.next_at
          from unnest(${again.map(({ attempt }) => attempt.delivery.webhook_id)}::uuid[],
                      ${again.map(({ attempt }) => attempt.delivery.id)}::uuid[],
                      ${again.map(({ verdict }) => verdict.dueAt)}::timestamptz[])
            as again (webhook_id, id, next_at)
          cross join lateral (${held(tx, workerId, 'again')}) ours) ours
    where d.ctid = ours.ctid`;
}

/**
 * The delivery of a list if its lease is still ours, found by its key whatever the planner believes. One that somebody
 * has locked is being removed with its webhook.
 */
const held = (tx: Transaction, workerId: number, list: string): Fragment => tx`
  select d.ctid from deliveries d
  where d.webhook_id = ${tx(list)}.webhook_id and d.id = ${tx(list)}.id
    and d.worker_id is not distinct from ${workerId}
  for update skip locked`;

/** A failing webhook for which nothing waits any more does not go on failing. */
async function noteIdle(tx: Transaction, judged: readonly JudgedAttempt[]): Promise<void> {
  const given = judged.filter(({ verdict }) => verdict.fate === 'given up');
  if (given.length === 0) return;
  await tx`
    update webhooks w set idle_since = given.ended_at
    from unnest(${given.map(({ attempt }) => attempt.delivery.organization_id)}::uuid[],
                ${given.map(({ attempt }) => attempt.delivery.webhook_id)}::uuid[],
                ${given.map(({ attempt }) => attempt.endedAt.toISOString())}::timestamptz[])
      as given (organization_id, id, ended_at)
    where w.organization_id = given.organization_id and w.id = given.id and w.failing_since is not null
      and not exists (select from deliveries d where d.webhook_id = w.id)`;
}
