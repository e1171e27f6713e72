import { execFile } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@dealkeep/core/foundations';
import { testDatabase, WatchedLine } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import {
  beforeAllTests,
  dealkeep,
  type Ended,
  makeOrganization,
  oneLine,
  ownDatabase,
  ownFolder,
  program,
  result,
  startCommand,
  startReadyHere,
  usedData,
} from './program.ts';

let variables = { DATABASE_URL: '', SECRETS_KEY: '' };
let folder = '';
let file = '';
beforeAllTests(async () => {
  variables = await ownDatabase();
  await makeOrganization(variables);
  await result(['demo', 'seed', '--organization', 'own'], variables);
  // A start notes the key; what is encrypted is not asked for here.
  folder = await ownFolder();
  file = join(folder, 'own.backup');
  const made = await result<object>(['backup', file], variables);
  expect(made).toMatchObject({ environment: 'live', organizations: 1, rows: { leads: 40, companies: 24 } });
});

/** An empty database of the same key, whose role owns its tables. */
async function emptyDatabase(): Promise<typeof variables> {
  const { ownerUrl } = await testDatabase({ migrated: false });
  return { ...variables, DATABASE_URL: ownerUrl };
}

const choices = ['--keys', 'keep', '--webhooks', 'keep'];

/** The address of a database for a role of its own, which owns it and is no superuser. */
async function ordinary(ownerUrl: string): Promise<string> {
  const url = new URL(ownerUrl);
  const sql = connect(ownerUrl, { connections: 1, name: 'test' });
  const role = `role_${url.pathname.slice(1)}`;
  await sql.unsafe(`
    create role ${role} login password 'ordinary'; alter database ${url.pathname.slice(1)} owner to ${role};
    create extension btree_gist; create extension pg_trgm`);
  await sql.end();
  url.username = role;
  url.password = 'ordinary';
  return url.href;
}

/** Runs a command in a shell that does something around it. */
const inShell = (script: string, env: NodeJS.ProcessEnv): Promise<Ended> =>
  new Promise((resolve) => {
    const given = { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env } };
    execFile('sh', ['-c', script, 'sh', process.execPath, program], given, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

test('a backup is a file that only its owner reads, and nothing else is left beside it', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['own.backup']);
  const [first = ''] = (await readFile(file, 'latin1')).split('\n');
  expect(JSON.parse(first)).toMatchObject({ dealkeep_backup: 1, environment: 'live' });
  expect(await readFile(file, 'latin1')).not.toContain(variables.SECRETS_KEY);
});

test('a backup overwrites no file', async () => {
  const { code, stderr } = await dealkeep(['backup', file], variables);
  expect([code, stderr]).toEqual([1, `The file "${file}" is there already: name another one\n`]);
});

test('a backup into a folder that is not there names the folder', async () => {
  const none = join(folder, 'none');
  const { code, stderr } = await dealkeep(['backup', join(none, 'own.backup')], variables);
  expect([code, stderr]).toEqual([1, `The folder "${none}" is not there: make it, or name another one\n`]);
});

test('verify says what a backup holds, and refuses one that is cut with one line', async () => {
  const { code, stdout } = await dealkeep(['verify', file], variables);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^The backup is whole \(live, of .*1 organization, 40 leads, 24 companies.*\nSECRETS_KEY fits\.\n$/,
  );
  const cut = join(folder, 'cut.backup');
  await writeFile(cut, (await readFile(file)).subarray(0, -100));
  const refused = await dealkeep(['verify', cut], variables);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(oneLine);
  expect(refused.stderr).toContain('The backup is cut');
});

test('a restore says what it did and what comes next, and the queue is paused until it is resumed', async () => {
  const to = await emptyDatabase();
  const { code, stdout } = await dealkeep(['restore', file, ...choices], to);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Restored \(live, of /);
  expect(stdout).toContain('Nothing is sent, neither webhooks nor mails, until you say so');
  expect(stdout).toContain(
    'As at that time: 1 API key and 0 connected apps, also those that were ended since.',
  );
  expect(stdout).toContain(
    'Ended: the links of 0 invitations, which may have been accepted or withdrawn since.',
  );
  expect(stdout).toContain('As at that time: people and roles, also people who were deactivated since');
  expect(stdout).toContain('As at that time: 0 webhooks made in the console and 0 REST hooks, also those');
  const before = /discard --all --before (\S+)/.exec(stdout)?.[1] ?? '';
  expect(await result(['queue', 'status'], to)).toMatchObject({ deliveries: 'paused' });
  expect(await result(['queue', 'discard', '--all', '--before', before], to)).toMatchObject({
    deliveries: 0,
  });
  expect(await result(['queue', 'resume', '--all'], to)).toMatchObject({ deliveries: 'sending' });
  expect(await result(['organizations', 'list'], to)).toMatchObject([{ slug: 'own' }]);
});

test('a restore asks what becomes of keys and webhooks, and refuses a database with data by one line', async () => {
  const unasked = await dealkeep(['restore', file], variables);
  expect([unasked.code, unasked.stderr]).toEqual([
    64,
    expect.stringContaining("required option '--keys <what>'"),
  ]);
  const refused = await dealkeep(['restore', file, ...choices], variables);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(oneLine);
  expect(refused.stderr).toContain('The database is not empty: it holds data (the organization own)');
});

