import { randomBytes } from 'node:crypto';
import { testDatabase } from '@dealkeep/testing';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { dealkeep, oneLine, result, startReadyHere } from './program.ts';

function connected(url: string): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  return sql;
}

/** What nobody may do who has only taken over the program. */
const forbidden = [
  'alter table leads add column stolen text',
  'drop table leads',
  'truncate leads',
  'create table mine (id integer)',
  'create schema mine',
  'create role mine',
  "copy leads to program 'true'",
];

async function expectLeastPrivilege(url: string): Promise<void> {
  const sql = connected(url);
  const [role] =
    await sql`select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = current_user`;
  expect(role).toEqual({ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false });
  for (const statement of forbidden) {
    await expect(sql.unsafe(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
}

test('an owner that is no superuser migrates and makes the role of the program, which then delivers (rule operator 12)', async () => {
  const { sql: administrator, ownerUrl: anywhere } = await testDatabase({ migrated: false });
  const name = `own_${randomBytes(6).toString('hex')}`;
  await administrator.unsafe(`create role ${name} login createrole password 'of the owner'`);
  await administrator.unsafe(`create database ${name} owner ${name}`);
  const address = (role: string, password: string): string => {
    const url = new URL(anywhere);
    Object.assign(url, { username: role, password, pathname: name });
    return url.href;
  };
  const program = {
    DATABASE_URL: address(`${name}_program`, 'of the program'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  const owner = { ...program, DATABASE_OWNER_URL: address(name, 'of the owner') };

  expect(await result(['migrate'], owner)).toMatchObject({ pending: [] });
  expect(await result(['migrate'], owner), 'a second time').toMatchObject({ pending: [] });
  await expectLeastPrivilege(program.DATABASE_URL);
  await result(['organizations', 'create', '--name', 'Own', '--slug', 'own'], program);
  const running = await startReadyHere({ ...program, METRICS_TOKEN: 'token' });
  expect((await fetch(`${running.origin}/readyz`)).status).toBe(200);
  // graphile-worker hides its rows from all but the owner: the tasks by the clock would never run.
  const [known] = await connected(
    program.DATABASE_URL,
  )`select count(*)::integer as count from graphile_worker._private_known_crontabs`;
  expect(known?.['count']).toBeGreaterThan(0);
  expect(await running.end('SIGTERM')).toMatchObject({ code: 0 });
});

test('an owner that may make no roles says what an administrator has to do', async () => {
  const { sql: administrator, ownerUrl: anywhere } = await testDatabase({ migrated: false });
  const name = `plain_${randomBytes(6).toString('hex')}`;
  await administrator.unsafe(`create role ${name} login password 'of the owner'`);
  await administrator.unsafe(`create database ${name} owner ${name}`);
  const url = new URL(anywhere);
  Object.assign(url, { username: name, password: 'of the owner', pathname: name });
  const program = new URL(url);
  program.username = `${name}_program`;
  const { code, stderr } = await dealkeep(['migrate'], {
    DATABASE_URL: program.href,
    DATABASE_OWNER_URL: url.href,
    SECRETS_KEY: randomBytes(32).toString('base64'),
  });
  expect(code).toBe(1);
  expect(stderr).toBe(
    `The role ${name}_program of DATABASE_URL does not exist, and the role of DATABASE_OWNER_URL may not make it. As an administrator: create role "${name}_program" login password '…'\n`,
  );
});

test('a pooler of DATABASE_URL that is not reached is named, although the owner is', async () => {
  const { ownerUrl } = await testDatabase();
  // Unlike migrate, which waits a minute for it.
  const { code, stderr } = await dealkeep(['organizations', 'list'], {
    DATABASE_URL: 'postgres://program:secret@127.0.0.1:1/dealkeep?prepare=false',
    DATABASE_OWNER_URL: ownerUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
  });
  expect([code, stderr]).toEqual([
    1,
    'DATABASE_URL leads to a server that cannot be used now: connect ECONNREFUSED 127.0.0.1:1\n',
  ]);
});

test('a wrong password of either role ends with 78 and names the variable that has it', async () => {
  const { url, ownerUrl } = await testDatabase();
  const wrong = (address: string): string => {
    const changed = new URL(address);
    changed.password = 'wrong';
    return changed.href;
  };
  const secrets = { SECRETS_KEY: randomBytes(32).toString('base64'), PORT: '0' };
  const both = { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl };
  for (const [name, variables] of [
    ['DATABASE_URL', { ...both, DATABASE_URL: wrong(url) }],
    ['DATABASE_OWNER_URL', { ...both, DATABASE_OWNER_URL: wrong(ownerUrl) }],
  ] as const) {
    for (const command of [['start'], ['organizations', 'list']]) {
      const { code, stderr } = await dealkeep(command, { ...secrets, ...variables });
      expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringMatching(oneLine) });
      expect(stderr).toMatch(new RegExp(`^${name} .*password authentication failed`));
    }
  }
});

test('migrate gives the role of the program back whatever of its rights is missing', async () => {
  const { url, ownerUrl, sql } = await testDatabase();
  const role = new URL(url).username;
  await sql`revoke insert, update on leads from ${sql(role)}`;
  const variables = {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  expect(await result(['migrate'], variables)).toMatchObject({ pending: [] });
  const [may] = await sql`
    select has_table_privilege(${role}, 'leads', 'insert') and has_table_privilege(${role}, 'leads', 'update') as write`;
  expect(may).toEqual({ write: true });
});
