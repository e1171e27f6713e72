import { runningEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { programUrl } from '../src/open-database.ts';
import { ask, demoLogin, ownFolder, startReadyHere } from './program.ts';

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

test('with the embedded PostgreSQL the program has a role that can alter nothing', async () => {
  const dataDir = await ownFolder();
  const program = await startReadyHere({ DATA_DIR: dataDir });
  const { key } = await demoLogin(dataDir);
  expect((await ask(program.origin, key, '/leads')).status).toBe(200);
  const ownerUrl = (await runningEmbeddedPostgres(dataDir)) ?? '';
  await expectLeastPrivilege(programUrl(ownerUrl));
  const roles = await connected(ownerUrl)`
    select distinct usename as role from pg_stat_activity where application_name like 'dealkeep%'`;
  expect(roles).toEqual([{ role: 'dealkeep_program' }]);
});
