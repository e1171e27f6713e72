import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import {
  createClient,
  type DeliveryHeaders,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from '@dealkeep/client';
import { createManualWebhook, rotateWebhookSecret, sharedDealkeep, startDealkeep } from '@dealkeep/testing';
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
  const { baseUrl, createOrganization } = await sharedDealkeep();
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

describe('a public key', () => {
  /** A key pair as Standard Webhooks writes it, and what signs with it, by Node. */
  function keyPair() {
    const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
    const pair = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d, x } });
    return {
      publicKey: `whpk_${point.toString('base64')}`,
      privateKey: `whsk_${Buffer.concat([seed, point]).toString('base64')}`,
      signatureOf: (payload = body, seconds = now / 1000) =>
        `v1a,${sign(null, Buffer.from(`${id}.${seconds}.${payload}`), pair).toString('base64')}`,
    };
  }
  const withSignatures = (...signatures: string[]) => ({
    ...signed(),
    'webhook-signature': signatures.join(' '),
  });
  const checked = (headers: DeliveryHeaders, keys: string | readonly string[], payload = body) =>
    verifyWebhook(payload, headers, keys, { now: () => now });
  const right = keyPair();
  const other = keyPair();
  const v1 = signed()['webhook-signature'];

  test('verifies what the worker signs with a key pair, also through a rotation, and so does the secret', async () => {
    const { core, baseUrl, createOrganization } = await startDealkeep();
    const organization = await createOrganization();
    const dealkeep = createClient({ baseUrl, apiKey: organization.key });
    const receiver = await hookReceiver();
    const hook = await createManualWebhook(core, organization, {
      name: 'Warehouse',
      target_url: receiver.targetUrl,
      events: ['company.created'],
      asymmetric_signature: true,
    });
    await dealkeep.companies.create({ name: 'Žltý kôň s.r.o.' });
    const first = await receiver.next();
    const { secret: secondSecret } = await rotateWebhookSecret(core, organization, { id: hook.id });
    await dealkeep.companies.create({ name: 'Second' });
    const second = await receiver.next();
    const publicKey = hook.public_key ?? '';

    for (const key of [publicKey, hook.secret, [secondSecret, publicKey]]) {
      expect(verifyWebhook(first.body, first.headers, key)).toMatchObject({
        type: 'company.created',
        data: { name: 'Žltý kôň s.r.o.' },
      });
      expect(verifyWebhook(second.body, second.headers, key)).toMatchObject({ data: { name: 'Second' } });
    }
    const tampered = first.body.toString().replace('company', 'contact');
    expect(refusal(() => verifyWebhook(tampered, first.headers, publicKey))).toBe('NO_MATCHING_SIGNATURE');
    expect(refusal(() => verifyWebhook(first.body, second.headers, publicKey))).toBe('NO_MATCHING_SIGNATURE');
  });

  test('finds its v1a signature among those of several versions and keys, wherever it stands', () => {
    const [mine, others] = [right.signatureOf(), other.signatureOf()];
    for (const signatures of [
      [mine],
      [v1, mine],
      [mine, v1],
      [v1, others, mine],
      ['v2,x', 'v1a,', others, mine],
    ]) {
      expect(checked(withSignatures(...signatures), right.publicKey).id).toBe(id);
      expect(checked(withSignatures(...signatures), [other.publicKey, right.publicKey]).id).toBe(id);
      // The library for Standard Webhooks passes by versions that it does not know, as we do.
      expect(checked(withSignatures(...signatures, v1), secret).id).toBe(id);
    }
  });

  test('accepts no signature of another key, body, time or version, and none that is cut or written otherwise', () => {
    const mine = right.signatureOf();
    const bytes = mine.slice('v1a,'.length);
    const url = bytes.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    for (const none of [
      other.signatureOf(),
      right.signatureOf(`${body} `),
      right.signatureOf(body, now / 1000 - 1),
      `v1a,${bytes.slice(0, -4)}`,
      `v1a,${bytes}AAAA`,
      `v1a,${url}`,
      `v1a,${Buffer.alloc(64).toString('base64')}`,
      'v1a,',
      'v1a',
      `v1,${bytes}`,
      `v2a,${bytes}`,
      bytes,
      v1,
    ]) {
      expect(refusal(() => checked(withSignatures(none), right.publicKey))).toBe('NO_MATCHING_SIGNATURE');
    }
    expect(refusal(() => checked(withSignatures(mine), secret))).toBe('NO_MATCHING_SIGNATURE');
  });

  test('says which signature a delivery lacks', () => {
    expect(() => checked(signed(), right.publicKey)).toThrow(/no v1a signature.*whpk_.*key pair/);
    expect(() => checked(withSignatures(right.signatureOf()), secret)).toThrow(/no v1 signature.*whsec_/);
    expect(() => checked(withSignatures(other.signatureOf()), right.publicKey)).toThrow(/as it came/);
  });

  test('several keys of both kinds are tried, and one is enough', () => {
    const keys = ['whsec_YW5vdGhlciBzZWNyZXQ=', other.publicKey, right.publicKey];
    expect(checked(withSignatures(v1, right.signatureOf()), keys).id).toBe(id);
    expect(checked(signed(), [...keys, secret]).id).toBe(id);
    expect(refusal(() => checked(signed(), keys))).toBe('NO_MATCHING_SIGNATURE');
  });

  test.each([
    ['a private key', right.privateKey, /private key.*whpk_/],
    ['a cut one', right.publicKey.slice(0, -4), /to its end/],
    ['one of no point', `whpk_${Buffer.alloc(32, 0xff).toString('base64')}`, /to its end/],
    ['no base64', `whpk_${'!'.repeat(44)}`, /to its end/],
    ['none', '', /whsec_/],
  ])('%s is refused without being shown', (_, key, words) => {
    for (const keys of [key, [right.publicKey, key]]) {
      const attempt = () => checked(withSignatures(right.signatureOf()), keys);
      expect(attempt).toThrow(TypeError);
      expect(attempt).toThrow(words);
      if (key) expect(attempt).not.toThrow(key);
    }
  });

  test('an empty list of keys is refused', () => {
    expect(() => checked(signed(), [])).toThrow('an array of them');
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
