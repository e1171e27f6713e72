import { limits } from '@dealkeep/contract';
import type { Secrets } from '../../foundations/secrets.ts';
import { newKeyPair, newWebhookSecret, placeOfSecret, type SealedColumn } from './signing-keys.ts';

/** What a webhook signs and sends with, encrypted. */
export type SealedWebhook = Readonly<
  Record<Exclude<SealedColumn, 'previous_secret' | 'previous_signing_key'>, Buffer | null>
>;

export interface SecretColumns {
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly previous_secret_until: string | null;
  readonly headers: Buffer | null;
  readonly signing_key: Buffer | null;
  readonly previous_signing_key: Buffer | null;
  readonly public_key: string | null;
}

/**
 * A new secret for a webhook, and the columns that hold it. The former one signs, too, for 24 hours, so that the
 * receiver can change over; one that was still valid from an earlier change ends. Where the former one cannot be
 * read (a key of SECRETS_KEY was lost), the new one signs alone, `previous_secret_until` is null, and headers that
 * cannot be read either are gone.
 */
export function newSecret(
  secrets: Secrets,
  webhook: { organization_id: string; id: string },
  former: SealedWebhook,
  now: string,
): { secret: string; columns: SecretColumns } {
  const secret = newWebhookSecret();
  const pair = former.signing_key === null ? undefined : newKeyPair();
  const isReadable = (column: keyof SealedWebhook): boolean => {
    const sealed = former[column];
    return sealed !== null && secrets.canDecrypt(sealed, placeOfSecret(webhook, column));
  };
  // One that nobody can read any more signs nothing: this is how its webhook gets another one.
  const kept = (column: 'secret' | 'signing_key'): Buffer | null => {
    const sealed = former[column];
    if (sealed === null || !isReadable(column)) return null;
    const text = secrets.decrypt(sealed, placeOfSecret(webhook, column));
    return secrets.encrypt(text, placeOfSecret(webhook, `previous_${column}`));
  };
  const previous = kept('secret');
  const until = new Date(Date.parse(now) + limits.previousSecretHours * 3600_000).toISOString();
  return {
    secret,
    columns: {
      secret: secrets.encrypt(secret, placeOfSecret(webhook)),
      previous_secret: previous,
      previous_secret_until: previous && until,
      headers: isReadable('headers') ? former.headers : null,
      previous_signing_key: previous && kept('signing_key'),
      public_key: pair?.publicKey ?? null,
      signing_key: pair ? secrets.encrypt(pair.signingKey, placeOfSecret(webhook, 'signing_key')) : null,
    },
  };
}
