import { PassThrough } from 'node:stream';
import { zstdCompressSync } from 'node:zlib';
import { systemClock as clock, connect, OperatorError } from '@dealkeep/core/foundations';
import { takeBackup, verifyBackup } from '@dealkeep/core/installation';
import { type Instant, type TestDatabase, testDatabase, WatchedLine } from '@dealkeep/testing';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { requireOneMoment } from '../../src/installation/backup/take-backup.ts';
import { backupOf, emptyDatabase, fillDatabase, inPieces, isEmpty, refusal, restoreInto } from './filled.ts';

let original: TestDatabase;
let bytes: Buffer;
let empty: TestDatabase;
beforeAll(async () => {
  original = await testDatabase();
  await fillDatabase(original);
  bytes = await backupOf(original);
  empty = await emptyDatabase();
});

/** The backup with another first line, as another version would have made it. */
function withHeader(changes: object): Buffer {
  const end = bytes.indexOf('\n');
  const header = { ...JSON.parse(bytes.subarray(0, end).toString()), ...changes };
  return Buffer.concat([Buffer.from(JSON.stringify(header)), bytes.subarray(end)]);
}

test('a backup in which a single byte was changed is refused wherever that changes what it holds', async () => {
  const first = bytes.indexOf('\n') + 1;
  const whole = await verifyBackup(inPieces(bytes));
  const unused: number[] = [];
  for (let at = first; at < bytes.length; at += Math.floor(bytes.length / 40)) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    const read = await verifyBackup(inPieces(changed)).catch((error: unknown) => error);
    if (read instanceof OperatorError) expect(read.sentence, `at ${at}`).toMatch(/is (damaged|cut)/);
    else {
      // Four of zstd's 26,000 bytes have no use for this bit (one: RFC 8878, 3.1.1.1.1.3): all is read as it was
      // written.
      expect(read, `at ${at}`).toEqual(whole);
      unused.push(at);
    }
  }
  expect(unused.length).toBeLessThan(3);
  expect(await refusal(verifyBackup(inPieces(withHeader({ version: '9' }))))).toContain(
    'its first line was changed',
  );
});

test('another kind of file is refused by its first bytes', async () => {
  for (const other of [
    '',
    'PGDMP\u0001',
    '{"a":1}\n',
    'x'.repeat(10_000),
    zstdCompressSync('x').toString('latin1'),
  ]) {
    const said = await refusal(verifyBackup(inPieces(Buffer.from(other, 'latin1'))));
    expect(said).toContain('is not one that Dealkeep has made');
  }
});

test('a backup of a newer form or version is refused, with the version that reads it', async () => {
  expect(await refusal(verifyBackup(inPieces(withHeader({ dealkeep_backup: 2, version: '3.0.0' }))))).toBe(
    'The backup was made in a newer form (2) by Dealkeep 3.0.0: use that version of Dealkeep',
  );
  const { migrations } = JSON.parse(bytes.subarray(0, bytes.indexOf('\n')).toString());
  const newer = withHeader({ version: '3.0.0', migrations: [...migrations, '9999-later.sql'] });
  expect(await refusal(restoreInto(empty, newer))).toBe(
    'The backup was made by a newer version (Dealkeep 3.0.0; 9999-later.sql is not known here): restore it with that version',
  );
  const other = withHeader({ migrations: migrations.slice(1) });
  expect(await refusal(restoreInto(empty, other))).toContain('was made by another line of versions');
});

test('another environment is refused unless the operator says that it is to change (rule operator 37)', async () => {
  expect(await refusal(restoreInto(empty, bytes, { environment: 'test' }))).toContain(
    'is of a live environment, and ENVIRONMENT is test here',
  );
  const to = await emptyDatabase();
  await restoreInto(to, bytes, { environment: 'test', changeEnvironment: true });
  expect(await to.sql`select environment from installation`).toMatchObject([{ environment: 'test' }]);
});

test('an empty database of a newer version than the backup is refused', async () => {
  const { migrations } = JSON.parse(bytes.subarray(0, bytes.indexOf('\n')).toString());
  const older = withHeader({ migrations: migrations.slice(0, -1) });
  expect(await refusal(restoreInto(empty, older))).toContain(
    `The database is empty, but newer than the backup (${migrations.at(-1)}): make it anew`,
  );
});

test('a database of several servers is backed up only while nothing runs', async () => {
  const database = await emptyDatabase();
  const sql = connect(database.url, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end());
  await requireOneMoment(sql, { distributed: true });
  await database.sql`
    insert into processes (id, roles, host, version, secrets_key, deliveries_held, connections)
    values (gen_random_uuid(), '{api,worker}', 'one', '1', 'k', false, 1)`;
  expect(await refusal(requireOneMoment(sql, { distributed: true }))).toBe(
    'The database is distributed over several servers, which have no moment in common while Dealkeep runs (api,worker on one): stop it, then make the backup',
  );
  await requireOneMoment(sql, { distributed: false });
});

