import type { Fragment, Statements } from '../database/connect.ts';

/**
 * Whether a webhook gets anything now.
 * - `paused`: its key's owner is inactive or the subscription has lapsed
 * - `disabled`: by hand, by itself, or because it failed
 * - `ended`: its key was revoked or has expired (decisions, section 8)
 */
export type WebhookStanding = 'active' | 'paused' | 'disabled' | 'ended';

/** What the standing of `webhooks w` depends on. */
export const standingJoins = (sql: Statements): Fragment => sql`
  join organizations o on o.id = w.organization_id
  left join api_keys k on k.organization_id = w.organization_id and k.id = w.api_key_id
  left join users u on u.organization_id = k.organization_id and u.id = k.user_id`;

/** The standing of `webhooks w`, behind {@link standingJoins}. */
export const standing = (sql: Statements, now: string): Fragment => sql`
  case when k.revoked_at is not null or k.expires_at <= ${now} then 'ended'
       when w.disabled_reason is not null then 'disabled'
       when u.active = false or o.subscription <> 'active' then 'paused'
       else 'active' end`;
