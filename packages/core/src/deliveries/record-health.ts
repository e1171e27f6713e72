import type { Transaction } from '../database/connect.ts';
import { noteWebhookMails, type WebhookNews } from '../mails/note-webhook-mails.ts';
import { noteUseOfConnections } from '../oauth/note-use.ts';
import { disableWebhooks } from './disable-webhooks.ts';
import { endRestHooks } from './end-rest-hooks.ts';
import type { FinishedAttempt } from './finished-attempt.ts';
import type { JudgedAttempt } from './judge-attempt.ts';
import { lastErrorOf } from './last-error.ts';
import { hasFailedTooLong, healthAfter, isToBeTold } from './webhook-health.ts';
import { lockTried, type TriedWebhook, type WebhookHealth, type WebhookKey } from './webhook-locks.ts';

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
 * Writes how the webhooks of these attempts do, notes mails to the people of those that have failed for long, and ends
 * those that are gone or have failed for too long (specification, Delivery rules, 7 and 8). Answers the ids of
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
  // Before they go: a REST hook's people are those of its key.
  await noteWebhookMails(
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
    ...{ startedAt, endedAt },
    delivered: verdict.fate === 'delivered',
  }));
  const successes = results.filter(({ delivered }) => delivered).map(({ endedAt }) => endedAt.toISOString());
  return {
    ...{ organization_id, webhook_id, results },
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
      ...{ organization_id, webhook_id },
      ...after,
      failing_told_at: kind ? lastEnd.toISOString() : after.failing_told_at,
      last_success_at: deliveredAt ?? before,
    },
    ends,
    news:
      kind && error && after.failing_since !== null
        ? { organization_id, webhook_id, kind, since: after.failing_since, error, now: lastEnd.toISOString() }
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
