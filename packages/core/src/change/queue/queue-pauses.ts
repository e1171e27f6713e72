import { domainToUnicode } from 'node:url';
import { comparisonForm } from '@dealkeep/contract';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { processMissedAfterSeconds } from '../../foundations/operating-limits.ts';

/** What an operator has paused. */
export interface QueuePause {
  kind: 'all' | 'organization' | 'host' | 'webhook';
  /** Slug of the organization, also of a webhook's. */
  organization: string | null;
  host: string | null;
  webhook_id: string | null;
  paused_at: string;
  reason: string | null;
}

/** Why nothing is sent to one webhook. */
export interface PartPause extends Pick<QueuePause, 'paused_at' | 'reason'> {
  kind: Exclude<QueuePause['kind'], 'all'>;
}

/** Whether an operator has not paused everything; a condition for statements that take something to be sent. */
export const nothingPaused = (sql: Statements): Fragment =>
  sql`not exists (select from installation where deliveries_paused_at is not null)`;

/** Since when an operator has everything paused; null when not. */
export async function pausedSince(sql: Statements): Promise<string | null> {
  const [row] = await sql<{ paused_at: string | null }[]>`
    select deliveries_paused_at as paused_at from installation`;
  return row?.paused_at ?? null;
}

/** Another text whenever a pause began or ended. */
export const pausesMark = (sql: Statements): Fragment => sql`
  (select concat_ws(' ', count(*), max(paused_at), (select deliveries_paused_at from installation)) from queue_pauses)`;

/** The host of `webhooks w` with its port, as its jobs are flagged with it: an address is kept as it was given. */
export const hostOfWebhook = (sql: Statements): Fragment =>
  sql`comparison_form(substring(w.target_url from '^[A-Za-z]+://([^/?#]+)'))`;

/** The same without the port. */
const nameOfHost = (sql: Statements): Fragment => sql`regexp_replace(${hostOfWebhook(sql)}, ':[0-9]+$', '')`;

/** Whether a pause `p` is of `webhooks w`. A host without a port is meant with every port. */
const concerns = (sql: Statements): Fragment => sql`
  case when p.host is not null then ${hostOfWebhook(sql)} = any(p.spellings) or ${nameOfHost(sql)} = any(p.spellings)
       else p.organization_id = w.organization_id and coalesce(p.webhook_id, w.id) = w.id end`;

/** The pauses `p` of `webhooks w`, to stand behind `from` or `join`. */
export const pausesOfWebhook = (sql: Statements): Fragment =>
  sql`(select p.* from queue_pauses p where ${concerns(sql)})`;

/** Whether a part of the queue is paused that `webhooks w` is in. It costs nothing while no part is. */
export const isPaused = (sql: Statements): Fragment =>
  sql`(exists (select from queue_pauses) and exists ${pausesOfWebhook(sql)})`;

/** The same of a webhook of which something waits in `deliveries`; both are expressions. */
export const isPausedById = (sql: Statements, webhook: Fragment, organization: Fragment): Fragment => sql`
  (exists (select from queue_pauses)
   and exists (select from webhooks w where w.organization_id = ${organization} and w.id = ${webhook} and ${isPaused(sql)}))`;

/** The organizations and ids of all webhooks that are in a paused part of the queue. */
export const pausedWebhooks = (sql: Statements): Fragment =>
  sql`select distinct w.organization_id, w.id from queue_pauses p join webhooks w on ${concerns(sql)}`;

/**
 * Why an operator has nothing sent to a webhook, by a part of the queue; undefined where it is sent. The oldest
 * pause.
 */
export async function webhookPause(
  sql: Statements,
  organization: string,
  webhook: string,
): Promise<PartPause | undefined> {
  const [pause] = await sql<PartPause[]>`
    select ${kindOfPause(sql)} as kind, p.paused_at, p.reason
    from webhooks w cross join lateral ${pausesOfWebhook(sql)} p
    where w.organization_id = ${organization} and w.id = ${webhook}
    order by p.paused_at limit 1`;
  return pause;
}

/** What a pause `p` is of. */
export const kindOfPause = (sql: Statements): Fragment => sql`
  case when p.host is not null then 'host' when p.webhook_id is not null then 'webhook' else 'organization' end`;

/** Everything that is paused, what has been so for longest first. */
export const listPauses = (sql: Statements): Promise<QueuePause[]> => sql<QueuePause[]>`
  select 'all' as kind, null as organization, null as host, null::uuid as webhook_id,
         deliveries_paused_at as paused_at, deliveries_paused_reason as reason
  from installation where deliveries_paused_at is not null
  union all
  select ${kindOfPause(sql)}, o.slug, p.host, p.webhook_id, p.paused_at, p.reason
  from queue_pauses p left join organizations o on o.id = p.organization_id
  order by paused_at, kind, organization, host, webhook_id`;

/** Whether `webhooks w` goes to a host; without a port, whatever its port. */
export const goesTo = (sql: Statements, host: string): Fragment => sql`
  (${hostOfWebhook(sql)} = any(${spellingsOf(host)}) or ${nameOfHost(sql)} = any(${spellingsOf(host)}))`;

/** How addresses may write a host: they are kept as they were given, an international name in its own letters. */
export function spellingsOf(host: string): string[] {
  const { hostname, port } = new URL(`https://${host}/`);
  const own = domainToUnicode(hostname) || hostname;
  return [...new Set([host, port === '' ? own : `${own}:${port}`].map(comparisonForm))];
}

/** Why an organization gets nothing sent, by decision of an operator. */
export interface DeliveryHold {
  /**
   * - `paused`: neither webhooks nor mails, by `dealkeep queue pause --all`
   * - `organization_paused`: its webhooks alone, by `--organization`
   * - `held`: neither webhooks nor mails, because every worker runs with `DELIVERIES=held`
   */
  reason: 'paused' | 'organization_paused' | 'held';
  /** Since when it is paused. */
  since: string | null;
  /** What the operator said about it. */
  said: string | null;
}

/**
 * Why nothing is sent at this moment; undefined while things are sent. `held` means that every worker is held, since
 * the others would send; where no worker has noted itself, the setting of this process decides.
 */
export async function deliveryHold(
  {
    sql,
    deliveriesHeld = false,
  }: { readonly sql: Statements; readonly deliveriesHeld?: boolean | undefined },
  { id }: { id: string },
): Promise<DeliveryHold | undefined> {
  const [row] = await sql<
    {
      paused_at: string | null;
      said: string | null;
      part_at: string | null;
      part_said: string | null;
      held: boolean | null;
    }[]
  >`
    select i.deliveries_paused_at as paused_at, i.deliveries_paused_reason as said,
           part.paused_at as part_at, part.reason as part_said,
           (select bool_and(deliveries_held) from processes
            where 'worker' = any (roles) and seen_at > now() - make_interval(secs => ${processMissedAfterSeconds})) as held
    from installation i
    left join queue_pauses part on part.organization_id = ${id} and part.webhook_id is null`;
  if (row && row.paused_at !== null) return { reason: 'paused', since: row.paused_at, said: row.said };
  if (row?.held ?? deliveriesHeld) return { reason: 'held', since: null, said: null };
  if (!row || row.part_at === null) return undefined;
  return { reason: 'organization_paused', since: row.part_at, said: row.part_said };
}
