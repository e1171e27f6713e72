import type { Transaction } from '../../database/connect.ts';
import { notFound, Problem } from '../../problem.ts';
import { standing, standingJoins, type WebhookStanding } from '../webhook-standing.ts';

/** Raises NOT_FOUND, and CONFLICT for a webhook that gets nothing now. It is not removed before the commit. */
export async function requireActiveWebhook(
  tx: Transaction,
  organization: string,
  webhook: string,
  now: string,
): Promise<void> {
  const [row] = await tx<{ standing: WebhookStanding }[]>`
    select ${standing(tx, now)} as standing from webhooks w ${standingJoins(tx)}
    where w.organization_id = ${organization} and w.id = ${webhook} for key share of w`;
  if (!row) throw notFound();
  if (row.standing !== 'active') throw new Problem('delivery.webhook_inactive');
}
