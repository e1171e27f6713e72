import { createHmac, timingSafeEqual } from 'node:crypto';

/** Deliveries older or newer than this are refused, so that a recorded one cannot be played back later. */
const toleranceSeconds = 5 * 60;

export interface SignedDelivery {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  /** The bytes as they came, never parsed and written again. */
  readonly body: Buffer;
}

/** Why a delivery is refused; undefined when its signature is right (Standard Webhooks, symmetric signatures). */
export function signatureProblem(delivery: SignedDelivery, secret: string, now: Date): string | undefined {
  const { id, timestamp, signature, body } = delivery;
  if (id === '' || timestamp === '' || signature === '') return 'The delivery is not signed';
  const age = now.getTime() / 1000 - Number(timestamp);
  if (!(Math.abs(age) <= toleranceSeconds)) {
    return 'The delivery was signed more than five minutes away from the clock of n8n';
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const fits = signature.split(' ').some((each) => {
    const [version, value = ''] = each.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return fits ? undefined : 'The signature of the delivery is wrong';
}
