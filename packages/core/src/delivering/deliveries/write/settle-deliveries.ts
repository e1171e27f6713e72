import type { WebhookKey } from '../../../change/queue/delivery-jobs.ts';
import type { Database, Fragment, Statements, Transaction } from '../../../foundations/database/connect.ts';
import { inTransaction } from '../../../foundations/database/in-transaction.ts';
import { isFaultOfProxy } from '../../../foundations/outgoing/index.ts';
import { releaseNext } from '../../webhooks/held-events.ts';
import { needsNote } from '../../webhooks/webhook-locks.ts';
import { type WithdrawnDelivery, withdrawDeliveries } from '../../webhooks/withdraw-deliveries.ts';
import type { JudgedAttempt } from '../judge.ts';
import { keysOf, placeOf } from '../lease/lease.ts';
import { recordHealth } from './record-health.ts';

interface Settled {
  /** Those whose deliveries somebody has locked at this moment; to be written again. */
  unwritten: JudgedAttempt[];
  /** What waited for webhooks that are disabled now. */
  withdrawn: WithdrawnDelivery[];
  /** Webhooks of which the next held event has become due. */
  released: WebhookKey[];
}

/**
 * Writes many attempts: successes that change nothing but the queue with one statement, the others with one a table:
 * the health of their webhooks, the deliveries. Only what the worker still holds the lease of is changed. Written
 * twice, they change nothing more.
 */
export async function settleDeliveries(
  sql: Database,
  workerId: number,
  attempts: readonly JudgedAttempt[],
): Promise<Settled & { written: JudgedAttempt[] }> {
  const judged = attempts.toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime());
  const others = await deleteUneventful(sql, workerId, judged);
  const settled =
    others.length > 0
      ? await inTransaction(sql, (tx) => recordEventful(tx, workerId, others))
      : { unwritten: [], withdrawn: [], released: [] };
  const unwritten = new Set(settled.unwritten);
  return { ...settled, written: judged.filter((each) => !unwritten.has(each)) };
}

async function recordEventful(
  tx: Transaction,
  workerId: number,
  judged: readonly JudgedAttempt[],
): Promise<Settled> {
  // Webhooks before deliveries, as everybody locks them. Neither waits for the other's answer: another worker may
  // wait for the same webhooks.
  const [disabled, left] = await Promise.all([
    recordHealth(tx, judged.filter(saysSomething)),
    writeDeliveries(tx, workerId, judged),
  ]);
  const unwritten = judged.filter(({ delivery }) => left.has(delivery.id));
  await noteIdle(tx, judged);
  const now = judged.at(-1)?.endedAt.toISOString() ?? '';
  const withdrawn = disabled.length > 0 ? await withdrawDeliveries(tx, disabled, { now }) : [];
  // Each held event that was tried makes place for the next one of its webhook.
  const inOrder = judged.filter(({ delivery, fate }) => delivery.in_order && fate !== 'held');
  const which = tx`w.id = any(${inOrder.map(webhookOf)}::uuid[])`;
  const isReleased = inOrder.length > 0 && (await releaseNext(tx, which, now)) > 0;
  return { unwritten, withdrawn, released: isReleased ? inOrder.map(({ delivery }) => delivery) : [] };
}

/**
 * What could not even be signed, as with a wrong `SECRETS_KEY`, or not leave us because `OUTBOUND_PROXY` fails, is
 * our fault and says nothing about the webhook.
 */
function saysSomething({ outcome }: JudgedAttempt): boolean {
  if (outcome.outcome === 'answered') return true;
  if (outcome.reason === 'proxy_failed') return !isFaultOfProxy(outcome.detail);
  return outcome.reason !== 'not_sent';
}

/**
 * Notes which failing webhooks have nothing waiting any more, because such time does not count as failing (rule
 * deliveries 16).
 */
async function noteIdle(tx: Transaction, judged: readonly JudgedAttempt[]): Promise<void> {
  const given = judged.filter(({ fate }) => fate === 'given up');
  if (given.length === 0) return;
  await tx`
    update webhooks w set idle_since = given.ended_at
    from unnest(${given.map(({ delivery }) => delivery.organization_id)}::uuid[],
                ${given.map(webhookOf)}::uuid[],
                ${given.map(({ endedAt }) => endedAt.toISOString())}::timestamptz[])
      as given (organization_id, id, ended_at)
    where w.organization_id = given.organization_id and w.id = given.id and w.failing_since is not null
      and w.disabled_reason is null and not exists (select from deliveries d where d.webhook_id = w.id offset 0)`;
}

