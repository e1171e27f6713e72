import { randomBytes } from 'node:crypto';
import type { SealedPlace } from '../secrets.ts';

const prefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Where the secret of a webhook stands, or the one before it. */
export const placeOfSecret = (
  { organization_id, id }: { organization_id: string; id: string },
  column: 'secret' | 'previous_secret' = 'secret',
): SealedPlace => ({ table: 'webhooks', column, row: [organization_id, id] });

/** The bytes that sign, of a secret in its text form. */
export const webhookSecretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(prefix.length), 'base64');
