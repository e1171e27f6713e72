import { randomBytes } from 'node:crypto';
import { testDatabase } from '@dealkeep/testing';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { examine } from '../src/doctor/examine.ts';
import { dealkeep, oneLine, result, startReadyHere } from './program.ts';

const secrets = { SECRETS_KEY: randomBytes(32).toString('base64') };

/** A database whose owner is no superuser, and what an administrator keeps in its schema `public`. */
async function sharedSchema() {
  const { sql: administrator, ownerUrl: anywhere } = await testDatabase({ migrated: false });
  const name = `own_${randomBytes(6).toString('hex')}`;
  await administrator.unsafe(`create role ${name} login createrole password 'of the owner'`);
  await administrator.unsafe(`create database ${name} owner ${name}`);
  const address = (role: string, password: string): string => {
    const url = new URL(anywhere);
    Object.assign(url, { username: role, password, pathname: name });
    return url.href;
  };
  const superuser = new URL(anywhere);
  superuser.pathname = name;
  const sql = postgres(superuser.href, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  await sql.unsafe(`
    create extension pg_stat_statements;
    create table of_the_administrator (id integer generated always as identity);
    create sequence numbers_of_the_administrator;
    create view seen_by_the_administrator as select * from of_the_administrator;
    create function called_by_the_administrator() returns integer language sql return 1;
    revoke execute on function called_by_the_administrator() from public`);
  const program = { ...secrets, DATABASE_URL: address(`${name}_program`, 'of the program') };
  return {
    sql,
    role: `${name}_program`,
    program,
    owner: { ...program, DATABASE_OWNER_URL: address(name, 'of the owner') },
  };
}

test('extensions, tables, views, sequences and functions of an administrator in schema public keep nothing from running, and no right is given on them (rule operator 42)', async () => {
  const { sql, role, program, owner } = await sharedSchema();
  expect(await result(['migrate'], owner)).toMatchObject({ pending: [], lacking: [] });
  expect(await result(['migrate'], owner), 'a second time').toMatchObject({ pending: [], lacking: [] });
  const running = await startReadyHere({ ...program, METRICS_TOKEN: 'token' });
  expect((await fetch(`${running.origin}/readyz`)).status).toBe(200);
  const [given] = await sql`
    select has_table_privilege(${role}, 'of_the_administrator', 'select') as table,
           has_table_privilege(${role}, 'seen_by_the_administrator', 'select') as view,
           has_sequence_privilege(${role}, 'numbers_of_the_administrator', 'usage') as sequence,
           has_function_privilege(${role}, 'called_by_the_administrator()', 'execute') as function`;
  expect(given).toEqual({ table: false, view: false, sequence: false, function: false });
});

test('where an administrator has dropped a policy, the program is not ready, doctor and migrate --status name it, a start is refused, and migrate gives it back (rules operator 17 and 41)', async () => {
  const { url, ownerUrl, sql } = await testDatabase();
  const program = { ...secrets, DATABASE_URL: url, PORT: '0', ROLES: 'api' };
  const running = await startReadyHere(program);
  const ready = async () => {
    const answer = await fetch(`${running.origin}/readyz`);
    return [answer.status, await answer.json()];
  };
  expect(await ready()).toEqual([200, { status: 'ready' }]);
  await sql`drop policy ${sql(new URL(url).username)} on graphile_worker._private_jobs`;
  expect(await ready()).toEqual([503, { status: 'rights are missing' }]);
  const lacking = 'a policy for all rows of graphile_worker._private_jobs';
  const rights = (await examine(program)).find(({ check }) => check === 'Rights');
  expect(rights).toMatchObject({ state: 'failed', finding: `this role lacks ${lacking}` });
  expect(await result(['migrate', '--status'], program)).toMatchObject({ lacking: [lacking] });
  const refused = await dealkeep(['start'], program);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  expect(refused.stderr).toContain(lacking);

  expect(await result(['migrate'], { ...program, DATABASE_OWNER_URL: ownerUrl })).toMatchObject({
    lacking: [],
  });
  expect(await ready()).toEqual([200, { status: 'ready' }]);
});

test('what only an administrator can give back is named by migrate, which ends with 1 (rule operator 42)', async () => {
  const { owner, sql } = await sharedSchema();
  await result(['migrate'], owner);
  await sql`revoke execute on function similarity_op(text, text) from public`;
  const { code, stderr } = await dealkeep(['migrate'], owner);
  expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  expect(stderr).toContain('lacks execute on function similarity_op');
});