/**
 * Ends the deliveries that arrived at webhooks that do well: nothing else is to be written of them. Answers the
 * others, which need a closer look.
 */
async function deleteUneventful(
  sql: Database,
  workerId: number,
  judged: readonly JudgedAttempt[],
): Promise<JudgedAttempt[]> {
  const troubled = new Set(judged.filter(({ fate }) => fate !== 'delivered').map(webhookOf));
  const done = judged.filter((each) => !each.delivery.in_order && !troubled.has(webhookOf(each)));
  if (done.length === 0) return [...judged];
  // Of each webhook its last success.
  const tried = [...new Map(done.map((each) => [webhookOf(each), each])).values()];
  const gone = await sql<{ id: string }[]>`
    with eventful as materialized (
      select w.id from webhooks w
      join unnest(${tried.map(({ delivery }) => delivery.organization_id)}::uuid[],
                  ${tried.map(webhookOf)}::uuid[],
                  ${tried.map(({ endedAt }) => endedAt.toISOString())}::timestamptz[])
        as tried (organization_id, id, delivered_at)
        on tried.organization_id = w.organization_id and tried.id = w.id
      where ${needsNote(sql)}
    )
    delete from deliveries where ctid = any(array(
      select ours.ctid
      from unnest(${keysOf(sql, done)}) as done (webhook_id, id, place)
      cross join lateral (${lockedHere(sql, sql`done`, workerId)}) ours
      where not exists (select from eventful where eventful.id = done.webhook_id)))
    returning id`;
  const ended = new Set(gone.map(({ id }) => id));
  return judged.filter((each) => !ended.has(each.delivery.id));
}

const webhookOf = ({ delivery }: JudgedAttempt): string => delivery.webhook_id;

/**
 * The delivery of a result: leased by this worker, or by nobody, where a crash of the server has undone the lease or
 * it has ended. It was sent all the same. One that somebody has locked is being removed with its webhook, or is
 * locked for a moment only: it is not waited for, so that nobody deadlocks.
 */
const lockedHere = (sql: Statements, result: Fragment, workerId: number): Fragment => sql`
  select d.ctid, d.worker_id from deliveries d
  where d.ctid = ${placeOf(sql, result)} and coalesce(d.worker_id, ${workerId}) = ${workerId}
  for update skip locked`;

/**
 * Deletes what is done with and puts the rest off. Answers the ids of those that this worker still holds the lease
 * of: somebody had locked them, or has changed them since the statement began, so that it finds the row to lock but
 * not to write.
 */
async function writeDeliveries(
  tx: Transaction,
  workerId: number,
  judged: readonly JudgedAttempt[],
): Promise<ReadonlySet<string>> {
  const held = judged.filter(({ fate }) => fate === 'held').map(({ delivery }) => delivery.id);
  const left = await tx<{ id: string }[]>`
    with result as materialized (
      select result.*, result.id = any(${held}::uuid[]) as held
      from unnest(${keysOf(tx, judged)}, ${judged.map(({ dueAt }) => dueAt)}::timestamptz[])
        as result (webhook_id, id, place, next_at)),
    ours as materialized (
      select result.*, locked.ctid, locked.worker_id
      from result cross join lateral (${lockedHere(tx, tx`result`, workerId)}) locked),
    gone as (
      delete from deliveries where ctid = any(array(select ctid from ours where next_at is null)) returning id),
    put_off as (
      update deliveries d
      set attempts = d.attempts + case when ours.held or d.by_hand then 0 else 1 end,
          extra_attempts = d.extra_attempts + case when d.by_hand and not ours.held then 1 else 0 end,
          by_hand = d.by_hand and ours.held, retry_at = case when ours.held then d.retry_at end,
          in_order = d.in_order and ours.held, due_at = ours.next_at, worker_id = null
      from ours where d.ctid = ours.ctid and ours.next_at is not null and ours.worker_id is not null
      returning d.id)
    select d.id
    from result cross join lateral (
      select d.id from deliveries d where d.ctid = ${placeOf(tx, tx`result`)} and d.worker_id = ${workerId} offset 0) d
    where d.id not in (select id from gone union all select id from put_off)`;
  return new Set(left.map(({ id }) => id));
}
