import { verifyBackup } from '@dealkeep/core/installation';
import { type TestDatabase, testDatabase } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';
import {
  backupOf,
  emptyDatabase,
  fillDatabase,
  inPieces,
  isEmpty,
  refusal,
  restoreInto,
  schemaOf,
  tableSums,
  without,
} from './filled.ts';

let original: TestDatabase;
let bytes: Buffer;
let empty: TestDatabase;
beforeAll(async () => {
  original = await testDatabase();
  await fillDatabase(original);
  bytes = await backupOf(original);
  empty = await emptyDatabase();
});

/** What a restore changes on purpose. */
const settled = ['audit_entries', 'console_sessions', 'deliveries', 'installation'];

test('every row comes back as it was, and indexes and foreign keys are as migrations make them (rules operator 36 and 37)', async () => {
  const to = await emptyDatabase();
  const schema = await schemaOf(to.sql);
  await restoreInto(to, bytes);
  const changed = [...settled, 'workers'];
  expect(without(await tableSums(to.sql), changed)).toEqual(without(await tableSums(original.sql), changed));
  expect(await schemaOf(to.sql)).toEqual(schema);
  const [sequence] = await to.sql`select nextval('worker_ids')::integer as next`;
  expect(sequence).toEqual({ next: 3 });
});

test('nothing of a restored backup is sent until an operator says so, and nobody is signed in (rule operator 38)', async () => {
  const to = await emptyDatabase();
  const { settled } = await restoreInto(to, bytes);
  expect(settled).toMatchObject({
    deliveries: 'held',
    waiting: { deliveries: 4, held_events: 0, mails: 1 },
    sessions_ended: 1,
    keys: { state: 'keep', keys: 1, connections: 0, rest_hooks: 1 },
    webhooks: { state: 'keep', count: 1 },
  });
  const [installation] = await to.sql`
    select deliveries_paused_at is not null as paused, deliveries_paused_reason as reason from installation`;
  expect(installation).toMatchObject({
    paused: true,
    reason: expect.stringContaining('Restored from a backup of'),
  });
  expect(await to.sql`select from console_sessions`).toHaveLength(0);
  expect(await to.sql`select from deliveries where worker_id is not null`).toHaveLength(0);
  expect(await to.sql`select from api_keys where revoked_at is null`).toHaveLength(1);
  expect(await to.sql`select from audit_entries where operation = 'backups.restore'`).toHaveLength(1);
});

test('a backup that is cut is recognised wherever it was cut, and nothing of it is restored (rules operator 36 and 37)', async () => {
  const first = bytes.indexOf('\n') + 1;
  const ends = [10, first - 2, first, first + 5, Math.floor(bytes.length / 2), bytes.length - 1];
  for (const end of ends) {
    expect(await refusal(verifyBackup(inPieces(bytes.subarray(0, end)))), `at ${end}`).toContain(
      'is cut: its end is missing',
    );
  }
  for (const end of [first + 5, Math.floor(bytes.length * 0.9), bytes.length - 1]) {
    expect(await refusal(restoreInto(empty, bytes.subarray(0, end)))).toContain('is cut');
    expect(await isEmpty(empty)).toBe(true);
  }
});

test('a key that is missing is named by its fingerprint, and can be given up (rule operator 37)', async () => {
  const said = await refusal(restoreInto(empty, bytes, { fingerprints: ['8899'] }));
  expect(said).toContain('a key that SECRETS_KEY lacks (fingerprint 0011223344556677; here is 8899)');
  const to = await emptyDatabase();
  await restoreInto(to, bytes, { fingerprints: undefined });
  expect(await isEmpty(to)).toBe(false);
});

test('a database that holds anything is refused, and stays as it is (rule operator 37)', async () => {
  expect(await refusal(restoreInto(original, bytes))).toContain('it holds data (the organization own)');
  const other = await testDatabase({ migrated: false });
  await other.sql`create table theirs (id integer)`;
  expect(await refusal(restoreInto(other, bytes))).toContain('it has tables of something else (theirs)');
  const running = await emptyDatabase();
  await running.sql`
    insert into processes (id, roles, host, version, secrets_key, deliveries_held, connections)
    values (gen_random_uuid(), '{api}', 'one', '1', 'k', false, 1)`;
  expect(await refusal(restoreInto(running, bytes))).toBe(
    'Dealkeep runs on this database (api on one): stop it first',
  );
});
