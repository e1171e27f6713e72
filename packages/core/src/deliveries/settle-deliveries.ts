import type { Database, Fragment, Statements, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { isFaultOfProxy, type RequestOutcome } from '../outgoing/index.ts';
import { releaseNext } from './held-events.ts';
import { type JudgedAttempt, judgeAttempt, type Verdict } from './judge-attempt.ts';
import type { ClaimedDelivery } from './send-attempt.ts';
import { recordHealth } from './webhook-health.ts';
import { needsNote } from './webhook-locks.ts';
import { type WithdrawnDelivery, withdrawDeliveries } from './withdraw-deliveries.ts';

/** One attempt that is over. */
export interface FinishedAttempt {
  /** Id of its row in the log; it stays the same when it is written again after a failure. */
  id: string;
  delivery: ClaimedDelivery;
  /** Undefined when the event is gone. */
  eventType: string | undefined;
  startedAt: Date;
  endedAt: Date;
  outcome: RequestOutcome;
}

interface SettledDeliveries {
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
export async function settleDeliveries(
  sql: Database,
  workerId: number,
  attempts: readonly FinishedAttempt[],
): Promise<SettledDeliveries> {
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
): Promise<Omit<SettledDeliveries, 'verdicts'>> {
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

/**
 * Notes which failing webhooks have nothing waiting any more, because such time does not count as failing (rule
 * deliveries 16).
 */
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

/**
 * Ends the deliveries that arrived at webhooks that do well: nothing else is to be written of them. Answers the ids of
 * those that are gone; the others need a closer look.
 */
async function deleteUneventful(
  sql: Database,
  workerId: number,
  judged: readonly JudgedAttempt[],
): Promise<ReadonlySet<string>> {
  const troubled = new Set(judged.filter(({ verdict }) => verdict.fate !== 'delivered').map(webhookOf));
  const done = judged.filter((each) => !each.attempt.delivery.in_order && !troubled.has(webhookOf(each)));
  if (done.length === 0) return new Set();
  const webhooks = [...Map.groupBy(done, webhookOf).values()].flatMap((group) => {
    const [first] = group;
    const deliveredAt = Math.max(...group.map(({ attempt }) => attempt.endedAt.getTime()));
    return first ? [{ ...first.attempt.delivery, deliveredAt: new Date(deliveredAt).toISOString() }] : [];
  });
  const gone = await sql<{ id: string }[]>`
    with eventful as materialized (
      select w.id from webhooks w
      join unnest(${webhooks.map((each) => each.organization_id)}::uuid[],
                  ${webhooks.map((each) => each.webhook_id)}::uuid[],
                  ${webhooks.map((each) => each.deliveredAt)}::timestamptz[])
        as tried (organization_id, id, delivered_at)
        on tried.organization_id = w.organization_id and tried.id = w.id
      where ${needsNote(sql)}
    )
    delete from deliveries where ctid = any(array(
      select ours.ctid from ${ofDeliveries(sql, done)}
      cross join lateral (${stillOurs(sql, workerId)}) ours
      where not exists (select from eventful where eventful.id = done.webhook_id)))
    returning id`;
  return new Set(gone.map(({ id }) => id));
}

const webhookOf = ({ attempt }: JudgedAttempt): string => attempt.delivery.webhook_id;

/** Answers the ids of those that are gone. */
async function deleteDone(
  tx: Transaction,
  workerId: number,
  judged: readonly JudgedAttempt[],
): Promise<string[]> {
  const done = judged.filter(({ verdict }) => verdict.dueAt === null);
  if (done.length === 0) return [];
  const gone = await tx<{ id: string }[]>`
    delete from deliveries where ctid = any(array(
      select ours.ctid from ${ofDeliveries(tx, done)} cross join lateral (${stillOurs(tx, workerId)}) ours))
    returning id`;
  return gone.map(({ id }) => id);
}

const ofDeliveries = (sql: Statements, judged: readonly JudgedAttempt[]): Fragment => sql`
  unnest(${judged.map(webhookOf)}::uuid[], ${judged.map(({ attempt }) => attempt.delivery.id)}::uuid[])
    as done (webhook_id, id)`;

/**
 * The delivery of a result, found by its key whatever the planner believes: leased by this worker, or by nobody, where
 * a crash of the server has undone the claim or the lease has ended. It was sent all the same. One that somebody has
 * locked is being removed with its webhook, or is locked for a moment only: it is not waited for, so that nobody
 * deadlocks.
 */
const stillOurs = (sql: Statements, workerId: number): Fragment => sql`
  select d.ctid from deliveries d
  where d.webhook_id = done.webhook_id and d.id = done.id and coalesce(d.worker_id, ${workerId}) = ${workerId}
  for update skip locked`;

/** Answers the ids of those that are put off. */
async function putOff(
  tx: Transaction,
  workerId: number,
  judged: readonly JudgedAttempt[],
): Promise<string[]> {
  const again = judged.filter(({ verdict }) => verdict.dueAt !== null);
  if (again.length === 0) return [];
  const held = again
    .filter(({ verdict }) => verdict.fate === 'held')
    .map(({ attempt }) => attempt.delivery.id);
  const waiting = await tx<{ id: string }[]>`
    update deliveries d
    set attempts = d.attempts + case when ours.held or d.by_hand then 0 else 1 end,
        extra_attempts = d.extra_attempts + case when d.by_hand and not ours.held then 1 else 0 end,
        by_hand = d.by_hand and ours.held, retry_at = case when ours.held then d.retry_at end,
        in_order = d.in_order and ours.held, due_at = ours.next_at, worker_id = null
    from (select ours.ctid, again.next_at, again.id = any(${held}::uuid[]) as held
          from unnest(${again.map(webhookOf)}::uuid[], ${again.map(({ attempt }) => attempt.delivery.id)}::uuid[],
                      ${again.map(({ verdict }) => verdict.dueAt)}::timestamptz[])
            as again (webhook_id, id, next_at)
          cross join lateral (
            select d.ctid from deliveries d
            where d.webhook_id = again.webhook_id and d.id = again.id and d.worker_id = ${workerId}
            for update skip locked) ours) ours
    where d.ctid = ours.ctid
    returning d.id`;
  return waiting.map(({ id }) => id);
}

/** Which of the deliveries that were not changed this worker still holds the lease of: somebody had locked them. */
async function stillHeld(
  tx: Transaction,
  workerId: number,
  attempts: readonly FinishedAttempt[],
  changed: ReadonlySet<string>,
): Promise<FinishedAttempt[]> {
  const unchanged = attempts.filter(({ delivery }) => !changed.has(delivery.id));
  if (unchanged.length === 0) return [];
  const held = await tx<{ id: string }[]>`
    select d.id
    from unnest(${unchanged.map(({ delivery }) => delivery.webhook_id)}::uuid[],
                ${unchanged.map(({ delivery }) => delivery.id)}::uuid[]) as unchanged (webhook_id, id)
    join deliveries d on d.webhook_id = unchanged.webhook_id and d.id = unchanged.id
    where d.worker_id = ${workerId}`;
  const ids = new Set(held.map(({ id }) => id));
  return unchanged.filter(({ delivery }) => ids.has(delivery.id));
}
