import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { placeOfSecret } from '../../src/delivering/webhooks/signing-keys.ts';
import { parseSecretsKey } from '../../src/foundations/secrets.ts';
import { encryptedColumns, encryptedValues } from '../../src/installation/installation/encrypted-values.ts';
import { enterInstallation } from '../../src/installation/installation/installation.ts';
import { rotateSecrets } from '../../src/installation/installation/rotate-secrets.ts';
import { knownKeys } from '../../src/installation/installation/secrets-keys.ts';
import { both, fresh, old, opened, processOf, underOldKey } from './under-old-key.ts';

test('a rotation encrypts everything anew under the first key and retires the others (rule operator 15)', async () => {
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

test('nothing is encrypted anew while a process runs that may not have the new key: it is said which (rule operator 15)', async () => {
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
