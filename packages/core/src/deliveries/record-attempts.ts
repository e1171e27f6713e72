import type { Database, Fragment, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { RequestOutcome } from '../outgoing/index.ts';
import type { ClaimedDelivery } from './claim.ts';
import { endRestHooks } from './end-rest-hooks.ts';
import { type Fate, judgeAttempt, type Verdict } from './judge-attempt.ts';
import { type AttemptResult, hasFailedTooLong, healthAfter } from './webhook-health.ts';
import { lockUnwell, type WebhookHealth, type WebhookKey } from './webhook-locks.ts';

/** One attempt that is over. */
export interface FinishedAttempt {
  /** Of its row in the log; the same when it is written again after a failure. */
  id: string;
  delivery: ClaimedDelivery;
  startedAt: Date;
  endedAt: Date;
  outcome: RequestOutcome;
}

interface Judged {
  attempt: FinishedAttempt;
  verdict: Verdict;
}

/**
 * Writes many attempts with one statement a table: the health of their webhooks, the log, the deliveries. Only what
 * the worker still holds the lease of is changed. Written twice, they change nothing more.
 */
export async function recordAttempts(
  sql: Database,
  workerId: number,
  attempts: readonly FinishedAttempt[],
): Promise<Map<FinishedAttempt, Fate>> {
  const judged = attempts.map((attempt) => ({ attempt, verdict: judgeAttempt(attempt, Math.random()) }));
  await inTransaction(sql, async (tx) => {
    // Webhooks before deliveries, as everybody locks them.
    await recordHealth(tx, judged);
    await Promise.all([
      insertLog(tx, attempts),
      deleteDone(tx, workerId, judged),
      putOff(tx, workerId, judged),
    ]);
    await noteIdle(tx, judged);
  });
  return new Map(judged.map(({ attempt, verdict }) => [attempt, verdict.fate]));
}

async function recordHealth(tx: Transaction, judged: readonly Judged[]): Promise<void> {
  const tried = [...Map.groupBy(judged, ({ attempt }) => attempt.delivery.webhook_id).values()].map(
    (group) => ({ key: keyOf(group), results: group.map(resultOf), isGone: group.some(isGone) }),
  );
  const unwell = await lockUnwell(
    tx,
    tried.map(({ key, results }) => ({ ...key, failed: results.some(({ delivered }) => !delivered) })),
  );
  if (unwell.length === 0) return;
  const changed: (WebhookKey & WebhookHealth)[] = [];
  const ended: WebhookKey[] = [];
  for (const { organization_id, webhook_id, ...before } of unwell) {
    const webhook = tried.find(({ key }) => key.webhook_id === webhook_id);
    if (!webhook) continue;
    const after = healthAfter(before, webhook.results);
    const lastEnd = new Date(Math.max(...webhook.results.map(({ endedAt }) => endedAt.getTime())));
    if (webhook.isGone || hasFailedTooLong(after, lastEnd)) ended.push(webhook.key);
    changed.push({ ...webhook.key, ...after });
  }
  await tx`
    update webhooks w set failing_since = health.failing_since, idle_since = health.idle_since
    from unnest(${changed.map((each) => each.organization_id)}::uuid[],
                ${changed.map((each) => each.webhook_id)}::uuid[],
                ${changed.map((each) => each.failing_since)}::timestamptz[],
                ${changed.map((each) => each.idle_since)}::timestamptz[])
      as health (organization_id, id, failing_since, idle_since)
    where w.organization_id = health.organization_id and w.id = health.id`;
  if (ended.length > 0) await endRestHooks(tx, ended);
}

async function insertLog(tx: Transaction, attempts: readonly FinishedAttempt[]): Promise<void> {
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

async function deleteDone(tx: Transaction, workerId: number, judged: readonly Judged[]): Promise<void> {
  const done = judged.filter(({ verdict }) => verdict.dueAt === null).map(({ attempt }) => attempt.delivery);
  if (done.length === 0) return;
  await tx`
    delete from deliveries where ctid = any(array(
      select ours.ctid
      from unnest(${done.map((each) => each.webhook_id)}::uuid[], ${done.map((each) => each.id)}::uuid[])
        as done (webhook_id, id)
      cross join lateral (${held(tx, workerId, 'done')}) ours))`;
}

async function putOff(tx: Transaction, workerId: number, judged: readonly Judged[]): Promise<void> {
  const again = judged.filter(({ verdict }) => verdict.dueAt !== null);
  if (again.length === 0) return;
  await tx`
    update deliveries d
    set attempts = d.attempts + 1, due_at = ours.next_at, worker_id = null, leased_until = null
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
async function noteIdle(tx: Transaction, judged: readonly Judged[]): Promise<void> {
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

function keyOf(group: readonly Judged[]): WebhookKey {
  const [first] = group;
  if (!first) throw new Error('A group of attempts is empty');
  const { organization_id, webhook_id } = first.attempt.delivery;
  return { organization_id, webhook_id };
}

const resultOf = ({ attempt: { startedAt, endedAt }, verdict }: Judged): AttemptResult => ({
  startedAt,
  endedAt,
  delivered: verdict.fate === 'delivered',
});

const isGone = ({ verdict }: Judged): boolean => verdict.fate === 'gone';

/** PostgreSQL keeps no NUL and no half characters; one such text must not stop a whole batch. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
