import type { Database } from '../database/connect.ts';
import type { Secrets } from '../secrets.ts';

/** How many webhooks there are, and of how many the secret was encrypted under a key that is not at hand. */
export async function countUnreadableSecrets(
  sql: Database,
  secrets: Secrets,
): Promise<{ webhooks: number; unreadable: number }> {
  const rows = await sql<{ secret: Uint8Array; previous_secret: Uint8Array | null }[]>`
    select secret, previous_secret from webhooks`;
  return {
    webhooks: rows.length,
    unreadable: rows.filter(
      ({ secret, previous_secret: previous }) =>
        !secrets.canDecrypt(secret) || (previous !== null && !secrets.canDecrypt(previous)),
    ).length,
  };
}
