import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { getWebhookWithHealth } from '@dealkeep/core/delivering';
import { removeOld } from '@dealkeep/core/installation';
import {
  createManualWebhook,
  type HookRequest,
  ManualClock,
  rotateWebhookSecret,
  sendTestEvent,
  startDealkeep,
  startHookReceiver,
  updateManualWebhook,
} from '@dealkeep/testing';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });
const { core, sql } = dealkeep;
const hour = 3_600_000;

async function webhookWithKeyPair(asymmetric_signature: boolean | null = true) {
  const receiver = await startHookReceiver();
  const organization = await dealkeep.createOrganization();
  const input = {
    name: 'Warehouse',
    target_url: receiver.url,
    events: ['lead.created'],
    asymmetric_signature,
  };
  const webhook = await createManualWebhook(core, organization, input);
  const { id, secret, public_key: publicKey } = webhook;
  const api = dealkeep.as(organization.key);
  const deliver = async (): Promise<HookRequest> => {
    const { length } = receiver.requests;
    await api.post('/leads', { name: 'Lead' });
    const request = (await receiver.received(length + 1)).at(-1);
    if (!request) throw new Error('Nothing came');
    return request;
  };
  return { receiver, organization, id, secret, publicKey, deliver };
}

/**
 * As the text of Standard Webhooks says: the public key is base64 behind `whpk_`, an Ed25519 signature base64 behind
 * `v1a,`.
 */
function isSignedBy({ headers, body }: HookRequest, publicKey: string | null): boolean {
  const [, key = ''] = /^whpk_([A-Za-z0-9+/]{43}=)$/.exec(publicKey ?? '') ?? [];
  // RFC 8410: what stands before the 32 bytes of an Ed25519 public key.
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(key, 'base64')]);
  const object = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  return signatures(headers, 'v1a').some((each) => verify(null, signed, object, Buffer.from(each, 'base64')));
}

const signatures = (headers: Record<string, string>, version: string): string[] =>
  (headers['webhook-signature'] ?? '').split(' ').flatMap((each) => {
    const [kind, signature = ''] = each.split(',');
    return kind === version ? [signature] : [];
  });

/** A library for Standard Webhooks that knows the HMAC alone. */
function oracleAccepts(request: HookRequest, secret: string): boolean {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(request.headers['webhook-timestamp']) * 1000 });
  try {
    new Webhook(secret).verify(request.body, request.headers);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

test('a webhook that asks for it is signed with its key pair beside the secret, and a library that knows secrets alone accepts it (rules deliveries 35 and hooks 23)', async () => {
  const { deliver, organization, receiver, id, secret, publicKey } = await webhookWithKeyPair();
  const request = await deliver();
  expect(request.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1a,[A-Za-z0-9+/]{86}==$/);
  expect(isSignedBy(request, publicKey)).toBe(true);
  expect(isSignedBy({ ...request, body: `${request.body} ` }, publicKey)).toBe(false);
  expect(
    isSignedBy({ ...request, headers: { ...request.headers, 'webhook-id': 'evt_other' } }, publicKey),
  ).toBe(false);
  expect(isSignedBy(request, (await webhookWithKeyPair()).publicKey)).toBe(false);
  expect(oracleAccepts(request, secret)).toBe(true);
  await sendTestEvent(core, organization, { id });
  const sample = receiver.requests.at(-1);
  expect(sample && isSignedBy(sample, publicKey)).toBe(true);
});

test('without asking there is no key pair, and only the secret signs', async () => {
  for (const asked of [false, null]) {
    const { deliver, publicKey } = await webhookWithKeyPair(asked);
    expect(publicKey).toBeNull();
    expect((await deliver()).headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  }
});

test('a rotation gives another key pair, too; both sign for 24 hours, and the former private key is then forgotten (rules deliveries 35 and hooks 23)', async () => {
  const { deliver, organization, id, secret: old, publicKey: before } = await webhookWithKeyPair();
  const { secret } = await rotateWebhookSecret(core, organization, { id });
  const { public_key: after } = await getWebhookWithHealth(core, organization, id);
  expect(after).not.toBe(before);

  const during = await deliver();
  expect(during.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+ v1a,\S+ v1a,\S+$/);
  expect([isSignedBy(during, before), isSignedBy(during, after)]).toEqual([true, true]);
  expect([oracleAccepts(during, old), oracleAccepts(during, secret)]).toEqual([true, true]);

  clock.advance(24 * hour);
  const later = await deliver();
  expect([isSignedBy(later, before), isSignedBy(later, after)]).toEqual([false, true]);
  expect((await removeOld(core)).secrets).toBe(1);
  expect(await sql`select previous_signing_key from webhooks where id = ${id}`).toEqual([
    { previous_signing_key: null },
  ]);
});

test('asked for later the pair is made then and stays through other changes; given up, it is gone (rule hooks 23)', async () => {
  const { deliver, organization, id } = await webhookWithKeyPair(false);
  const change = async (changes: { asymmetric_signature?: boolean; name?: string }) =>
    (await updateManualWebhook(core, organization, { id, ...changes })).public_key;
  const first = await change({ asymmetric_signature: true });
  expect(isSignedBy(await deliver(), first)).toBe(true);
  expect(await change({ asymmetric_signature: true, name: 'Another' })).toBe(first);
  expect(await change({ name: 'A third' })).toBe(first);
  await rotateWebhookSecret(core, organization, { id });
  expect(await change({ asymmetric_signature: false })).toBeNull();
  expect((await deliver()).headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  expect(await sql`select signing_key, previous_signing_key from webhooks where id = ${id}`).toEqual([
    { signing_key: null, previous_signing_key: null },
  ]);
  expect(await change({ asymmetric_signature: true })).not.toBe(first);
});

test('what the guide for receivers has them run accepts what is signed, and nothing else', async () => {
  const guide = await readFile(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
  const code =
    [...guide.matchAll(/```js\n(.*?)```/gs)].find(([, each]) => each?.includes('whpk_'))?.[1] ?? '';
  const { isSigned } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const { deliver, organization, id, publicKey } = await webhookWithKeyPair();
  await rotateWebhookSecret(core, organization, { id });
  const { body, headers } = await deliver();
  const { public_key: after } = await getWebhookWithHealth(core, organization, id);
  expect([isSigned(body, headers, publicKey), isSigned(body, headers, after)]).toEqual([true, true]);
  expect(isSigned(`${body} `, headers, after)).toBe(false);
  expect(isSigned(body, headers, (await webhookWithKeyPair()).publicKey)).toBe(false);
});
