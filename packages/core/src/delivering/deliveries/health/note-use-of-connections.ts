import type { Transaction } from '../../../foundations/database/connect.ts';
import { connectionUseNotedEverySeconds } from '../../../foundations/operating-limits.ts';

/**
 * A successful delivery counts as use of the connection that made the hook (rule oauth 18). Waits for no lock, because
 * this would deadlock: whoever ends a connection locks it before its hooks, and this transaction has locked the hooks
 * already.
 */
export async function noteUseOfConnections(
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
