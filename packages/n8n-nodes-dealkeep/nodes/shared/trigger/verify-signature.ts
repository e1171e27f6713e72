import { secretKey, verifyDelivery, type WebhookRefusal } from '@dealkeep/client/transport';

export interface ReceivedDelivery {
  /** A header by its name in small letters. */
  readonly header: (name: string) => string | undefined;
  /** The bytes as they came, never parsed and written again. */
  readonly body: Uint8Array;
}

/**
 * Why a delivery is refused; undefined when its signature is right (Standard Webhooks, symmetric signatures) and it
 * was signed just now, so that a recorded one cannot be played back later.
 */
export function signatureProblem(
  { header, body }: ReceivedDelivery,
  secret: string,
  now: () => number,
): string | undefined {
  const delivery = verifyDelivery(body, header, [secretKey(secret)], { now });
  return 'code' in delivery
    ? (problems[delivery.code] ?? 'The signature of the delivery is wrong')
    : undefined;
}

const anotherTime = 'The delivery was signed more than five minutes away from the clock of n8n';

const problems: Readonly<Partial<Record<WebhookRefusal, string>>> = {
  MISSING_HEADER: 'The delivery is not signed',
  INVALID_TIMESTAMP: anotherTime,
  TOO_OLD: anotherTime,
  TOO_NEW: anotherTime,
};
