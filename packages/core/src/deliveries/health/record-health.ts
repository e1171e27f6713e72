import type { Transaction } from '../../database/connect.ts';
import type { LastError } from '../../mails/mail-jobs.ts';
import { addWebhookMails, type WebhookNews } from '../../mails/mail-jobs.ts';
import { noteUseOfConnections } from '../../oauth/connections.ts';
import {
  type AttemptResult,
  hasFailedTooLong,
  healthAfter,
  isToBeTold,
  type WebhookHealth,
} from '../../webhooks/webhook-health.ts';
import { lockTried, type TriedWebhook, type WebhookKey } from '../../webhooks/webhook-locks.ts';
import { endRestHooks } from '../../webhooks/withdraw-deliveries.ts';
import { type FinishedAttempt, isDelivered, type JudgedAttempt } from '../send/judge-attempt.ts';

/** A webhook and what has just been sent to it. */
interface Tried extends TriedWebhook {
  attempts: readonly FinishedAttempt[];
  results: readonly AttemptResult[];
  isGone: boolean;
  lastEnd: Date;
}

type Standing = WebhookKey & WebhookHealth & { last_success_at: string | null };

/** What becomes of a webhook. */
interface Decision extends Standing {
  ends: 'gone' | 'failing' | null;
  decidedAt: string;
  news: WebhookNews | undefined;
}

/**
 * Writes how the webhooks of these attempts do, adds mails to the people of those that have failed for long, and ends
 * those that are gone or have failed for too long (rules deliveries 17, 18 and 19). Answers the ids of
 * disabled ones, from which what waits is still to be withdrawn.
 *
 * @param judged in the order of their ends
 */
export async function recordHealth(tx: Transaction, judged: readonly JudgedAttempt[]): Promise<string[]> {
  const groups = Map.groupBy(judged, ({ attempt }) => attempt.delivery.webhook_id);
  const tried = new Map(Array.from(groups, ([id, group]) => [id, triedOf(group)]));
  const decisions = (await lockTried(tx, [...tried.values()])).flatMap((before) => {
    const webhook = tried.get(before.webhook_id);
    return webhook ? [decide(before, webhook)] : [];
  });
  if (decisions.length === 0) return [];
  const [disabled] = await Promise.all([writeHealth(tx, decisions), noteUseOfConnections(tx, decisions)]);
  // Before the hooks are removed, because the people of a REST hook are found by its key.
  await addWebhookMails(
    tx,
    decisions.flatMap(({ news }) => news ?? []),
  );
  const ended = decisions.filter(({ ends }) => ends !== null);
  if (ended.length > 0) await endRestHooks(tx, ended);
  return disabled;
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
    deliveredAt: successes.at(-1) ?? null,
    isGone: group.some(({ verdict }) => verdict.fate === 'gone'),
    lastEnd: new Date(Math.max(...results.map(({ endedAt }) => endedAt.getTime()))),
  };
}

function decide({ last_success_at: before, ...standing }: Standing, webhook: Tried): Decision {
  const { organization_id, webhook_id, lastEnd, deliveredAt } = webhook;
  const after = healthAfter(standing, webhook.results);
  const ends = webhook.isGone ? 'gone' : hasFailedTooLong(after, lastEnd) ? 'failing' : null;
  const kind = ends === 'failing' ? 'ended' : !ends && isToBeTold(after, lastEnd) ? 'failing' : undefined;
  const error = lastErrorOf(webhook.attempts);
  return {
    ...after,
    organization_id,
    webhook_id,
    failing_told_at: kind ? lastEnd.toISOString() : after.failing_told_at,
    last_success_at: deliveredAt ?? before,
    ends,
    decidedAt: lastEnd.toISOString(),
    news:
      kind && error && after.failing_since !== null
        ? { organization_id, webhook_id, kind, since: after.failing_since, error }
        : undefined,
  };
}

/**
 * Disables manual webhooks that have ended, too; REST hooks are removed instead. Answers the ids of those that are
 * disabled now; what waits for them is still to be withdrawn.
 */
async function writeHealth(tx: Transaction, decisions: readonly Decision[]): Promise<string[]> {
  const all = <Name extends keyof Decision>(name: Name): Decision[Name][] =>
    decisions.map((each) => each[name]);
  const written = await tx<{ id: string; disabled: boolean }[]>`
    update webhooks w
    set failing_since = health.failing_since, idle_since = health.idle_since,
        failing_told_at = health.failing_told_at, last_success_at = health.last_success_at,
        disabled_reason = case when is_disabled then health.ends end,
        disabled_at = case when is_disabled then health.decided_at end,
        dropped_events = case when is_disabled then 0 else w.dropped_events end
    from (
      select health.*, health.ends is not null and w.api_key_id is null and w.oauth_connection_id is null as is_disabled
      from unnest(
             ${all('organization_id')}::uuid[], ${all('webhook_id')}::uuid[], ${all('failing_since')}::timestamptz[],
             ${all('idle_since')}::timestamptz[], ${all('failing_told_at')}::timestamptz[],
             ${all('last_success_at')}::timestamptz[], ${all('ends')}::text[], ${all('decidedAt')}::timestamptz[])
        as health (organization_id, id, failing_since, idle_since, failing_told_at, last_success_at, ends, decided_at)
      join webhooks w on w.organization_id = health.organization_id and w.id = health.id) health
    where w.organization_id = health.organization_id and w.id = health.id
    returning w.id, health.is_disabled as disabled`;
  return written.filter(({ disabled }) => disabled).map(({ id }) => id);
}

/** The last failure among attempts of one webhook; undefined when none failed. */
function lastErrorOf(attempts: readonly FinishedAttempt[]): LastError | undefined {
  const outcome = attempts.findLast((each) => !isDelivered(each.outcome))?.outcome;
  if (!outcome) return undefined;
  if (outcome.outcome === 'answered') return { status: outcome.status };
  return { reason: outcome.reason, detail: outcome.detail ?? null };
}