test('a backup goes through standard output and input', async () => {
  const to = await emptyDatabase();
  const script = `"$1" "$2" backup - | DATABASE_URL="$TO" "$1" "$2" restore - ${choices.join(' ')}`;
  const { code, stdout, stderr } = await inShell(script, { ...variables, TO: to.DATABASE_URL });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Restored/)]);
  expect(stderr).toMatch(/^Backed up/);
});

test('a backup for which there is no room says so in one line and leaves nothing', async () => {
  const full = join(folder, 'full.backup');
  // A quota of eight blocks; the signal that comes with it is not for this test.
  const script = `trap '' XFSZ; ulimit -f 8; "$1" "$2" backup ${full}`;
  const { code, stderr } = await inShell(script, { ...variables, XDG_CACHE_HOME: '/nonexistent' });
  expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  expect(stderr).toContain(`"${full}.part" is larger than`);
  expect(await readdir(folder)).not.toContain('full.backup.part');
  const device = await inShell('"$1" "$2" backup - > /dev/full', variables);
  expect([device.code, device.stderr]).toEqual([1, expect.stringContaining('standard output has no room')]);
});

test('the embedded database is backed up and restored into another folder, with its key', async () => {
  const { dataDir } = await usedData();
  const embedded = join(folder, 'embedded.backup');
  await result(['backup', embedded], { DATA_DIR: dataDir });
  const other = join(await ownFolder(), 'data');
  const without = await dealkeep(['restore', embedded, ...choices], { DATA_DIR: other });
  expect([without.code, without.stderr]).toEqual([
    1,
    expect.stringContaining('a key that SECRETS_KEY lacks'),
  ]);
  const key = (await readFile(join(dataDir, 'secrets-key'), 'utf8')).trim();
  const restored = { DATA_DIR: other, SECRETS_KEY: key };
  expect(await result(['restore', embedded, ...choices], restored)).toMatchObject({ deliveries: 'held' });
  const organizations = await result<{ slug: string }[]>(['organizations', 'list'], restored);
  expect(organizations).toEqual(await result(['organizations', 'list'], { DATA_DIR: dataDir }));
});

test('the embedded database moves to a server by an ordinary role, once nothing runs, and is paused where it was', async () => {
  const { dataDir } = await usedData();
  const { ownerUrl } = await testDatabase({ migrated: false });
  const to = await ordinary(ownerUrl);
  const running = await startReadyHere({ DATA_DIR: dataDir });
  const refused = await dealkeep(['move-to', to], { DATA_DIR: dataDir });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^Dealkeep runs on this database .*: stop it first\n$/),
  ]);
  await running.end('SIGTERM');
  const { code, stdout } = await dealkeep(['move-to', to], { DATA_DIR: dataDir });
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`what stands in ${join(dataDir, 'secrets-key')}`),
  ]);
  const moved = {
    DATABASE_URL: to,
    SECRETS_KEY: (await readFile(join(dataDir, 'secrets-key'), 'utf8')).trim(),
  };
  const here = { DATA_DIR: dataDir };
  expect(await result(['organizations', 'list'], moved)).toEqual(
    await result(['organizations', 'list'], here),
  );
  expect(await result(['queue', 'status'], moved)).toMatchObject({ deliveries: 'sending' });
  expect(await result(['queue', 'status'], here)).toMatchObject({ deliveries: 'paused' });
  const again = await dealkeep(['move-to', to], { DATA_DIR: dataDir });
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(/^The database is not empty.*: give a new database, .*\n$/),
  ]);
});

test.each([
  { state: 'asked', arrived: false, again: { organizations: 1 } },
  { state: 'answered', arrived: true, again: { finished: true } },
] as const)(
  'a move that is killed when its commit is $state leaves nothing that sends, and goes on when it is run again',
  async ({ state, arrived, again }) => {
    const here = await ownDatabase();
    await makeOrganization(here);
    const there = await emptyDatabase();
    const line = await WatchedLine.open(there.DATABASE_URL);
    const reached = line.stopAt(
      (instant) =>
        instant.statement === 'commit' &&
        instant.state === state &&
        instant.opening.includes('pg_current_xact_id'),
    );
    const moving = startCommand(['move-to', line.url], here);
    await reached;
    await moving.end('SIGKILL');
    const pause = { kind: 'all', reason: 'Moving to another database' };
    expect(await result(['queue', 'status'], here)).toMatchObject({ deliveries: 'paused', pauses: [pause] });
    expect(await result(['organizations', 'list'], there)).toHaveLength(arrived ? 1 : 0);
    expect(await result(['queue', 'status'], there)).toMatchObject({
      deliveries: arrived ? 'paused' : expect.not.stringContaining('paused'),
    });
    expect(await result(['move-to', there.DATABASE_URL], here)).toMatchObject(again);
    expect(await result(['organizations', 'list'], there)).toMatchObject([{ slug: 'own' }]);
    expect(await result(['queue', 'status'], here)).toMatchObject({ deliveries: 'paused' });
    expect(await result(['queue', 'status'], there)).toMatchObject({ deliveries: 'sending' });
  },
);
