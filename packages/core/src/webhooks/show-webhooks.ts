import { type EventType, limits } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { standing, standingJoins, type WebhookStanding } from '../deliveries/webhook-health.ts';
import { notFound } from '../problem.ts';
import type { OrganizationName } from '../verb/transact.ts';
import { reads } from '../verb/verb.ts';
import { restHooks } from './rest-hooks.ts';

/** A webhook of either kind with its health, as people of its organization see it. Moments are RFC 3339 in UTC. */
export interface Webhook {
  id: string;
  kind: 'hand_made' | 'rest_hook';
  /** The key or the connected application that made a REST hook; null for one made by hand. */
  made_by: { kind: 'api_key' | 'connection'; id: string; name: string } | null;
  name: string | null;
  target_url: string;
  events: EventType[];
  /** The people marked to be told; the active owners when there are none. */
  notify_user_ids: string[];
  state: WebhookStanding;
  disabled_reason: 'gone' | 'failing' | 'by_hand' | null;
  disabled_at: string | null;
  /** To the minute. */
  last_success_at: string | null;
  /** The first failure after the last success. */
  failing_since: string | null;
  /** Events that are delivered once it is enabled or no longer paused. */
  held_events: number;
  /** Held events that were dropped, since it was last disabled. */
  dropped_events: number;
  /** Until when the former secret signs, too. */
  previous_secret_until: string | null;
  created_at: string;
}

type Health = Pick<Core, 'sql' | 'clock'>;

/** Every webhook of an organization, REST hooks included, the newest first. */
export const listWebhooksWithHealth = (
  core: Health,
  { id }: Pick<OrganizationName, 'id'>,
): Promise<Webhook[]> => webhooksWithHealth(core, core.sql, core.sql`w.organization_id = ${id}`);

/** One of them. Raises NOT_FOUND. */
export async function getWebhookWithHealth(
  core: Core,
  { id: organization }: OrganizationName,
  id: string,
  sql: Statements = core.sql,
): Promise<Webhook> {
  const which = sql`w.organization_id = ${organization} and w.id = ${id}`;
  const [webhook] = await webhooksWithHealth(core, sql, which);
  if (!webhook) throw notFound();
  return webhook;
}

/** What is to be dropped counts as dropped, although the sweep that does it comes later. */
async function webhooksWithHealth(
  core: Pick<Core, 'clock'>,
  sql: Statements,
  which: Fragment,
): Promise<Webhook[]> {
  const now = core.clock.now();
  const heldSince = new Date(now.getTime() - limits.heldEventsDays * 24 * 3600_000).toISOString();
  return sql<Webhook[]>`
    select w.id, case when coalesce(k.id, c.id) is null then 'hand_made' else 'rest_hook' end as kind, w.name, w.target_url,
           w.events, w.disabled_reason, w.disabled_at, w.last_success_at, w.failing_since, w.created_at,
           case when k.id is not null then json_build_object('kind', 'api_key', 'id', k.id, 'name', k.name)
                when c.id is not null then json_build_object('kind', 'connection', 'id', c.id, 'name', app.name)
           end as made_by,
           ${standing(sql, now.toISOString())} as state,
           array(select n.user_id from webhook_notified_users n
                 where n.organization_id = w.organization_id and n.webhook_id = w.id order by n.user_id)
             as notify_user_ids,
           held.kept as held_events, w.dropped_events + held.held - held.kept as dropped_events,
           case when w.previous_secret_until > ${now.toISOString()} then w.previous_secret_until end
             as previous_secret_until
    from webhooks w ${standingJoins(sql)}
    left join oauth_apps app on app.client_id = c.client_id
    cross join lateral (
      select count(*)::integer as held,
             case when ${standing(sql, now.toISOString())} = 'active' then count(*)::integer
                  else least(count(*) filter (where h.held_at > ${heldSince}), ${limits.heldEventsPerWebhook})::integer
             end as kept
      from held_events h where h.webhook_id = w.id) held
    where ${which}
    order by w.created_at desc, w.id desc`;
}

/** A key or connection sees only the hooks that it made. */
export const listWebhooks = reads('webhooks.list', async ({ sql, credential }) => {
  const hooks = await restHooks(sql, credential, sql`order by created_at desc, id desc`);
  return { data: [...hooks], next_cursor: null, has_more: false };
});

export const getWebhook = reads('webhooks.get', async ({ sql, credential }, { path }) => {
  const [hook] = await restHooks(sql, credential, sql`and id = ${path.id}`);
  if (!hook) throw notFound();
  return hook;
});
