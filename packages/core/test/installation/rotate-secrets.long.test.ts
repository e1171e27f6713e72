import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { rotateWebhookSecret } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { placeOfSecret } from '../../src/delivering/webhooks/signing-keys.ts';
import { parseSecretsKey, type Secrets } from '../../src/foundations/secrets.ts';
import { enterInstallation } from '../../src/installation/installation/installation.ts';
import { forgetLostKeys, rotateSecrets } from '../../src/installation/installation/rotate-secrets.ts';
import { both, fresh, old, opened, processOf, underOldKey } from './under-old-key.ts';

test('a rotation again, and three at once, lose nothing and find nothing more to do', async () => {
  const { sql, leave } = await underOldKey();
  await leave();
  const rotations = await Promise.all([1, 2, 3].map(() => rotateSecrets(sql, both)));
  const webhooks = rotations.reduce((sum, { encrypted_anew }) => sum + encrypted_anew.webhooks, 0);
  expect(webhooks).toBe(6);
  expect(await opened(sql, parseSecretsKey(fresh))).toEqual({ readable: 8, all: 8 });
  expect(await rotateSecrets(sql, both)).toMatchObject({
    encrypted_anew: { webhooks: 0, stored_answers: 0, token_answers: 0 },
    retired: [],
  });
});

test('the former form, which was bound to no place, is read until a rotation, and not any more after it', async () => {
  const { sql, leave, organization, hook } = await underOldKey();
  await leave();
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(old, 'base64'), iv);
  const text = Buffer.concat([cipher.update('whsec_former', 'utf8'), cipher.final()]);
  const former = Buffer.concat([iv, cipher.getAuthTag(), text]);
  await sql`update webhooks set secret = ${former} where id = ${hook.id}`;
  // As on a database that is older than this.
  await sql`delete from secrets_keys`;
  await sql`update installation set secrets_bound_at = null`;
  const enter = (secrets: Secrets) =>
    enterInstallation(sql, { environment: 'live', secrets, process: processOf(randomUUID()) });
  const place = placeOfSecret({ organization_id: organization.id, id: hook.id });
  expect((await enter(parseSecretsKey(old))).decrypt(former, place)).toBe('whsec_former');

  await sql`delete from processes`;
  expect((await rotateSecrets(sql, both)).retired).toHaveLength(1);
  const [row] = await sql<{ secret: Uint8Array }[]>`select secret from webhooks where id = ${hook.id}`;
  const entered = await enter(parseSecretsKey(`${fresh},${old}`));
  expect(entered.decrypt(row?.secret ?? Buffer.alloc(0), place)).toBe('whsec_former');
  expect(entered.canDecrypt(former, place), 'what is put in from elsewhere').toBe(false);
});

test('keys that are lost can be forgotten: the rest goes on, and a new secret mends a webhook', async () => {
  const { dealkeep, sql, organization, hook } = await underOldKey();
  const lost = parseSecretsKey(fresh);
  const enter = () =>
    enterInstallation(sql, { environment: 'live', secrets: lost, process: processOf(randomUUID()) });
  await expect(enter()).rejects.toThrow(`SECRETS_KEY lacks a key`);
  await expect(rotateSecrets(sql, lost)).rejects.toThrow('SECRETS_KEY lacks a key');
  expect(await forgetLostKeys(sql, lost)).toEqual({
    forgotten: [parseSecretsKey(old).fingerprint],
    unreadable: 6,
  });
  Object.assign(dealkeep.core, { secrets: await enter() });
  const renewed = await rotateWebhookSecret(dealkeep.core, organization, { id: hook.id });
  expect(renewed).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previous_secret_until: null });
});
