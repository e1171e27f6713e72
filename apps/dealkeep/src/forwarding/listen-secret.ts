import { hkdfSync } from 'node:crypto';

/**
 * The signing secret of `dealkeep listen`: the same for the same key at every run, so that it is set up once in a
 * receiver; from it nobody can tell the key (HKDF, RFC 5869).
 */
export function secretOfKey(key: string): string {
  const bytes = hkdfSync('sha256', key, '', 'dealkeep listen', 32);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

/** `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks). */
export function isWebhookSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  if (encoded === undefined) return false;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64;
}
