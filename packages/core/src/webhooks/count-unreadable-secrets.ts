import type { Database } from '../database/connect.ts';
import type { Secrets } from '../secrets.ts';
import { placeOfSecret } from './webhook-secret.ts';

interface WebhookSecrets {
  organization_id: string;
  id: string;
  secret: Uint8Array;
  previous_secret: Uint8Array | null;
}

/** How many webhooks there are, and of how many the secret was encrypted under a key that is not at hand. */
export async function countUnreadableSecrets(
  sql: Database,
  secrets: Secrets,
): Promise<{ webhooks: number; unreadable: number }> {
  const rows = await sql<WebhookSecrets[]>`
    select organization_id, id, secret, previous_secret from webhooks`;
  return {
    webhooks: rows.length,
    unreadable: rows.filter(
      ({ secret, previous_secret: previous, ...webhook }) =>
        !secrets.canDecrypt(secret, placeOfSecret(webhook)) ||
        (previous !== null && !secrets.canDecrypt(previous, placeOfSecret(webhook, 'previous_secret'))),
    ).length,
  };
}
