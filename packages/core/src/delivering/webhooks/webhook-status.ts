import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { roleBacks } from '../../identity/credentials/authorize.ts';

/**
 * Whether a webhook gets anything now.
 * - `paused`: its key's owner is inactive, the subscription has lapsed, or the role of the user behind its
 *   connection lacks the permission for an event of it (only such events wait then)
 * - `disabled`: by hand, by itself, or because it failed
 * - `ended`: its key was revoked or has expired (rule keys 15), or its connection has ended (rule oauth 19)
 */
export type WebhookStatus = 'active' | 'paused' | 'disabled' | 'ended';

/** What the standing of `webhooks w` depends on. */
export const webhookStatusJoins = (sql: Statements): Fragment => sql`
  join organizations o on o.id = w.organization_id
  left join api_keys k on k.organization_id = w.organization_id and k.id = w.api_key_id
  left join oauth_connections c on c.organization_id = w.organization_id and c.id = w.oauth_connection_id
  left join memberships m on m.organization_id = w.organization_id and m.id = coalesce(k.user_id, c.user_id)`;

/**
 * The standing of `webhooks w`, behind {@link webhookStatusJoins}.
 *
 * @param types a text array: the events that it is about; all of the webhook when absent
 */
export const webhookStatus = (sql: Statements, now: string, types: Fragment = sql`w.events`): Fragment => sql`
  case when k.revoked_at is not null or k.expires_at <= ${now} or c.ended_at is not null then 'ended'
       when w.disabled_reason is not null then 'disabled'
       when m.active = false or o.subscription <> 'active' or not ${roleBacks(sql, types)} then 'paused'
       else 'active' end`;
