import {
  createClient,
  type DeliveryHeaders,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from '@dealkeep/client';
import { startDealkeep } from '@dealkeep/testing';
import { Webhook } from 'standardwebhooks';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { hookReceiver } from './servers/hook-receiver.ts';

const secret = 'whsec_VGhpcyBpcyBub3QgYSByZWFsIHNlY3JldCwgc29ycnkh';
const id = 'evt_01985f6e2c417d3a9b524f0c8a7e1d63';
const now = Date.parse('2026-10-01T12:00:00.000Z');
const body = JSON.stringify({
  id,
  type: 'lead.won',
  timestamp: '2026-10-01T11:59:59.000Z',
  api_version: '2026-10-01',
  organization: { id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081', slug: 'tatra-studio' },
  test: false,
  data: { id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', name: 'Bicykle pre mesto Košice' },
});

/** Signed as the library for Standard Webhooks does it, which is not asked for anything else here. */
function signed(payload = body, seconds = now / 1000, with_ = secret, as = id) {
  return {
    'webhook-id': as,
    'webhook-timestamp': String(seconds),
    'webhook-signature': new Webhook(with_).sign(as, new Date(seconds * 1000), payload),
  };
}

const verify = (
  payload: string | Uint8Array = body,
  headers: DeliveryHeaders = signed(),
  options: VerifyOptions = {},
) => verifyWebhook(payload, headers, secret, { now: () => now, ...options });

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
  throw new Error('The delivery was accepted.');
}

describe('deliveries of the real worker', () => {
  test('are accepted, each with the envelope of its event', async () => {
    const { baseUrl, createOrganization } = await startDealkeep();
    const { key: apiKey, slug } = await createOrganization();
    const dealkeep = createClient({ baseUrl, apiKey });
    const receiver = await hookReceiver();
    const hook = await dealkeep.webhooks.create({
      target_url: receiver.targetUrl,
      events: ['lead.created', 'lead.updated'],
    });

    const created = await dealkeep.leads.create({ name: 'Bicykle pre mesto Košice' });
    const first = await receiver.next();
    const updated = await dealkeep.leads.update(created.id, { value: 18_500 });
    const second = await receiver.next();

    const envelope = verifyWebhook(first.body, first.headers, hook.secret);
    expect(envelope).toMatchObject({
      type: 'lead.created',
      test: false,
      organization: { slug },
      data: created,
    });
    expect(verifyWebhook(second.body.toString(), second.headers, hook.secret)).toMatchObject({
      type: 'lead.updated',
      data: updated,
      changed_fields: ['value'],
    });
  });

  test('are refused when a byte, the id, the time or the secret is another', async () => {
    const { baseUrl, createOrganization } = await startDealkeep();
    const { key: apiKey } = await createOrganization();
    const dealkeep = createClient({ baseUrl, apiKey });
    const receiver = await hookReceiver();
    const hook = await dealkeep.webhooks.create({ target_url: receiver.targetUrl, event: 'company.created' });
    await dealkeep.companies.create({ name: 'Tatra Bikes s.r.o.' });
    const delivery = await receiver.next();
    const { headers } = delivery;
    const text = delivery.body.toString();
    const tampered = text.replace('Tatra', 'Fatra');
    const later = String(Number(headers['webhook-timestamp']) + 1);

    const attempts = [
      () => verifyWebhook(tampered, headers, hook.secret),
      () => verifyWebhook(`${text} `, headers, hook.secret),
      () => verifyWebhook(text, { ...headers, 'webhook-id': 'evt_other' }, hook.secret),
      () => verifyWebhook(text, { ...headers, 'webhook-timestamp': later }, hook.secret),
      () => verifyWebhook(text, headers, secret),
    ];

    expect(tampered).not.toBe(text);
    expect(attempts.map(refusal)).toEqual(attempts.map(() => 'NO_MATCHING_SIGNATURE'));
  });
});

test('the samples of every event type are envelopes', async () => {
  const { baseUrl, createOrganization } = await startDealkeep({ worker: false });
  const { key: apiKey } = await createOrganization();
  const dealkeep = createClient({ baseUrl, apiKey });
  const { data: types } = await dealkeep.webhooks.events();

  for (const { type } of types) {
    const [sample] = await dealkeep.webhooks.sample(type);
    const payload = JSON.stringify(sample);
    const headers = signed(payload, undefined, undefined, sample?.id);

    expect(verify(payload, headers)).toMatchObject({ type, test: true });
  }
  expect(types.length).toBeGreaterThan(0);
});

describe('headers', () => {
  test('are read from Headers, from Node, and with names in any case', () => {
    const headers = signed();

    expect(verify(body, new Headers(headers)).id).toBe(id);
    expect(verify(body, { ...headers, 'x-other': undefined, 'set-cookie': ['a', 'b'] }).id).toBe(id);
    expect(
      verify(
        body,
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
      ).id,
    ).toBe(id);
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s are refused', (name) => {
    expect(refusal(() => verify(body, { ...signed(), [name]: undefined }))).toBe('MISSING_HEADER');
    expect(refusal(() => verify(body, { ...signed(), [name]: '' }))).toBe('MISSING_HEADER');
  });

  test('with several signatures are accepted when one of them matches', () => {
    const right = signed()['webhook-signature'];
    const wrong = signed(body, now / 1000, 'whsec_YW5vdGhlciBzZWNyZXQ=')['webhook-signature'];
    const withSignatures = (signatures: string) => ({ ...signed(), 'webhook-signature': signatures });

    expect(verify(body, withSignatures(`${wrong} ${right}`)).id).toBe(id);
    expect(verify(body, withSignatures(`v1a,other v2,x ${right} ${wrong}`)).id).toBe(id);
    for (const none of [
      wrong,
      `${right.slice(0, -2)}A=`,
      right.slice(3),
      `v2${right.slice(2)}`,
      'v1,',
      'v1',
      ' ',
    ]) {
      expect(refusal(() => verify(body, withSignatures(none)))).toBe('NO_MATCHING_SIGNATURE');
    }
  });
});

describe('the time of signing', () => {
  const at = (age: number, options?: VerifyOptions) => () =>
    verify(body, signed(body, now / 1000 - age), options);

  test('may be five minutes off', () => {
    expect(at(300)().id).toBe(id);
    expect(at(-300)().id).toBe(id);
    expect(refusal(at(301))).toBe('TOO_OLD');
    expect(refusal(at(-301))).toBe('TOO_NEW');
  });

  test('may be as far off as the receiver says', () => {
    expect(refusal(at(11, { toleranceSeconds: 10 }))).toBe('TOO_OLD');
    expect(at(1_000_000, { toleranceSeconds: Number.POSITIVE_INFINITY })().id).toBe(id);
  });

  test.each(['soon', '1e9', '-1', '1790856000.5', '99999999999999999999'])(
    'is refused as "%s"',
    (timestamp) => {
      const headers = { ...signed(), 'webhook-timestamp': timestamp };

      expect(refusal(() => verify(body, headers))).toBe('INVALID_TIMESTAMP');
    },
  );
});

describe('the body', () => {
  test.each([
    ['no JSON', 'Hello'],
    ['empty', ''],
    ['no envelope', '{"id":"evt_01985f6e2c417d3a9b524f0c8a7e1d63"}'],
    ['the envelope of another event', body.replace(id, 'evt_other')],
  ])('that is %s is refused although it is signed', (_, payload) => {
    expect(refusal(() => verify(payload, signed(payload)))).toBe('INVALID_PAYLOAD');
  });

  test('that is no UTF-8 is refused', () => {
    expect(refusal(() => verify(Uint8Array.of(0x7b, 0xff, 0x7d)))).toBe('INVALID_PAYLOAD');
  });

  test('can hold what this client does not know', () => {
    const payload = body.replace('{', '{"mood":"good",').replace('lead.won', 'galaxy.formed');

    expect(verify(payload, signed(payload))).toMatchObject({ mood: 'good', type: 'galaxy.formed' });
  });

  test('that was parsed already is refused in words', () => {
    const parsed: unknown = JSON.parse(body);

    expect(() => Reflect.apply(verify, undefined, [parsed])).toThrow('raw body');
  });
});

test.each(['', 'whsec_', 'whsec_not base64!'])('the secret "%s" is refused without being shown', (wrong) => {
  expect(() => verifyWebhook(body, signed(), wrong, { now: () => now })).toThrow(
    new TypeError('secret must be the signing secret of the webhook: whsec_… as it was answered.'),
  );
});

test('the type of an envelope tells the type of its data', () => {
  const envelope = verify();

  if (envelope.type === 'lead.won') expectTypeOf(envelope.data.value).toEqualTypeOf<number | null>();
  if (envelope.type === 'contact.updated') expectTypeOf(envelope.data.is_primary).toEqualTypeOf<boolean>();
});
