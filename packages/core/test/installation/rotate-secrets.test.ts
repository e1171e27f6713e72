import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import {
  createManualWebhook,
  rotateWebhookSecret,
  startDealkeep,
  type TestOrganization,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';
import type { Database } from '../../src/database/connect.ts';
import { encryptedColumns, encryptedValues } from '../../src/installation/encrypted-values.ts';
import { enterInstallation } from '../../src/installation/installation.ts';
import { forgetLostKeys, rotateSecrets } from '../../src/installation/rotate-secrets.ts';
import { knownKeys } from '../../src/installation/secrets-keys.ts';
import { placeOfTokenAnswer } from '../../src/oauth/tokens.ts';
import { newSecretsKey, parseSecretsKey, type Secrets } from '../../src/secrets.ts';
import { placeOfSecret } from '../../src/webhooks/signing-keys.ts';

const [old, fresh] = [newSecretsKey(), newSecretsKey()];
const both = parseSecretsKey(`${fresh},${old}`);

const processOf = (id: string) => ({
  id,
  roles: ['api'],
  host: 'one',
  version: '1',
  deliveriesHeld: false,
  connections: 1,
});

/** An installation under the old key with something in every encrypted column. */
async function underOldKey() {
  const secrets = parseSecretsKey(old);
  const dealkeep = await startDealkeep({ worker: false, secrets });
  const { core, sql } = dealkeep;
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const id = randomUUID();
  await enterInstallation(sql, { environment: 'live', secrets, process: processOf(id) });
  const target_url = 'http://127.0.0.1:9/';
  const events = ['lead.created'];
  const header = { 'Idempotency-Key': 'once' };
  const body = { target_url, events };
  const created = await api.with(header).post('/webhooks', body);
  const hook = await createManualWebhook(core, organization, {
    name: 'By hand',
    target_url,
    events,
    headers: [{ name: 'Authorization', value: 'Bearer of the receiver' }],
    asymmetric_signature: true,
  });
  await rotateWebhookSecret(core, organization, { id: hook.id });
  await storeTokenAnswer(sql, organization, secrets);
  const leave = () => sql`delete from processes where id = ${id}`;
  return { dealkeep, sql, organization, hook, created, leave, header, body };
}

/** As the exchange of a refresh token leaves it for a minute. */
async function storeTokenAnswer(sql: Database, organization: TestOrganization, secrets: Secrets) {
  const hash = randomBytes(32);
  const connection = randomUUID();
  await sql`
    insert into oauth_apps (client_id, name, secret_hash, redirect_uris, scopes, created_at)
    values (${connection}, 'App', ${hash}, '{}', '{}', now())`;
  await sql`
    insert into oauth_connections (organization_id, id, client_id, user_id, scopes, created_at, last_used_at)
    values (${organization.id}, ${connection}, ${connection}, ${organization.ownerId}, '{}', now(), now())`;
  await sql`
    insert into oauth_refresh_tokens (token_hash, organization_id, connection_id, created_at, rotated_at, answer)
    values (${hash}, ${organization.id}, ${connection}, now(), now(),
            ${secrets.encrypt('{}', placeOfTokenAnswer(hash))})`;
}

/** How many values a key opens where they stand, of all there are. */
async function opened(sql: Database, secrets: Secrets) {
  let [readable, all] = [0, 0];
  for (const column of encryptedColumns) {
    for await (const { place, sealed } of encryptedValues(sql, column)) {
      all += 1;
      if (secrets.canDecrypt(sealed, place)) readable += 1;
    }
  }
  return { readable, all };
}

test('a rotation encrypts everything anew under the first key and retires the others', async () => {
  const { sql, leave, organization, hook } = await underOldKey();
  await leave();
  expect(await opened(sql, parseSecretsKey(old))).toEqual({ readable: 8, all: 8 });
  expect(await knownKeys(sql)).toEqual([parseSecretsKey(old).fingerprint]);

  const rotation = await rotateSecrets(sql, both);
  expect(rotation).toMatchObject({
    key: both.fingerprint,
    encrypted_anew: { webhooks: 6, stored_answers: 1, token_answers: 1 },
    unreadable: 0,
    retired: [parseSecretsKey(old).fingerprint],
    in_use: [],
  });
  expect(await opened(sql, parseSecretsKey(fresh))).toEqual({ readable: 8, all: 8 });
  expect(await knownKeys(sql)).toEqual([both.fingerprint]);
  // The old key may go now, and with it nothing is lost.
  const entered = await enterInstallation(sql, {
    environment: 'live',
    secrets: parseSecretsKey(fresh),
    process: processOf(randomUUID()),
  });
  const [row] = await sql<{ secret: Uint8Array }[]>`select secret from webhooks where id = ${hook.id}`;
  const place = placeOfSecret({ organization_id: organization.id, id: hook.id });
  expect(entered.decrypt(row?.secret ?? Buffer.alloc(0), place)).toMatch(/^whsec_/);
});

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

test('nothing is encrypted anew while a process runs that may not have the new key: it is said which', async () => {
  const { sql, leave } = await underOldKey();
  const rotation = await rotateSecrets(sql, both);
  const key = parseSecretsKey(old).fingerprint;
  expect(rotation).toEqual({
    key: both.fingerprint,
    encrypted_anew: { webhooks: 0, stored_answers: 0, token_answers: 0 },
    unreadable: 0,
    retired: [],
    in_use: [{ key, processes: [{ host: 'one', roles: ['api'] }] }],
  });
  // It goes on to read everything, and may be started again as it is.
  expect(await opened(sql, parseSecretsKey(old))).toEqual({ readable: 8, all: 8 });
  expect(await knownKeys(sql)).toEqual([key]);
  await leave();
  expect(await rotateSecrets(sql, both)).toMatchObject({ retired: [key], in_use: [] });
});

test('requests are answered, repeated and signed alike while everything is encrypted anew', async () => {
  const { dealkeep, sql, organization, created, leave, header, body } = await underOldKey();
  await leave();
  await rotateSecrets(sql, both);
  Object.assign(dealkeep.core, { secrets: both });
  const again = await dealkeep.as(organization.key).with(header).post('/webhooks', body);
  expect(again.data).toEqual(created.data);
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

test('every encrypted column is among those that a rotation knows', async () => {
  const { sql } = await underOldKey();
  const rows = await sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name !~ '_hash$' and column_name <> 'fingerprint'
    order by 1`;
  const places = new Set<string>();
  for (const column of encryptedColumns) {
    for await (const { place } of encryptedValues(sql, column)) places.add(`${place.table}.${place.column}`);
  }
  expect([...places].sort()).toEqual(rows.map(({ name }) => name));
});
