import { type EventType, limits, type RestHook } from '@dealkeep/contract';
import { listPage } from '../../change/paging/list-page.ts';
import { kindOfPause, type PartPause, pausesOfWebhook } from '../../change/queue/queue-pauses.ts';
import type { Services } from '../../change/services.ts';
import type { OrganizationName } from '../../change/verb/unit-of-work.ts';
import { reads } from '../../change/verb/verb.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { notFound } from '../../foundations/problem.ts';
import { waitsForPace } from './pace.ts';
import { type ListedHook, listedHooks, restHooks, shownHook } from './rest-hooks.ts';
import { maskedValue, readableHeaders, type StaticHeader } from './static-headers.ts';
import { type WebhookStatus, webhookStatus, webhookStatusJoins } from './webhook-status.ts';

/** A webhook of either kind with its health, as users of its organization see it. Moments are RFC 3339 in UTC. */
export interface Webhook {
  id: string;
  kind: 'manual' | 'rest_hook';
  /** The key or the connected application that made a REST hook; null for one made by hand. */
  made_by: { kind: 'api_key' | 'connection'; id: string; name: string } | null;
  name: string | null;
  target_url: string;
  events: EventType[];
  /** Only events of records that have one of the values in each field; null for all. */
  filters: Record<string, string[]> | null;
  /** Of an `x.updated`, only where one of these has changed; null for all. */
  changed_fields: string[] | null;
  /** What checks its Ed25519 signatures, as Standard Webhooks writes it; null where it has none. */
  public_key: string | null;
  /** Attempts that begin in a minute, at most; null for as many as it takes. */
  max_per_minute: number | null;
  /** Deliveries that are due and wait for that, counted as far as a page shows. */
  paced_deliveries: number;
  /** The users marked to be told; the active owners when there are none. */
  notify_user_ids: string[];
  state: WebhookStatus;
  /** The operator has nothing sent to it, by itself or with its host or organization; what is due waits. */
  operator_pause: PartPause | null;
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

/** One with what only its own page shows. */
export interface WebhookInFull extends Webhook {
  asymmetric_signature: boolean;
  /** That every delivery carries, with masked values. */
  headers: StaticHeader[];
}

type WebhookRow = Webhook & { sealed_headers: Buffer | null };

type Health = Pick<Services, 'sql' | 'clock'>;

/** Counting further takes long, and tells nobody more. */
const countedDeliveries = 10_000;

/** Every webhook of an organization, REST hooks included, the newest first. */
export async function listWebhooksWithHealth(
  core: Health,
  { id }: Pick<OrganizationName, 'id'>,
): Promise<Webhook[]> {
  const rows = await webhooksWithHealth(core, core.sql, core.sql`w.organization_id = ${id}`);
  return rows.map(({ sealed_headers: _, ...webhook }) => webhook);
}

/** One of them. Raises NOT_FOUND. */
export async function getWebhookWithHealth(
  core: Services,
  { id: organization }: Pick<OrganizationName, 'id'>,
  id: string,
  sql: Statements = core.sql,
): Promise<WebhookInFull> {
  const which = sql`w.organization_id = ${organization} and w.id = ${id}`;
  const [row] = await webhooksWithHealth(core, sql, which);
  if (!row) throw notFound();
  const { sealed_headers: sealed, ...webhook } = row;
  const headers = readableHeaders(core.secrets, { organization_id: organization, id }, sealed);
  return {
    ...webhook,
    asymmetric_signature: webhook.public_key !== null,
    headers: headers.map(({ name, value }) => ({ name, value: maskedValue(value) })),
  };
}

/** What is to be dropped counts as dropped, although the sweep that does it comes later. */
async function webhooksWithHealth(
  core: Pick<Services, 'clock'>,
  sql: Statements,
  which: Fragment,
): Promise<WebhookRow[]> {
  const now = core.clock.now();
  const heldSince = new Date(now.getTime() - limits.heldEventsDays * 24 * 3600_000).toISOString();
  return sql<WebhookRow[]>`
    select w.id, case when coalesce(k.id, c.id) is null then 'manual' else 'rest_hook' end as kind, w.name, w.target_url,
           w.events, w.filters, w.changed_fields, w.public_key, w.max_per_minute, w.headers as sealed_headers,
           w.disabled_reason, w.disabled_at, w.last_success_at, w.failing_since, w.created_at,
           case when ${waitsForPace(sql, now.toISOString())} then (
             select count(*)::integer from (
               select from deliveries d
               where d.webhook_id = w.id and d.worker_id is null and d.due_at <= ${now.toISOString()}
               limit ${countedDeliveries}) due) else 0 end as paced_deliveries,
           case when k.id is not null then json_build_object('kind', 'api_key', 'id', k.id, 'name', k.name)
                when c.id is not null then json_build_object('kind', 'connection', 'id', c.id, 'name', app.name)
           end as made_by,
           ${webhookStatus(sql, now.toISOString())} as state,
           (select json_build_object('kind', ${kindOfPause(sql)}, 'paused_at',
                                     to_char(p.paused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                                     'reason', p.reason)
            from ${pausesOfWebhook(sql)} p order by p.paused_at limit 1) as operator_pause,
           array(select n.user_id from webhook_notified_users n
                 where n.organization_id = w.organization_id and n.webhook_id = w.id order by n.user_id)
             as notify_user_ids,
           held.kept as held_events, w.dropped_events + held.held - held.kept as dropped_events,
           case when w.previous_secret_until > ${now.toISOString()} then w.previous_secret_until end
             as previous_secret_until
    from webhooks w ${webhookStatusJoins(sql)}
    left join oauth_apps app on app.client_id = c.client_id
    cross join lateral (
      select count(*)::integer as held,
             case when ${webhookStatus(sql, now.toISOString())} = 'active' then count(*)::integer
                  else least(count(*) filter (where h.held_at > ${heldSince}), ${limits.heldEventsPerWebhook})::integer
             end as kept
      from held_events h where h.webhook_id = w.id) held
    where ${which} and w.deleted_at is null
    order by w.created_at desc, w.id desc`;
}

/** More hooks than any organization may have. */
const everyHook = 1_000_000;

/** A key or connection sees only the hooks that it made. */
export const listWebhooks = reads('webhooks.list', (context, { query }) => {
  const { sql, actor } = context;
  const page = { ...query, limit: query.limit ?? everyHook };
  return listPage<typeof page, ListedHook, RestHook>(context, page, {
    id: 'webhooks.list',
    alias: 'webhooks',
    sorts: {},
    filters: {},
    rows: (parts) => listedHooks(sql, actor, parts),
    items: (hooks) => hooks.map(({ sort_value: _, ...hook }) => shownHook(hook)),
  });
});

export const getWebhook = reads('webhooks.get', async ({ sql, actor }, { path }) => {
  const [hook] = await restHooks(sql, actor, sql`and id = ${path.id}`);
  if (!hook) throw notFound();
  return hook;
});
