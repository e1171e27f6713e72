import { limits } from '@dealkeep/contract';
import { roleBacks } from '../credentials/authorize.ts';
import type { Fragment, Statements, Transaction } from '../database/connect.ts';
import type { LastError } from '../mails/mail-jobs.ts';
import { addWebhookMails, type WebhookNews } from '../mails/webhook-mails.ts';
import { noteUseOfConnections } from '../oauth/connections.ts';
import type { JudgedAttempt } from './judge-attempt.ts';
import type { FinishedAttempt } from './settle-deliveries.ts';
import { lockTried, type TriedWebhook, type WebhookHealth, type WebhookKey } from './webhook-locks.ts';
import { endRestHooks } from './withdraw-deliveries.ts';

/** What an attempt says about its webhook. */
export interface AttemptResult {
  startedAt: Date;
  endedAt: Date;
  delivered: boolean;
}

/**
 * How a webhook does after these attempts. Failing counts from the first failure after the last success, and only
 * while something was to be delivered (rule deliveries 16).
 */
export function healthAfter(before: WebhookHealth, results: readonly AttemptResult[]): WebhookHealth {
  let { failing_since: failing, idle_since: idle, failing_told_at: told } = before;
  for (const { startedAt, endedAt, delivered } of byEnd(results)) {
    const end = endedAt.toISOString();
    if (delivered) {
      // A success that ended before the first failure says nothing about what came after it.
      if (failing !== null && failing <= end) failing = idle = told = null;
    } else if (failing === null) {
      failing = end;
    } else if (idle !== null) {
      failing = later(failing, startedAt.getTime() - Date.parse(idle));
      idle = null;
    }
  }
  return { failing_since: failing, idle_since: idle, failing_told_at: told };
}

/** Whether a webhook has failed for so long that it ends (rule deliveries 18). */
export const hasFailedTooLong = (health: WebhookHealth, now: Date): boolean =>
  hasFailedFor(health, limits.failingEndHours, now);

/** Whether people are to be told that a webhook fails: once, until it succeeds again. */
const isToBeTold = (health: WebhookHealth, now: Date): boolean =>
  health.failing_told_at === null && hasFailedFor(health, limits.failingMailHours, now);

const hasFailedFor = ({ failing_since: failing }: WebhookHealth, hours: number, now: Date): boolean =>
  failing !== null && now.getTime() - Date.parse(failing) >= hours * 3600_000;

const byEnd = (results: readonly AttemptResult[]): AttemptResult[] =>
  results.toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime());

const later = (moment: string, byMs: number): string =>
  new Date(Date.parse(moment) + Math.max(0, byMs)).toISOString();

/** A webhook and what has just been sent to it. */
interface Tried extends TriedWebhook {
  attempts: readonly FinishedAttempt[];
  results: readonly { startedAt: Date; endedAt: Date; delivered: boolean }[];
  isGone: boolean;
  lastEnd: Date;
}

type Standing = WebhookKey & WebhookHealth & { last_success_at: string | null };

/** What becomes of a webhook. */
interface Decision {
  health: Standing;
  ends: 'gone' | 'failing' | undefined;
  news: WebhookNews | undefined;
}

/**
 * Writes how the webhooks of these attempts do, adds mails to the people of those that have failed for long, and ends
 * those that are gone or have failed for too long (rules deliveries 17, 18 and 19). Answers the ids of
 * disabled ones, from which what waits is still to be withdrawn.
 */
export async function recordHealth(tx: Transaction, judged: readonly JudgedAttempt[]): Promise<string[]> {
  const tried = new Map(
    [...Map.groupBy(judged, ({ attempt }) => attempt.delivery.webhook_id)].map(([id, group]) => [
      id,
      triedOf(group),
    ]),
  );
  const decisions = (await lockTried(tx, [...tried.values()])).flatMap((before) => {
    const webhook = tried.get(before.webhook_id);
    return webhook ? [decide(before, webhook)] : [];
  });
  if (decisions.length === 0) return [];
  await writeHealth(
    tx,
    decisions.map(({ health }) => health),
  );
  await noteUseOfConnections(
    tx,
    decisions.map(({ health }) => health),
  );
  const ended = decisions.flatMap(({ health, ends }) => (ends ? [{ ...health, reason: ends }] : []));
  // Before the hooks are removed, because the people of a REST hook are found by its key.
  await addWebhookMails(
    tx,
    decisions.flatMap(({ news }) => news ?? []),
  );
  if (ended.length === 0) return [];
  await endRestHooks(tx, ended);
  const now = Math.max(...[...tried.values()].map(({ lastEnd }) => lastEnd.getTime()));
  return disableWebhooks(tx, ended, new Date(now).toISOString());
}

function triedOf(group: readonly JudgedAttempt[]): Tried {
  const [first] = group;
  if (!first) throw new Error('A group of attempts is empty');
  const { organization_id, webhook_id } = first.attempt.delivery;
  const results = group.map(({ attempt: { startedAt, endedAt }, verdict }) => ({
    startedAt,
    endedAt,
    delivered: verdict.fate === 'delivered',
  }));
  const successes = results.filter(({ delivered }) => delivered).map(({ endedAt }) => endedAt.toISOString());
  return {
    organization_id,
    webhook_id,
    results,
    attempts: group.map(({ attempt }) => attempt),
    failed: successes.length < results.length,
    deliveredAt: successes.sort().at(-1) ?? null,
    isGone: group.some(({ verdict }) => verdict.fate === 'gone'),
    lastEnd: new Date(Math.max(...results.map(({ endedAt }) => endedAt.getTime()))),
  };
}

