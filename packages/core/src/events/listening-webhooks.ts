import { roleBacks } from '../credentials/role-backs.ts';
import type { Fragment, Statements } from '../database/connect.ts';

/**
 * The webhooks that each row of `event` concerns, at the moment at which it happens: subscribed to its type, and not
 * disabled in a way that holds nothing. A hook's key or connection has the scope of each of its events, because it could
 * not have subscribed without, and the scopes never change; the role of the person behind a connection does, and what
 * happens while it lacks the permission is lost to its hooks (decisions, section 9).
 *
 * Locked in the order of their ids, so that nobody deadlocks; one that is being removed is left out.
 */
export const listeningWebhooks = (tx: Statements): Fragment => tx`
  select w.organization_id, w.id as webhook_id, w.disabled_reason, event.id as event_id, event.occurred_at
  from event join webhooks w on w.organization_id = event.organization_id and w.events @> array[event.type]
  where (w.disabled_reason is null or w.disabled_reason = 'failing') and ${roleBacks(tx, tx`array[event.type]`)}
  order by w.id, event.id for key share of w`;
