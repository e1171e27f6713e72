import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, Secrets } from '@dealkeep/core/foundations';
import { type BackupPlan, ScheduledBackups, tryBackup, verifyBackup } from '@dealkeep/core/installation';
import { type TestDatabase, testDatabase } from '@dealkeep/testing';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readingBackup } from '../../src/installation/backup/backup-on-disk.ts';
import { backupName } from '../../src/installation/backup/scheduled/backup-folder.ts';
import { backupStatus } from '../../src/installation/backup/scheduled/backup-runs.ts';
import { isBackupDue, isTrialDue } from '../../src/installation/backup/scheduled/scheduled-backups.ts';
import { fillDatabase } from './filled.ts';

const night = '2027-01-31T01:07:00Z';
const hours = (count: number): number => count * 3_600_000;

let database: TestDatabase;
let folder: string;
let now: Date;
let said: string[];
beforeAll(async () => {
  database = await testDatabase();
  await fillDatabase(database);
  await database.sql`delete from secrets_keys`;
});
beforeEach(async () => {
  await database.sql`delete from backup_runs`;
  folder = await mkdtemp(join(tmpdir(), 'backups-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  now = new Date(night);
  said = [];
});

/** Without what tells two of one second apart. */
const plainName = (moment: Date): string => backupName(moment).replace(/-[0-9a-f]{6}(?=\.)/, '');

function scheduled(plan: Partial<BackupPlan> = {}, nameOf = plainName): ScheduledBackups {
  const tell = (_: object, sentence: string): void => void said.push(sentence);
  return new ScheduledBackups({
    plan: { folder, keep: 3, hour: 1, trial: 'weekly', version: '0.1.0', ...plan },
    databaseUrl: database.url,
    clock: { now: () => new Date(now) },
    log: { debug: tell, info: tell, warn: tell, error: tell },
    environment: 'live',
    secrets: new Secrets([Buffer.alloc(32, 7)]),
    nameOf,
  });
}

const standing = () => {
  const sql = connect(database.url, { connections: 1, name: 'test' });
  return backupStatus(sql).finally(() => sql.end());
};
function pass(ms: number): void {
  now = new Date(now.getTime() + ms);
}
const files = async (): Promise<string[]> => (await readdir(folder)).sort();

test('a backup is made each night, is whole, and its name says when', async () => {
  await scheduled().begin();
  expect(await files()).toEqual(['dealkeep-2027-01-31T010700Z.backup']);
  const file = join(folder, 'dealkeep-2027-01-31T010700Z.backup');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readingBackup(file, verifyBackup)).header).toMatchObject({
    environment: 'live',
    version: '0.1.0',
  });
  pass(hours(23));
  await scheduled().begin();
  expect(await files()).toHaveLength(1);
  pass(hours(1));
  await scheduled().begin();
  expect(await files()).toHaveLength(2);
});

test('the newest are kept, and no file that was not made here is removed', async () => {
  const others = [
    'dealkeep-2020-01-01T000000Z.backup',
    'dealkeep-2020-01-01T000000Z.backup.part',
    'notes.txt',
  ];
  for (const name of others) await writeFile(join(folder, name), 'theirs');
  const nights = scheduled({ keep: 2, trial: 'never' });
  for (let day = 0; day < 4; day += 1, pass(hours(24))) await nights.begin();
  expect(await files()).toEqual([
    ...others.slice(0, 2),
    'dealkeep-2027-02-02T010700Z.backup',
    'dealkeep-2027-02-03T010700Z.backup',
    'notes.txt',
  ]);
});

test('two installations that share a folder and begin in the same second make a backup each', async () => {
  await scheduled({ trial: 'never' }, backupName).begin();
  // What another installation does, which knows nothing of the runs of this one.
  await database.sql`delete from backup_runs`;
  await scheduled({ trial: 'never' }, backupName).begin();
  const made = await files();
  expect(made).toHaveLength(2);
  for (const name of made) expect(name).toMatch(/^dealkeep-2027-01-31T010700Z-[0-9a-f]{6}\.backup$/);
  expect((await standing()).backup.last?.failure).toBe(null);
});

test('of two workers at once one makes the backup', async () => {
  await Promise.all([scheduled(), scheduled(), scheduled()].map((each) => each.begin()));
  expect(await files()).toHaveLength(1);
  expect(await database.sql`select kind from backup_runs where kind = 'backup'`).toHaveLength(1);
});

test('each week the newest backup is restored on trial, into tables that are gone afterwards', async () => {
  const weekly = scheduled({ keep: 20 });
  for (let day = 0; day < 8; day += 1, pass(hours(24))) await weekly.begin();
  const trials = await database.sql`
    select file, failure, rows > 100 as counted from backup_runs where kind = 'trial' order by id`;
  expect(trials).toEqual([
    { file: 'dealkeep-2027-01-31T010700Z.backup', failure: null, counted: true },
    { file: 'dealkeep-2027-02-07T010700Z.backup', failure: null, counted: true },
  ]);
  const left = await database.sql`select relname from pg_class where relpersistence = 't' and relkind = 'r'`;
  expect(left).toEqual([]);
});

