import { createHmac, timingSafeEqual } from 'node:crypto';
import { asciiLowerCase } from '@dealkeep/contract';

/** The request as the platform hands it on: `content` is the body as it came, header names may be prefixed and in any case. */
export interface RawRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: string;
}

export interface VerifiedDelivery {
  /** `webhook-id`: the same on every attempt of one event. */
  readonly id: string;
  readonly content: string;
}

/**
 * Checks a delivery's signature (Standard Webhooks, version 1, symmetric) over the raw body. Undefined when it is
 * missing or none of the signatures matches. The age is not judged: a platform may hold a delivery back for long, and a
 * replayed one is told by its id.
 */
export function verifyDelivery(secret: string, request: RawRequest): VerifiedDelivery | undefined {
  const header = headersOf(request);
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature');
  const { content } = request;
  if (!id || !timestamp || !signatures || typeof content !== 'string') return undefined;
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${content}`).digest();
  const matches = signatures.split(' ').some((signature) => isSame(signature, expected));
  return matches ? { id, content } : undefined;
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

function isSame(signature: string, expected: Buffer): boolean {
  const [version, encoded] = signature.split(',', 2);
  if (version !== 'v1' || encoded === undefined) return false;
  const given = Buffer.from(encoded, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** `Http-Webhook-Id` and `webhook-id` are the same header on different ways. */
function headersOf(request: RawRequest): (name: string) => string | undefined {
  const named = new Map(
    Object.entries(request.headers ?? {}).map(([name, value]) => [
      asciiLowerCase(name)
        .replaceAll('_', '-')
        .replace(/^http-/, ''),
      value,
    ]),
  );
  return (name) => named.get(name);
}
