import type { Transaction } from '../../database/connect.ts';
import { notFound } from '../../problem.ts';

/** A hand-made webhook as its verbs need it. */
export interface LockedWebhook {
  events: string[];
  target_url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  disabled_reason: 'gone' | 'failing' | 'by_hand' | null;
}

/** Locks a hand-made webhook against other changes. Raises NOT_FOUND, also for a REST hook. */
export async function lockWebhook(
  sql: Transaction,
  organization: string,
  id: string,
): Promise<LockedWebhook> {
  const [webhook] = await sql<LockedWebhook[]>`
    select events, target_url, secret, previous_secret, disabled_reason from webhooks
    where organization_id = ${organization} and id = ${id}
      and api_key_id is null and oauth_connection_id is null
    for no key update`;
  if (!webhook) throw notFound();
  return webhook;
}
