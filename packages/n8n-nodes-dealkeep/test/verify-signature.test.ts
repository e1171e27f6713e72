import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signatureProblem } from '../nodes/shared/trigger/verify-signature.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const id = 'evt_01985f6e2c417d3a9b524f0c8a7e1d63';
const now = new Date('2026-10-01T13:05:09Z');
const body = '{"name":"Štúrova – ☕"}';

/** A delivery as the standard's own library signs it. */
function delivery(signedAt = now, signedWith = secret) {
  return {
    id,
    timestamp: String(Math.floor(signedAt.getTime() / 1000)),
    signature: new Webhook(signedWith).sign(id, signedAt, body),
    body: Buffer.from(body),
  };
}

const problem = (
  { id, timestamp, signature, body }: ReturnType<typeof delivery>,
  signedBy: string,
  at: Date,
) => {
  const headers: Readonly<Record<string, string>> = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  };
  return signatureProblem({ header: (name) => headers[name], body }, signedBy, () => at.getTime());
};

describe('the signature of a delivery (rules connectors 7 and n8n 16)', () => {
  test('passes when the Standard Webhooks library made it', () => {
    expect(problem(delivery(), secret, now)).toBeUndefined();
  });

  test('passes among others, while a rotated secret is still valid', () => {
    const other = delivery(now, `whsec_${randomBytes(32).toString('base64')}`).signature;
    const signature = `${other} v1a,AAAA ${delivery().signature}`;
    expect(problem({ ...delivery(), signature }, secret, now)).toBeUndefined();
  });

  test('fails when a byte of the body, the id, the time or the secret differs', () => {
    const genuine = delivery();
    const wrong = 'The signature of the delivery is wrong';
    expect(problem({ ...genuine, body: Buffer.from(body.replace('n', 'm')) }, secret, now)).toBe(wrong);
    expect(problem({ ...genuine, id: 'evt_other' }, secret, now)).toBe(wrong);
    expect(problem({ ...genuine, timestamp: String(Number(genuine.timestamp) + 1) }, secret, now)).toBe(
      wrong,
    );
    expect(problem(delivery(now, `whsec_${randomBytes(32).toString('base64')}`), secret, now)).toBe(wrong);
  });

  test('fails when the body is no text, which no two bodies may be read as alike', () => {
    const mangled = Buffer.concat([Buffer.from(body), Buffer.of(0xff)]);
    expect(problem({ ...delivery(), body: mangled }, secret, now)).toBe(
      'The signature of the delivery is wrong',
    );
  });

  test('fails when it is missing, cut or no signature at all', () => {
    const genuine = delivery();
    for (const signature of [
      '',
      'v1',
      'v1,',
      genuine.signature.slice(0, -4),
      genuine.signature.replace('v1', 'v2'),
    ]) {
      expect(problem({ ...genuine, signature }, secret, now)).toEqual(expect.any(String));
    }
    expect(problem({ ...genuine, id: '' }, secret, now)).toBe('The delivery is not signed');
  });

  test('fails more than five minutes after or before it was made', () => {
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    expect(problem(delivery(), secret, at(300))).toBeUndefined();
    expect(problem(delivery(), secret, at(301))).toMatch(/five minutes/);
    expect(problem(delivery(), secret, at(-301))).toMatch(/five minutes/);
    expect(problem({ ...delivery(), timestamp: 'soon' }, secret, now)).toMatch(/five minutes/);
  });
});