test('a database without Dealkeep has nothing to back up', async () => {
  const { ownerUrl } = await testDatabase({ migrated: false });
  const said = await refusal(takeBackup({ url: ownerUrl, version: '1', clock }, new PassThrough()));
  expect(said).toBe('The database is empty: there is nothing to back up');
});

/** Waits until a connection of this name waits for a lock, then ends it as a broken network does. */
async function cutOff({ sql }: TestDatabase, name: string): Promise<void> {
  await expect
    .poll(
      () => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${name} and wait_event_type = 'Lock' and datname = current_database()`,
    )
    .toHaveLength(1);
}

test('a connection that is lost in the middle ends a backup and a restore with the cause, and leaves nothing', async () => {
  const out = new PassThrough().on('error', () => {});
  out.resume();
  await original.sql.begin(async (tx) => {
    await tx`lock table tasks in access exclusive mode`;
    const said = refusal(takeBackup({ url: original.url, version: '1', clock }, out));
    await cutOff(original, 'dealkeep backup');
    expect(await said).toMatch(
      /^The connection to the database was lost .*: there is no backup; run this again when/,
    );
  });
  expect(out.destroyed).toBe(true);
  await empty.sql.begin(async (tx) => {
    await tx`lock table tags in share mode`;
    const said = refusal(restoreInto(empty, bytes));
    await cutOff(empty, 'dealkeep restore');
    expect(await said).toMatch(/^The connection to the database was lost .*: nothing was restored/);
  });
  expect(await isEmpty(empty)).toBe(true);
});

const waiting = ({ sql }: TestDatabase) => sql`
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

test('of two restores into one empty database one succeeds, and the other refuses and leaves what the first has brought', async () => {
  const to = await emptyDatabase();
  const both = await Promise.allSettled([restoreInto(to, bytes), restoreInto(to, bytes)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const lost = both.find((each) => each.status === 'rejected');
  expect(lost?.reason).toMatchObject({
    sentence: expect.stringMatching(/^The database is not empty: |^Another restore/),
  });
  expect(await isEmpty(to)).toBe(false);
});

test('what is made in an empty database while a restore begins is found before anything is filled', async () => {
  const to = await emptyDatabase();
  let said: Promise<string> | undefined;
  await to.sql.begin(async (tx) => {
    await tx`lock table organizations in share row exclusive mode`;
    said = refusal(restoreInto(to, bytes));
    await expect.poll(() => waiting(to)).toHaveLength(1);
    await tx`
      insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
      values (gen_random_uuid(), 'First', 'first', 'SK', 'EUR', 'Europe/Bratislava', 1, 1, now())`;
  });
  expect(await said).toContain('it holds data (the organization first)');
  expect(await to.sql`select slug from organizations`).toMatchObject([{ slug: 'first' }]);
});

test('a restore whose commit is not answered says what the database holds', async () => {
  const to = await emptyDatabase();
  const line = await WatchedLine.open(to.ownerUrl);
  const isCommit = (state: 'asked' | 'answered') => (instant: Instant) =>
    instant.statement === 'commit' &&
    instant.state === state &&
    instant.opening.includes('pg_current_xact_id');
  const before = line.stopAt(isCommit('asked'));
  const said = refusal(restoreInto({ ownerUrl: line.url }, bytes));
  (await before).cut();
  expect(await said).toMatch(/^The connection to the database was lost .*: nothing was restored/);
  expect(await isEmpty(to)).toBe(true);
  const after = line.stopAt(isCommit('answered'));
  const restored = restoreInto({ ownerUrl: line.url }, bytes);
  (await after).cut();
  expect((await restored).settled).toMatchObject({ deliveries: 'held', sessions_ended: 1 });
  expect(await isEmpty(to)).toBe(false);
});

test('a disk of the database that is full leaves the database as empty as before', async () => {
  await empty.sql`
    create function full_disk() returns trigger language plpgsql as $$
    begin raise 'could not extend file' using errcode = 'disk_full'; end $$`;
  await empty.sql`create trigger full_disk before insert on leads execute function full_disk()`;
  const said = await refusal(restoreInto(empty, bytes));
  expect(said).toMatch(/^The disk of the database is full \(could not extend file\): nothing was restored/);
  await empty.sql`drop trigger full_disk on leads`;
  expect(await isEmpty(empty)).toBe(true);
  await restoreInto(empty, bytes);
});
