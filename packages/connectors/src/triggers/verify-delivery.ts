import { secretKey, verifyDelivery as verify } from '@dealkeep/client/transport';
import { asciiLowerCase } from '@dealkeep/contract';

/**
 * The request as the platform hands it on: `content` is the body as it came, header names may be prefixed and in any
 * case.
 */
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
 * missing or none of the signatures matches. The age is not judged: a platform may hold a delivery back for long,
 * and a replayed one is told by its id.
 */
export function verifyDelivery(secret: string, request: RawRequest): VerifiedDelivery | undefined {
  const { content } = request;
  if (typeof content !== 'string') return undefined;
  const anyAge = { toleranceSeconds: Number.POSITIVE_INFINITY };
  const delivery = verify(content, headersOf(request), [secretKey(secret)], anyAge);
  return 'code' in delivery ? undefined : { id: delivery.id, content: delivery.body };
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
