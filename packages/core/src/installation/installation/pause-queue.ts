import { asciiLowerCase } from '@dealkeep/contract';
import { goesTo, pausesOfWebhook, spellingsOf } from '../../change/queue/queue-pauses.ts';
import { organizationOfWebhook } from '../../delivering/delivery-log/operate-webhooks.ts';
import type { Database, Statements, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { workMissedAfterSeconds } from '../../foundations/operating-limits.ts';
import { OperatorError, operatorName } from '../../foundations/operator.ts';
import { namedOrganization } from '../../identity/tenancy/named-organization.ts';
import { type QueueSummary, queueSummary } from './queue.ts';

const field = 'host';

/** What an operator pauses or resumes: exactly one of these. */
export type QueuePart =
  | { readonly all: true }
  | { readonly webhook: string }
  | { readonly host: string }
  /** By its slug. */
  | { readonly organization: string };

/**
 * Nothing new of this part is sent by any worker from its next lease on; of everything, mails neither. What waits
 * stays as it is. Paused once more, it stays paused since then; a reason takes the place of the one before. Raises
 * OperatorError.
 */
export async function pauseQueue(sql: Database, part: QueuePart, reason?: string): Promise<QueueSummary> {
  const why = reason === undefined ? null : operatorName(reason, 'reason');
  if ('all' in part) {
    await sql`
      update installation
      set deliveries_paused_at = coalesce(deliveries_paused_at, now()),
          deliveries_paused_reason = coalesce(${why}, deliveries_paused_reason)`;
    return queueSummary(sql);
  }
  const { organization_id, webhook_id, host } = await keyOf(sql, part);
  await sql`
    insert into queue_pauses as p (organization_id, webhook_id, host, spellings, reason)
    values (${organization_id}, ${webhook_id}, ${host}, ${host === null ? null : spellingsOf(host)}, ${why})
    on conflict (organization_id, webhook_id, host) do update set reason = coalesce(excluded.reason, p.reason)`;
  return queueSummary(sql);
}

/**
 * This part is sent again, unless it is paused by another name as well. The time of the pause does not count as
 * failing. Raises OperatorError.
 */
export async function resumeQueue(sql: Database, part: QueuePart): Promise<QueueSummary> {
  if ('all' in part) {
    await sql`update installation set deliveries_paused_at = null, deliveries_paused_reason = null`;
  } else {
    const key = await keyOf(sql, part);
    await inTransaction(sql, (tx) => endPause(tx, key));
  }
  return queueSummary(sql);
}

interface PauseKey {
  organization_id: string | null;
  webhook_id: string | null;
  host: string | null;
}

/**
 * Every moment is left out once, by the pause that ends last of those that it is in. So this one leaves out what
 * comes before the others, and before a time in which no worker worked, which the next one to work leaves out.
 */
async function endPause(tx: Transaction, { organization_id, webhook_id, host }: PauseKey): Promise<void> {
  const isThis = tx`
    ((p.organization_id, p.webhook_id, p.host)
       is not distinct from (${organization_id}::uuid, ${webhook_id}::uuid, ${host}::text))`;
  // Webhooks before all else that hangs on them, and in the order of their ids, so that nobody deadlocks.
  await tx`
    with failing as materialized (
      select w.organization_id, w.id, w.failing_since, ended.paused_at,
             least(w.idle_since, clock_timestamp(), others.paused_at, silence.since) as until
      from webhooks w
      cross join lateral (select p.paused_at from ${pausesOfWebhook(tx)} p where ${isThis}) ended
      cross join lateral (select min(p.paused_at) as paused_at from ${pausesOfWebhook(tx)} p where not ${isThis}) others
      cross join (
        select min(seen_at) as since from worker_activity
        where seen_at < clock_timestamp() - make_interval(secs => ${workMissedAfterSeconds})) silence
      where w.failing_since is not null
      order by w.id for no key update of w)
    update webhooks w
    set failing_since = w.failing_since
      + greatest(interval '0', failing.until - greatest(failing.paused_at, failing.failing_since))
    from failing where w.organization_id = failing.organization_id and w.id = failing.id`;
  await tx`delete from queue_pauses p where ${isThis}`;
}

/** The rows of a part. Raises OperatorError where there is none such. */
async function keyOf(sql: Database, part: Exclude<QueuePart, { all: true }>): Promise<PauseKey> {
  const none = { organization_id: null, webhook_id: null, host: null };
  if ('webhook' in part) {
    const organization_id = await naming(
      'webhook',
      'the id of a webhook',
      organizationOfWebhook(sql, part.webhook),
    );
    return { ...none, organization_id, webhook_id: asciiLowerCase(part.webhook) };
  }
  if ('organization' in part) {
    const { id } = await naming('organization', 'a slug', namedOrganization(sql, part.organization));
    return { ...none, organization_id: id };
  }
  return { ...none, host: await knownHost(sql, part.host) };
}

/** A host that some webhook goes to, or that is paused. Raises OperatorError. */
export async function knownHost(sql: Statements, text: string): Promise<string> {
  const host = operatorHost(text);
  const [known] = await sql`
    select from webhooks w
    where ${goesTo(sql, host)}
    union all
    select from queue_pauses where host = ${host}
    limit 1`;
  if (known) return host;
  throw new OperatorError(`names ${host}, where no webhook goes`, { field, help: { shown: 'webhooks' } });
}

/** A host that an operator gave, with a port or without, as the URL parser writes it. Raises OperatorError. */
function operatorHost(text: string): string {
  const url = /^(\[[^\]]*\]|[^\s:/?#@[\]\\]+)(:\d+)?$/.test(text) ? URL.parse(`https://${text}/`) : null;
  if (url) return url.host;
  const meant = URL.parse(text)?.host;
  const mend = meant ? `; write ${meant}` : '';
  throw new OperatorError(
    `takes a host, with a port or without, such as hooks.example.com or hooks.example.com:8443, not "${text}"${mend}`,
    { field },
  );
}

/** Refusals name the field that they are about, and what it takes. */
export async function naming<Result>(name: string, what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { sentence, help } = error;
    throw new OperatorError(`takes ${what}: ${sentence}`, { field: name, ...(help ? { help } : {}) });
  }
}
