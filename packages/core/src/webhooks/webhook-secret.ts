import { randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** The bytes that sign, of a secret in its text form. */
export const webhookSecretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(prefix.length), 'base64');
