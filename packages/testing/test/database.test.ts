import postgres from 'postgres';
import { beforeAll, expect, inject, test } from 'vitest';
import { filledOnce, type TestDatabase, testDatabase } from '../src/index.ts';

let ofFile: TestDatabase;
let ofTest: TestDatabase;

beforeAll(async () => {
  ofFile = await testDatabase();
});

async function exists({ url }: TestDatabase): Promise<boolean> {
  const sql = postgres(inject('postgres').url, { max: 1 });
  const found = await sql`select 1 from pg_database where datname = ${new URL(url).pathname.slice(1)}`;
  await sql.end();
  return found.length === 1;
}

test('a test has a migrated database, which it changes for nobody else', async () => {
  ofTest = await testDatabase();
  const other = await testDatabase();
  await ofTest.sql`create table seen ()`;
  const [table] = await other.sql`
    select to_regclass('organizations') is not null as migrated, to_regclass('seen') as seen`;
  expect(table).toEqual({ migrated: true, seen: null });
});

test('the database of a test ends with it, the database of a file stays for all its tests', async () => {
  expect(await exists(ofTest)).toBe(false);
  expect(await exists(ofFile)).toBe(true);
  expect(await ofFile.sql`select 1 as alive`).toEqual([{ alive: 1 }]);
});

test('dropping a database ends the connections that others have to it', async () => {
  const database = await testDatabase();
  const other = postgres(database.url, { max: 1 });
  await other`select 1`;
  await database.drop();
  expect(await exists(database)).toBe(false);
  await other.end({ timeout: 1 });
});

let fillings = 0;
const withOneTable = filledOnce(async ({ sql }) => {
  fillings += 1;
  await sql`create table seen as select 'at first' as state`;
});

test.each([1, 2])(
  'a database that is filled once is the same for every test: the one of test %i',
  async () => {
    const [one, other] = await Promise.all([withOneTable(), withOneTable()]);
    await one.sql`update seen set state = 'changed'`;
    expect(await other.sql`select state from seen`).toEqual([{ state: 'at first' }]);
    expect(fillings).toBe(1);
  },
);

test('what the program asked of a database is kept when that is gone', async () => {
  const admin = postgres(inject('postgres').url, { max: 1 });
  const column = `asked_${Date.now()}`;
  const first = await testDatabase();
  const program = postgres(first.url, { max: 1 });
  await program.unsafe(`select 1 as ${column}`);
  await program.end();
  await first.drop();
  // Those of several are kept together.
  for (let others = 0; others < 9; others += 1) await (await testDatabase()).drop();
  expect(await admin`select from captured_statements where query like ${`%${column}`}`).toHaveLength(1);
  expect(
    await admin`
      select from pg_stat_statements
      where query like ${`%${column}`} and dbid not in (select oid from pg_database)`,
  ).toHaveLength(0);
  await admin.end();
});