test('a backup that its trial finds bad is told, the next night tries again, and the last good one stays', async () => {
  const weekly = scheduled({ keep: 1 });
  await weekly.begin();
  pass(hours(7 * 24));
  // What no check of a file sees: a row that the database would not take again.
  const [activity] = await database.sql<
    { id: string; type_id: string }[]
  >`select id, type_id from activities limit 1`;
  const point = (type: string) =>
    database.sql.begin(async (tx) => {
      // Where it stands on another server of a Citus, on that one; elsewhere it says nothing.
      await tx`set local citus.propagate_set_commands = 'local'`;
      await tx`set local session_replication_role = replica`;
      await tx`update activities set type_id = ${type} where id = ${activity?.id ?? ''}`;
    });
  await point(randomUUID());
  onTestFinished(() => point(activity?.type_id ?? ''));
  await weekly.begin();
  expect((await standing()).trial.last?.failure).toMatch(/foreign key/);
  expect(await files()).toEqual(['dealkeep-2027-01-31T010700Z.backup', 'dealkeep-2027-02-07T010700Z.backup']);
  pass(hours(24));
  await weekly.begin();
  expect(await files()).toEqual(['dealkeep-2027-01-31T010700Z.backup', 'dealkeep-2027-02-08T010700Z.backup']);
  expect(said).toContain('The trial of a backup has failed');
});

test('a night without room keeps what there is, says so, and is made up for within the hour', async () => {
  await scheduled().begin();
  const kept = await files();
  pass(hours(24));
  // A folder in place of the file that is written: the system refuses it as it refuses a full disk.
  await mkdir(join(folder, 'dealkeep-2027-02-01T010700Z.backup.part'));
  await scheduled({ keep: 1 }).begin();
  expect((await standing()).backup).toMatchObject({
    last: { failure: expect.stringContaining('is there: another backup writes it') },
    good: { file: kept[0] },
  });
  expect(await files()).toEqual([...kept, 'dealkeep-2027-02-01T010700Z.backup.part']);
  pass(hours(1));
  await scheduled().begin();
  expect(await files()).toContain('dealkeep-2027-02-01T020700Z.backup');
  expect((await standing()).backup.last?.failure).toBe(null);
});

test('a folder that is not there is named, and nothing is made elsewhere', async () => {
  await scheduled({ folder: join(folder, 'mount') }).begin();
  expect((await standing()).backup).toMatchObject({
    last: { failure: expect.stringMatching(/^BACKUP_DIR \(".*mount"\) is not there/) },
    good: null,
  });
  expect(await files()).toEqual([]);
});

test('a run that died is told, and what it left is removed and was never taken for a backup', async () => {
  const left = 'dealkeep-2027-01-31T000700Z.backup';
  await database.sql`
    insert into backup_runs (kind, file, host, started_at) values ('backup', ${left}, 'a', '2027-01-31T00:07:00Z')`;
  await writeFile(join(folder, `${left}.part`), 'cut');
  await scheduled().begin();
  expect(await files()).toEqual(['dealkeep-2027-01-31T010700Z.backup']);
  expect(await database.sql`select failure from backup_runs where file = ${left}`).toEqual([
    { failure: 'Its process ended before it did' },
  ]);
});

test('a worker that stops gives its backup up at once, and leaves and notes nothing', async () => {
  const stopped = scheduled();
  await database.sql.begin(async (tx) => {
    await tx`lock table tasks in access exclusive mode`;
    const over = stopped.begin();
    await expect
      .poll(
        () => database.sql`
        select from pg_stat_activity
        where application_name = 'dealkeep backup' and wait_event_type = 'Lock' and datname = current_database()`,
      )
      .toHaveLength(1);
    await stopped.stop();
    await over;
  });
  expect(await files()).toEqual([]);
  expect(await database.sql`select from backup_runs`).toHaveLength(0);
});

test('a clock that jumps a day forward, and back, makes a backup each time, and removes none for its time', async () => {
  const jumping = scheduled({ keep: 2, trial: 'never' });
  await jumping.begin();
  pass(hours(24));
  await jumping.begin();
  pass(hours(-24) + 60_000);
  await jumping.begin();
  // Not a second time, although one is of a time to come.
  await jumping.begin();
  expect(await files()).toEqual(
    [
      'dealkeep-2027-01-31T010700Z.backup',
      'dealkeep-2027-01-31T010800Z.backup',
      'dealkeep-2027-02-01T010700Z.backup',
    ].slice(1),
  );
});

test('a backup is due once its hour has passed, however long nobody looked', () => {
  const due = (at: string, last?: string) => isBackupDue(new Date(at), 1, last);
  expect(due('2027-01-31T12:00:00Z')).toBe(true);
  expect(due('2027-01-31T00:59:00Z', '2027-01-30T01:07:00Z')).toBe(false);
  expect(due('2027-01-31T01:00:00Z', '2027-01-30T01:07:00Z')).toBe(true);
  expect(due('2027-01-31T23:00:00Z', '2027-01-30T01:07:00Z')).toBe(true);
  expect(due('2027-01-31T23:00:00Z', '2027-01-31T01:00:00Z')).toBe(false);
  expect(isTrialDue(new Date('2027-02-07T01:07:00Z'), '2027-01-31T01:08:00Z')).toBe(true);
  expect(isTrialDue(new Date('2027-02-06T01:07:00Z'), '2027-01-31T01:08:00Z')).toBe(false);
});

test('a trial is left out where it would take too much, and where temporary tables are refused', async () => {
  const file = join(folder, 'dealkeep-2027-01-31T010700Z.backup');
  await scheduled({ trial: 'never' }).begin();
  const options = { environment: 'live', fingerprints: [] } as const;
  const tried = (more: object = {}) =>
    readingBackup(file, (source) => tryBackup(database.url, source, { ...options, ...more }));
  expect((await tried()).rows).toBeGreaterThan(100);
  await expect(tried({ mostBytes: 1000 })).rejects.toThrow('too large to be tried beside what runs');
  const name = new URL(database.url).pathname.slice(1);
  await database.sql.unsafe(`revoke temporary on database "${name}" from public`);
  onTestFinished(
    async () => void (await database.sql.unsafe(`grant temporary on database "${name}" to public`)),
  );
  await expect(tried()).rejects.toThrow(/grant temporary on database/);
});
