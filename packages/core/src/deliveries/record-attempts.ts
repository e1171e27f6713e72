import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { isFaultOfProxy } from '../outgoing/index.ts';
import type { FinishedAttempt } from './finished-attempt.ts';
import { type JudgedAttempt, judgeAttempt, type Verdict } from './judge-attempt.ts';
import { recordHealth } from './record-health.ts';
import { releaseNext } from './release-held-events.ts';
import { deleteDone, deleteUneventful, putOff, stillHeld } from './settle-deliveries.ts';
import { type WithdrawnDelivery, withdrawDeliveries } from './withdraw-deliveries.ts';

export interface RecordedAttempts {
  verdicts: Map<FinishedAttempt, Verdict>;
  /** Those whose deliveries somebody has locked at this moment; to be written again. */
  unwritten: FinishedAttempt[];
  /** What waited for webhooks that are disabled now. */
  withdrawn: WithdrawnDelivery[];
  /** Held events that followed have become due. */
  released: boolean;
}

/**
 * Writes many attempts: successes that change nothing but the queue with one statement, the others with one a table:
 * the health of their webhooks, the deliveries. Only what the worker still holds the lease of is changed. Written
 * twice, they change nothing more.
 */
export async function recordAttempts(
  sql: Database,
  workerId: number,
  attempts: readonly FinishedAttempt[],
): Promise<RecordedAttempts> {
  const judged = attempts.map((attempt) => ({ attempt, verdict: judgeAttempt(attempt, Math.random()) }));
  const done = await deleteUneventful(sql, workerId, judged);
  const others = judged.filter(({ attempt }) => !done.has(attempt.delivery.id));
  const left =
    others.length > 0
      ? await inTransaction(sql, (tx) => recordEventful(tx, workerId, others))
      : { unwritten: [], withdrawn: [], released: false };
  const unwritten = new Set(left.unwritten);
  const written = judged.filter(({ attempt }) => !unwritten.has(attempt));
  return { verdicts: new Map(written.map(({ attempt, verdict }) => [attempt, verdict])), ...left };
}

async function recordEventful(
  tx: Transaction,
  workerId: number,
  judged: readonly JudgedAttempt[],
): Promise<Omit<RecordedAttempts, 'verdicts'>> {
  const attempts = judged.map(({ attempt }) => attempt);
  // Webhooks before deliveries, as everybody locks them.
  const disabled = await recordHealth(tx, judged.filter(saysSomething));
  const changed = await Promise.all([deleteDone(tx, workerId, judged), putOff(tx, workerId, judged)]);
  const unwritten = await stillHeld(tx, workerId, attempts, new Set(changed.flat()));
  await noteIdle(tx, judged);
  const withdrawn =
    disabled.length > 0 ? await withdrawDeliveries(tx, disabled, { now: lastEnd(attempts) }) : [];
  const tried = judged.filter(({ verdict }) => verdict.fate !== 'held').map(({ attempt }) => attempt);
  return { unwritten, withdrawn, released: await releaseFollowing(tx, tried) };
}

/**
 * What could not even be signed, as with a wrong `SECRETS_KEY`, or not leave us because `OUTBOUND_PROXY` fails, is our
 * fault and says nothing about the webhook.
 */
function saysSomething({ attempt: { outcome } }: JudgedAttempt): boolean {
  if (outcome.outcome === 'answered') return true;
  if (outcome.reason === 'proxy_failed') return !isFaultOfProxy(outcome.detail);
  return outcome.reason !== 'not_sent';
}

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
