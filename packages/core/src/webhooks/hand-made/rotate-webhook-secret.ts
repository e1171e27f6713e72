import { limits } from '@dealkeep/contract';
import type { Clock } from '../../clock.ts';
import type { Core } from '../../core.ts';
import type { Database } from '../../database/connect.ts';
import { type OrganizationName, transact } from '../../verb/transact.ts';
import { newWebhookSecret, placeOfSecret } from '../webhook-secret.ts';
import { lockWebhook } from './lock-webhook.ts';

/**
 * Gives a hand-made webhook a new secret, which is answered this once. The former one signs, too, for 24 hours, so
 * that the receiver can change over; one that was still valid from an earlier change ends. Where the former one cannot be read (a key of SECRETS_KEY was lost), the
 * new one signs alone, and `previous_secret_until` is null. Raises NOT_FOUND.
 */
export const rotateWebhookSecret = (
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<{ secret: string; previous_secret_until: string | null }> =>
  transact(core, organization, async ({ sql, now }) => {
    const { secret: former } = await lockWebhook(sql, organization.id, id);
    const { secrets } = core;
    const webhook = { organization_id: organization.id, id };
    const secret = newWebhookSecret();
    // One that nobody can read any more signs nothing: this is how its webhook gets another one.
    const previous = secrets.canDecrypt(former, placeOfSecret(webhook))
      ? secrets.encrypt(
          secrets.decrypt(former, placeOfSecret(webhook)),
          placeOfSecret(webhook, 'previous_secret'),
        )
      : null;
    const until = previous && new Date(Date.parse(now) + limits.previousSecretHours * 3600_000).toISOString();
    await sql`
      update webhooks
      set previous_secret = ${previous}, previous_secret_until = ${until},
          secret = ${secrets.encrypt(secret, placeOfSecret(webhook))}
      where organization_id = ${organization.id} and id = ${id}`;
    return { secret, previous_secret_until: until };
  });

/** Forgets former secrets that sign no more. Answers how many. */
export async function forgetPreviousSecrets({
  sql,
  clock,
}: {
  sql: Database;
  clock: Clock;
}): Promise<number> {
  const { count } = await sql`
    update webhooks set previous_secret = null, previous_secret_until = null
    where previous_secret_until <= ${clock.now().toISOString()}`;
  return count;
}
