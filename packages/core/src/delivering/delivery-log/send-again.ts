import { type FieldProblem, limits, RecoverDeliveries } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Position } from '../../change/paging/cursor.ts';
import type { Services } from '../../change/services.ts';
import { checkInput } from '../../change/verb/check-input.ts';
import type { OrganizationName } from '../../change/verb/unit-of-work.ts';
import { writes } from '../../change/verb/verb.ts';
import type { Database, Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { invalidFields, notFound, Problem } from '../../foundations/problem.ts';
import { hooksOfCredential } from '../webhooks/rest-hooks.ts';
import { type WebhookStatus, webhookStatus, webhookStatusJoins } from '../webhooks/webhook-status.ts';
import { hasFailed, isLastAttempt } from './search-deliveries.ts';

export type DeliveryRecovery = z.input<typeof RecoverDeliveries>;

/**
 * Sends deliveries of a webhook again whose last attempt was made between two moments: one extra attempt each, the
 * oldest first, as many a second as leave room for new events. Answers how many. Raises VALIDATION_ERROR, NOT_FOUND,
 * and CONFLICT when the webhook gets nothing now.
 */
export const recoverDeliveries = writes('webhooks.recover', {
  async beforeTransaction({ core }, { body }) {
    const problems = momentProblems(body, core);
    if (problems.length > 0) throw invalidFields(problems);
    return undefined;
  },
  // Batch by batch, each committed by itself, so that no lock is held for long, however many there are.
  async actOnce({ core, organization, actor }, { path: { id }, body }) {
    const now = core.clock.now();
    const mine = (sql: Statements) =>
      sql`w.id in (select id from webhooks where ${hooksOfCredential(sql, actor)})`;
    const chosen = { ...chosenBy(id, body), mine };
    const count = await sendAgain(core.slowSql, organization, chosen, now.toISOString());
    core.deliveryJobs.add(organization, [id]);
    const told = { webhook_id: id, organization_id: organization, count };
    core.log.info(told, 'Deliveries: to be sent again');
    return count;
  },
  run: async (_, { learned: count }) => ({ count }),
});

/** From when on the log has everything. */
export const logKeptSince = ({ clock, retention }: Pick<Services, 'clock' | 'retention'>): Date =>
  new Date(clock.now().getTime() - retention.deliveryLogDays * 24 * 3600_000);

/** What a client takes for the length of the log ago may be longer ago by our clock. */
const forgivenMs = 3600_000;

function momentProblems(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  core: Pick<Services, 'clock' | 'retention'>,
): FieldProblem[] {
  if (since === undefined) return [];
  const from = Date.parse(since);
  if (from > core.clock.now().getTime()) return [{ path: 'since', key: 'field.in_the_future' }];
  if (from < logKeptSince(core).getTime() - forgivenMs) {
    return [{ path: 'since', key: 'field.before_log', values: { days: core.retention.deliveryLogDays } }];
  }
  return until !== undefined && Date.parse(until) <= from
    ? [{ path: 'until', key: 'field.before_start' }]
    : [];
}

/** Which deliveries of a webhook are sent again; those of the whole log without moments. */
interface Chosen {
  readonly webhook_id: string;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly failed: boolean;
  /** Of which `webhooks w` it must be one; of the organization when absent. */
  readonly mine?: (sql: Statements) => Fragment;
}

const chosenBy = (
  webhook_id: string,
  { since, until, only_failed: failed = true }: DeliveryRecovery,
): Chosen => ({
  webhook_id,
  since,
  until,
  failed,
});

/** The condition on attempts `a` that their deliveries are asked for. */
const isChosen = (
  sql: Statements,
  organization: string,
  { webhook_id: webhook, since, until, failed }: Chosen,
): Fragment => sql`
  a.organization_id = ${organization} and a.webhook_id = ${webhook} and ${isLastAttempt(sql, organization)}
  ${since === undefined ? sql`` : sql`and a.started_at >= ${since}::timestamptz`}
  ${until === undefined ? sql`` : sql`and a.started_at < ${until}::timestamptz`}
  ${failed ? sql`and ${hasFailed(sql)}` : sql``}`;

/** A delivery that would be sent again. */
interface Replayed {
  event_id: string;
  event_type: string | null;
  record_id: string | null;
  /** Of its last attempt, RFC 3339 in UTC. */
  last_attempt_at: string;
  delivered: boolean;
}

/** What `recoverDeliveries` would send. */
export interface ReplayPreview {
  count: number;
  /** How many of these the receiver took already. */
  delivered: number;
  /** The first of them, the oldest first. */
  first: Replayed[];
}

const mostPreviewed = 20;

/**
 * Says which deliveries would be sent again, without sending any; with `until` at this moment, these are all that
 * `recoverDeliveries` sends with the same `until`, less what was sent meanwhile. Raises VALIDATION_ERROR.
 */
export async function previewRecovery(
  core: Services,
  { id: organization }: Pick<OrganizationName, 'id'>,
  webhook_id: string,
  recovery: DeliveryRecovery,
): Promise<ReplayPreview> {
  const checked = checkInput(RecoverDeliveries, recovery);
  const problems = momentProblems(checked, core);
  if (problems.length > 0) throw invalidFields(problems);
  const chosen = chosenBy(webhook_id, checked);
  const now = core.clock.now().toISOString();
  const { slowSql: sql } = core;
  const rows = await sql<(Replayed & { count: number; of_delivered: number })[]>`
    with tried as materialized (
      select a.id, a.event_id, a.event_type, e.record_id, a.started_at as last_attempt_at,
             coalesce(a.status, 0) between 200 and 299 as delivered
      from attempts a join events e on e.organization_id = ${organization} and e.id = a.event_id and not e.test
      where ${isChosen(sql, organization, chosen)})
    select event_id, event_type, record_id, last_attempt_at, delivered, (count(*) over ())::integer as count,
           (count(*) filter (where delivered) over ())::integer as of_delivered
    from tried
    -- What is being sent, or asked for by hand, is sent anyway.
    where not exists (
      select 1 from deliveries d
      where d.webhook_id = ${webhook_id} and d.event_id = tried.event_id
        and (d.worker_id is not null or d.by_hand or d.due_at <= ${now}::timestamptz))
    order by last_attempt_at, id limit ${mostPreviewed}`;
  const [{ count, of_delivered: delivered } = { count: 0, of_delivered: 0 }] = rows;
  return { count, delivered, first: rows.map(({ count: _, of_delivered: __, ...each }) => each) };
}

/** Attempts that one transaction looks at: some tenths of a second. */
const attemptsLookedAtOnce = 5000;

/**
 * Queues deliveries to be sent again, in batches that are each committed by themselves. What waits in the queue is
 * sent between its retries; what is being sent at this moment is left out, and so is what is asked for already: run
 * twice at once, each is sent once. Answers how many. Raises NOT_FOUND, and CONFLICT for a webhook that gets nothing
 * now.
 */
export async function sendAgain(
  sql: Database,
  organization: string,
  chosen: Chosen,
  now: string,
): Promise<number> {
  let count = 0;
  let before = 0;
  let after: Position | undefined;
  do {
    const work = (tx: Transaction) => queueBatch(tx, organization, chosen, { now, before, after });
    const batch = await inTransaction(sql, work);
    count += batch.count;
    before += batch.chosen;
    after = batch.last;
  } while (after);
  return count;
}

interface Batch {
  readonly now: string;
  /** How many stand in batches before it, so that all of them leave at one pace. */
  readonly before: number;
  /** The attempt that the last batch ended with. */
  readonly after: Position | undefined;
}

/**
 * Answers how many were queued and how many stood in the batch, and its last attempt unless it was the last batch.
 */
async function queueBatch(
  tx: Transaction,
  organization: string,
  replay: Chosen,
  { now, before, after }: Batch,
): Promise<{ count: number; chosen: number; last: Position | undefined }> {
  const { webhook_id: webhook } = replay;
  await requireActiveWebhook(tx, organization, replay, now);
  const [row] = await tx<
    { count: number; chosen: number; tried: number; last_at: string | null; last_id: string | null }[]
  >`
    with tried as (
      select a.id, a.started_at, a.event_id, a.number,
             (select occurred_at from events e
              where e.organization_id = ${organization} and e.id = a.event_id and not e.test) as occurred_at
      from attempts a
      where ${isChosen(tx, organization, replay)} and a.started_at <= ${now}::timestamptz
        ${after ? tx`and (a.started_at, a.id) > (${after.value}::text::timestamptz, ${after.id}::uuid)` : tx``}
      order by a.started_at, a.id limit ${attemptsLookedAtOnce}
    ), chosen as (
      -- Of an event that is no longer kept there is nothing to send, and of a test nothing to make up for.
      select event_id, number, occurred_at,
             ${now}::timestamptz + make_interval(secs =>
               (${before}::integer + row_number() over (order by started_at, id) - 1) / ${limits.replayedPerSecond}::float)
               as due_at
      from tried where occurred_at is not null
    ), moved as (
      update deliveries d set by_hand = true, retry_at = d.due_at, due_at = chosen.due_at
      from chosen
      where d.webhook_id = ${webhook} and d.event_id = chosen.event_id and d.worker_id is null and not d.by_hand
        and d.due_at > chosen.due_at
      returning 1
    ), queued as (
      insert into deliveries (id, organization_id, webhook_id, event_id, attempts, due_at, created_at, by_hand)
      select gen_random_uuid(), ${organization}, ${webhook}, event_id, number, due_at, occurred_at, true
      from chosen
      where not exists (
        select from deliveries d where d.webhook_id = ${webhook} and d.event_id = chosen.event_id)
      on conflict (webhook_id, event_id) where by_hand do nothing
      returning 1
    ), last as (select id, started_at from tried order by started_at desc, id desc limit 1)
    select ((select count(*) from moved) + (select count(*) from queued))::integer as count,
           (select count(*) from chosen)::integer as chosen, (select count(*) from tried)::integer as tried,
           (select started_at from last) as last_at, (select id from last) as last_id`;
  if (!row) throw new Error('Unreachable: one row always comes');
  const { count, chosen, tried, last_at: value, last_id: id } = row;
  const isLast = tried < attemptsLookedAtOnce || value === null || id === null;
  return { count, chosen, last: isLast ? undefined : { value, id } };
}

/**
 * Raises NOT_FOUND, and CONFLICT for a webhook that gets nothing now. It is not removed before the commit. From here
 * on PostgreSQL uses no nested loops: it expects one chosen row, and would read the whole queue once for each.
 */
async function requireActiveWebhook(
  tx: Transaction,
  organization: string,
  { webhook_id, mine }: Chosen,
  now: string,
): Promise<void> {
  const [row] = await tx<{ standing: WebhookStatus }[]>`
    select ${webhookStatus(tx, now)} as standing, set_config('enable_nestloop', 'off', true)
    from webhooks w ${webhookStatusJoins(tx)}
    where w.organization_id = ${organization} and w.id = ${webhook_id} ${mine ? tx`and ${mine(tx)}` : tx``}
    for key share of w`;
  if (!row) throw notFound();
  if (row.standing !== 'active') throw new Problem('delivery.webhook_inactive');
}
