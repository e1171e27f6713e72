import { beforeAll, describe, expect, test } from 'vitest';
import { dealkeep, dealkeepProcess, oneLine, ownDatabase, result } from './program.ts';

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
let variables: Record<string, string> = {};

beforeAll(async () => {
  variables = await ownDatabase();
});

const run = (...args: string[]) => dealkeep(args, variables);
const json = <Result = unknown>(...args: string[]) => result<Result>(args, variables);

test('an operator makes an organization, its people, a role and keys (rules operator 27 and 29)', async () => {
  const name = `Žltý kôň "U Ďura" & 'synovia' s. r. o.`;
  const slug = 'zlty-kon';
  const make = [
    'organizations',
    'create',
    '--name',
    name,
    '--slug',
    slug,
    '--country',
    'CZ',
    '--currency',
    'CZK',
  ];
  expect(await json(...make, '--time-zone', 'Europe/Prague')).toEqual({ id: uuid, slug });
  expect(await json('organizations', 'list')).toEqual([
    expect.objectContaining({ name, slug, country_code: 'CZ', currency: 'CZK', time_zone: 'Europe/Prague' }),
  ]);

  const role = ['--name', 'Predajca', '--permissions', 'leads.view=all,leads.edit=assigned'];
  expect(await json('roles', 'create', '--organization', slug, ...role)).toEqual({
    id: uuid,
    name: 'Predajca',
  });

  const user = ['users', 'create', '--organization', slug, '--password', '-heslo s medzerou'];
  const owner = ['--name', 'Ľubomír Šťastný', '--email', 'Lubo@Kon.example', '--role', 'owner'];
  expect(await json(...user, ...owner)).toEqual({ id: uuid, email: 'Lubo@Kon.example' });
  const seller = ['--name', 'Eva', '--email', 'eva@kon.example', '--role', 'Predajca'];
  expect(await json(...user, ...seller)).toEqual({ id: uuid, email: 'eva@kon.example' });
  expect(
    await json('users', 'update', 'EVA@kon.example', '--active', 'false', '--role', 'owner'),
  ).toMatchObject({
    email: 'eva@kon.example',
    active: false,
    role: 'owner',
    language: null,
  });
  expect(await json('users', 'update', 'eva@kon.example', '--language', 'sk')).toMatchObject({
    language: 'sk',
  });

  const key = ['keys', 'create', '--organization', slug];
  const created = await Promise.all([
    json<{ id: string; token: string }>(...key, '--name', 'All', '--preset', 'automation'),
    json(...key, '--name', 'Some', '--scopes', 'leads:read, companies:read', '--user', 'lubo@kon.example'),
    json(...key, '--name', 'Old', '--legacy', '--expires-at', '2099-12-31T23:59:59+01:00'),
  ]);
  for (const each of created) {
    expect(each).toEqual({ id: uuid, token: expect.stringMatching(/^dk_live_[0-9A-Za-z]{43}$/) });
  }
  expect(await json('keys', 'revoke', created[0].id)).toMatchObject({ name: 'All', revoked_at: moment });
  const keys = await json<{ name: string }[]>('keys', 'list', '--organization', slug);
  expect(keys.sort((a, b) => a.name.localeCompare(b.name))).toMatchObject([
    { name: 'All', owner: 'Lubo@Kon.example', revoked_at: moment, expires_at: null, legacy: false },
    { name: 'Old', expires_at: '2099-12-31T22:59:59.000Z', legacy: true },
    { name: 'Some', scopes: ['leads:read', 'companies:read'], revoked_at: null },
  ]);
  expect(JSON.stringify(keys)).not.toContain(created[0].token);

  const limits = [
    '--requests-per-minute',
    '50',
    '--org-requests-per-minute',
    '70',
    '--max-webhooks',
    '3',
    '--max-keys',
    '9',
  ];
  expect(await json('organizations', 'update', slug, '--subscription', 'lapsed', ...limits)).toMatchObject({
    slug,
    subscription: 'lapsed',
    requests_per_minute: 50,
    org_requests_per_minute: 70,
    max_webhooks: 3,
    max_keys: 9,
  });
});