function decide({ last_success_at: before, ...standing }: Standing, webhook: Tried): Decision {
  const { organization_id, webhook_id, lastEnd, deliveredAt } = webhook;
  const after = healthAfter(standing, webhook.results);
  const ends = webhook.isGone ? 'gone' : hasFailedTooLong(after, lastEnd) ? 'failing' : undefined;
  const kind = ends === 'failing' ? 'ended' : !ends && isToBeTold(after, lastEnd) ? 'failing' : undefined;
  const error = lastErrorOf(webhook.attempts);
  return {
    health: {
      organization_id,
      webhook_id,
      ...after,
      failing_told_at: kind ? lastEnd.toISOString() : after.failing_told_at,
      last_success_at: deliveredAt ?? before,
    },
    ends,
    news:
      kind && error && after.failing_since !== null
        ? { organization_id, webhook_id, kind, since: after.failing_since, error }
        : undefined,
  };
}

async function writeHealth(tx: Transaction, webhooks: readonly Standing[]): Promise<void> {
  await tx`
    update webhooks w
    set failing_since = health.failing_since, idle_since = health.idle_since,
        failing_told_at = health.failing_told_at, last_success_at = health.last_success_at
    from unnest(${webhooks.map((each) => each.organization_id)}::uuid[],
                ${webhooks.map((each) => each.webhook_id)}::uuid[],
                ${webhooks.map((each) => each.failing_since)}::timestamptz[],
                ${webhooks.map((each) => each.idle_since)}::timestamptz[],
                ${webhooks.map((each) => each.failing_told_at)}::timestamptz[],
                ${webhooks.map((each) => each.last_success_at)}::timestamptz[])
      as health (organization_id, id, failing_since, idle_since, failing_told_at, last_success_at)
    where w.organization_id = health.organization_id and w.id = health.id`;
}

/**
 * Disables manual webhooks that have ended by themselves; REST hooks are removed instead. Their row is locked.
 * Answers the ids of those that are disabled now; what waits for them is still to be withdrawn.
 */
async function disableWebhooks(
  tx: Transaction,
  webhooks: readonly (WebhookKey & { reason: 'gone' | 'failing' })[],
  now: string,
): Promise<string[]> {
  const disabled = await tx<{ id: string }[]>`
    update webhooks w set disabled_reason = ended.reason, disabled_at = ${now}, dropped_events = 0
    from unnest(${webhooks.map((each) => each.organization_id)}::uuid[],
                ${webhooks.map((each) => each.webhook_id)}::uuid[],
                ${webhooks.map((each) => each.reason)}::text[]) as ended (organization_id, id, reason)
    where w.organization_id = ended.organization_id and w.id = ended.id 
      and w.api_key_id is null and w.oauth_connection_id is null
    returning w.id`;
  return disabled.map(({ id }) => id);
}

/**
 * Whether a webhook gets anything now.
 * - `paused`: its key's owner is inactive, the subscription has lapsed, or the role of the person behind its connection
 *   lacks the permission for an event of it (only such events wait then)
 * - `disabled`: by hand, by itself, or because it failed
 * - `ended`: its key was revoked or has expired (rule keys 15), or its connection has ended (rule oauth 19)
 */
export type WebhookStanding = 'active' | 'paused' | 'disabled' | 'ended';

/** What the standing of `webhooks w` depends on. */
export const standingJoins = (sql: Statements): Fragment => sql`
  join organizations o on o.id = w.organization_id
  left join api_keys k on k.organization_id = w.organization_id and k.id = w.api_key_id
  left join oauth_connections c on c.organization_id = w.organization_id and c.id = w.oauth_connection_id
  left join memberships m on m.organization_id = w.organization_id and m.id = coalesce(k.user_id, c.user_id)`;

/**
 * The standing of `webhooks w`, behind {@link standingJoins}.
 *
 * @param types a text array: the events that it is about; all of the webhook when absent
 */
export const standing = (sql: Statements, now: string, types: Fragment = sql`w.events`): Fragment => sql`
  case when k.revoked_at is not null or k.expires_at <= ${now} or c.ended_at is not null then 'ended'
       when w.disabled_reason is not null then 'disabled'
       when m.active = false or o.subscription <> 'active' or not ${roleBacks(sql, types)} then 'paused'
       else 'active' end`;

/** The type of the event that a row of this name is about, as an array; empty when the event is gone. */
export const eventTypeOf = (sql: Statements, row: string): Fragment => sql`
  array(select e.type from events e
        where e.organization_id = ${sql(row)}.organization_id and e.id = ${sql(row)}.event_id)`;

/** The failure that ended last among attempts of one webhook; undefined when none failed. */
function lastErrorOf(attempts: readonly FinishedAttempt[]): LastError | undefined {
  const errors = attempts
    .toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime())
    .map(({ outcome }): LastError | undefined => {
      if (outcome.outcome === 'failed') return { reason: outcome.reason, detail: outcome.detail ?? null };
      return outcome.status >= 200 && outcome.status < 300 ? undefined : { status: outcome.status };
    });
  return errors.findLast((error) => error !== undefined);
}
