import { isApiRecord } from '@dealkeep/connectors';

interface Payload {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * The body of a delivery as it came. Older releases of the platform hand on only what they read of it: written down again
 * it is the same text, or its signature does not match.
 */
export function rawTextOf({ rawBody, body }: Payload): string {
  if (typeof rawBody === 'string') return rawBody;
  if (rawBody instanceof Uint8Array) return Buffer.from(rawBody).toString('utf8');
  // What became of a buffer on its way through a queue.
  if (isApiRecord(rawBody) && Array.isArray(rawBody['data'])) {
    return Buffer.from(rawBody['data']).toString('utf8');
  }
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
}
