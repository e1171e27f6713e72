import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { SealedPlace } from '../../foundations/secrets.ts';

const secretPrefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export const newWebhookSecret = (): string => secretPrefix + randomBytes(32).toString('base64');

/** The columns of a webhook that are encrypted. */
export const sealedColumns = [
  'secret',
  'previous_secret',
  'signing_key',
  'previous_signing_key',
  'headers',
] as const;
export type SealedColumn = (typeof sealedColumns)[number];

/** Where the secret of a webhook stands, or something else of it that is encrypted. */
export const placeOfSecret = (
  { organization_id, id }: { organization_id: string; id: string },
  column: SealedColumn = 'secret',
): SealedPlace => ({ table: 'webhooks', column, row: [organization_id, id] });

/** The bytes that sign, of a secret in its text form. */
export const webhookSecretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(secretPrefix.length), 'base64');

const privatePrefix = 'whsk_';
const publicPrefix = 'whpk_';

/** An Ed25519 key pair as Standard Webhooks writes it. */
export interface KeyPair {
  /** `whsk_` and base64 of the seed and the public key. */
  readonly signingKey: string;
  /** `whpk_` and base64 of its 32 bytes. */
  readonly publicKey: string;
}

const seedBytes = 32;

export function newKeyPair(): KeyPair {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, publicBytes] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  return {
    signingKey: privatePrefix + Buffer.concat([seed, publicBytes]).toString('base64'),
    publicKey: publicPrefix + publicBytes.toString('base64'),
  };
}

/** What signs, of a private key in its text form. */
export function signerOf(signingKey: string): KeyObject {
  const bytes = Buffer.from(signingKey.slice(privatePrefix.length), 'base64');
  const [d, x] = [bytes.subarray(0, seedBytes), bytes.subarray(seedBytes)];
  return createPrivateKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', d: d.toString('base64url'), x: x.toString('base64url') },
  });
}