test('an operator changes the facts of an organization (rule operator 29)', async () => {
  await json('organizations', 'create', '--name', 'Moved', '--slug', 'moved');
  const facts = [
    '--name',
    'Moved s. r. o.',
    '--country',
    'CZ',
    '--currency',
    'CZK',
    '--time-zone',
    'Europe/Prague',
  ];
  expect(await json('organizations', 'update', 'moved', ...facts)).toMatchObject({
    name: 'Moved s. r. o.',
    country_code: 'CZ',
    currency: 'CZK',
    time_zone: 'Europe/Prague',
    subscription: 'active',
    max_keys: 20,
  });
});

test('without --json the same is printed for people', async () => {
  const create = ['organizations', 'create', '--name', 'For people', '--slug', 'for-people'];
  const { code, stdout } = await dealkeep(create, variables);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^id {4}[0-9a-f-]{36}\nslug {2}for-people\n$/),
  });
  const list = await run('organizations', 'list');
  expect(list.stdout).toMatch(/^id +name +slug +country_code/);
  expect(list.stdout).toContain('For people');
});

test('migrate answers what is applied; --status changes nothing (rules operator 23 and 29)', async () => {
  const status = await json('migrate', '--status');
  expect(status).toMatchObject({ applied: expect.arrayContaining(['0001-control.sql']), pending: [] });
  expect(await json('migrate')).toEqual(status);
  expect((await run('migrate')).stdout).toMatch(
    /^applied {2}\d+, the last is \d{4}-[a-z-]+\.sql\npending {2}none\nnewer {4}none\nunknown {2}none\nrights {3}complete\n$/,
  );
});

describe('wrong usage ends with 64 and the usage (rule operator 28)', () => {
  test.each([
    ['no command', []],
    ['a missing option', ['organizations', 'create', '--name', 'Nameless']],
    ['an operand too many', ['keys', 'revoke', 'a', 'b']],
    ['a key without scopes', ['keys', 'create', '--organization', 'x', '--name', 'k']],
    [
      'a key with two kinds of scopes',
      ['keys', 'create', '--organization', 'x', '--name', 'k', '--legacy', '--scopes', 'a'],
    ],
  ])('%s', async (_, args) => {
    // The database is not even opened.
    const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const { code, stdout, stderr } = await dealkeep(args, nowhere);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(/^Usage: dealkeep/m);
  });
});

test('a process says, and ends with, what the command does', async () => {
  const args = ['keys', 'revoke', 'x', '--json'];
  const ended = await dealkeepProcess(args, variables);
  expect(ended.code).toBe(1);
  expect(await dealkeep(args, variables)).toEqual(ended);
});

describe('what cannot be done ends with 1 and one line on stderr (rules operator 27 and 28)', () => {
  test.each([
    [
      'a slug that is taken',
      ['organizations', 'create', '--name', 'X', '--slug', 'for-people'],
      /already.*for-people/,
    ],
    [
      'a time zone that nobody knows',
      ['organizations', 'update', 'for-people', '--time-zone', 'Europe/Atlantis'],
      /--time-zone.*"Europe\/Atlantis"/,
    ],
    [
      'a role that is named as the owners',
      [
        ...['roles', 'create', '--organization', 'for-people'],
        '--name',
        'Owner',
        '--permissions',
        'leads.view=all',
      ],
      /--name: .*owners/,
    ],
    ['a name of two lines', ['organizations', 'create', '--name', 'a\nb', '--slug', 'ab'], /--name/],
    ['an id that steers the terminal', ['keys', 'revoke', '\u001b[2J'], /\\x1b\[2J/],
    [
      'an unknown scope',
      ['keys', 'create', '--organization', 'for-people', '--name', 'k', '--scopes', 'fly'],
      /"fly".*leads:read/,
    ],
  ])('%s', async (_, args, said) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(said);
  });
});

test('help and the version are no errors', async () => {
  expect(await dealkeep(['keys', 'create', '--help'], variables)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--preset'),
  });
  expect(await dealkeep(['--version'], variables)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
});
