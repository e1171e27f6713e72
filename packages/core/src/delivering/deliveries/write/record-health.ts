import type { WebhookKey } from '../../../change/queue/delivery-jobs.ts';
import type { LastError } from '../../../change/queue/mail-jobs.ts';
import { addWebhookMails, type WebhookNews } from '../../../change/queue/mail-jobs.ts';
import type { Transaction } from '../../../foundations/database/connect.ts';
import { connectionUseNotedEverySeconds } from '../../../foundations/operating-limits.ts';
import {
  hasFailedTooLong,
  healthAfter,
  isToBeTold,
  type WebhookHealth,
} from '../../webhooks/webhook-health.ts';
import { lockTried, type TriedWebhook } from '../../webhooks/webhook-locks.ts';
import { endRestHooks } from '../../webhooks/withdraw-deliveries.ts';
import type { JudgedAttempt } from '../judge.ts';

type Standing = WebhookKey & WebhookHealth & { last_success_at: string | null };

/** What becomes of a webhook. */
interface Decision extends Standing {
  ends: 'gone' | 'failing' | null;
  decidedAt: string;
  news: WebhookNews | undefined;
}

/**
 * Writes how the webhooks of these attempts do, adds mails to the people of those that have failed for long, and
 * ends those that are gone or have failed for too long (rules deliveries 17, 18 and 19). Answers the ids of disabled
 * ones, from which what waits is still to be withdrawn.
 *
 * @param judged in the order of their ends
 */
export async function recordHealth(tx: Transaction, judged: readonly JudgedAttempt[]): Promise<string[]> {
  const groups = Map.groupBy(judged, ({ delivery }) => delivery.webhook_id);
  const standings = await lockTried(tx, Array.from(groups.values(), triedOf));
  const decisions = standings.map((before) => decide(before, groups.get(before.webhook_id) ?? []));
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

const hasArrived = ({ fate }: JudgedAttempt): boolean => fate === 'delivered';
const endOfLast = (attempts: readonly JudgedAttempt[]): string | null =>
  attempts.at(-1)?.endedAt.toISOString() ?? null;

/** @param attempts of one webhook */
function triedOf(attempts: readonly JudgedAttempt[]): TriedWebhook {
  const [first] = attempts;
  if (!first) throw new Error('A group of attempts is empty');
  const { organization_id, webhook_id } = first.delivery;
  const failed = !attempts.every(hasArrived);
  return { organization_id, webhook_id, failed, deliveredAt: endOfLast(attempts.filter(hasArrived)) };
}

function decide(
  { last_success_at: before, ...standing }: Standing,
  attempts: readonly JudgedAttempt[],
): Decision {
  const { organization_id, webhook_id } = standing;
  const results = attempts.map((each) => ({ ...each, delivered: hasArrived(each) }));
  const after = healthAfter(standing, results);
  const decidedAt = endOfLast(attempts) ?? '';
  const lastEnd = new Date(decidedAt);
  const isGone = attempts.some(({ fate }) => fate === 'gone');
  const ends = isGone ? 'gone' : hasFailedTooLong(after, lastEnd) ? 'failing' : null;
  const kind = ends === 'failing' ? 'ended' : !ends && isToBeTold(after, lastEnd) ? 'failing' : undefined;
  const error = lastErrorOf(attempts);
  return {
    ...after,
    organization_id,
    webhook_id,
    failing_told_at: kind ? decidedAt : after.failing_told_at,
    last_success_at: endOfLast(attempts.filter(hasArrived)) ?? before,
    ends,
    decidedAt,
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
function lastErrorOf(attempts: readonly JudgedAttempt[]): LastError | undefined {
  const outcome = attempts.findLast((each) => !hasArrived(each))?.outcome;
  if (!outcome) return undefined;
  if (outcome.outcome === 'answered') return { status: outcome.status };
  return { reason: outcome.reason, detail: outcome.detail ?? null };
}

/**
 * A successful delivery counts as use of the connection that made the hook (rule oauth 18). Waits for no lock,
 * because this would deadlock: whoever ends a connection locks it before its hooks, and this transaction has locked
 * the hooks already.
 */
async function noteUseOfConnections(
  tx: Transaction,
  webhooks: readonly { organization_id: string; webhook_id: string; last_success_at: string | null }[],
): Promise<void> {
  const delivered = webhooks.filter(({ last_success_at: at }) => at !== null);
  if (delivered.length === 0) return;
  await tx`
    update oauth_connections c set last_used_at = used.at
    from (select c.organization_id, c.id, success.at
          from unnest(${delivered.map((each) => each.organization_id)}::uuid[],
                      ${delivered.map((each) => each.webhook_id)}::uuid[],
                      ${delivered.map((each) => each.last_success_at)}::timestamptz[])
            as success (organization_id, webhook_id, at)
          join webhooks w on w.organization_id = success.organization_id and w.id = success.webhook_id
          join oauth_connections c on c.organization_id = w.organization_id and c.id = w.oauth_connection_id
          where c.ended_at is null and success.at >= c.last_used_at + make_interval(secs => ${connectionUseNotedEverySeconds})
          for no key update of c skip locked) used
    where c.organization_id = used.organization_id and c.id = used.id`;
}
