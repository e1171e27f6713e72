import { readdir, readFile } from 'node:fs/promises';
import { migrate, OperatorError } from '@dealkeep/core/foundations';
import { eventually, testDatabase } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { statementsOf } from '../../src/foundations/database/statements-of.ts';
import { migrationPatience } from '../../src/foundations/operating-limits.ts';
import { lockedReads } from './migration-locks.ts';
import { vacuumedDatabase } from './vacuumed-database.ts';

const folder = new URL('../../migrations/', import.meta.url);
const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
const textOf = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');
const eachByItself = '-- each statement by itself\n';
/** Those before were released when nobody had much. */
const judgedFrom = '0019';

async function databaseBefore(name: string) {
  const database = await testDatabase({ migrated: false });
  await database.sql`
    create table migrations (name text primary key, applied_at timestamptz(3) not null default now())`;
  for (const each of names.filter((other) => other < name)) {
    const text = await textOf(each);
    const parts = text.startsWith(eachByItself) ? statementsOf(text) : [text];
    for (const part of parts) await database.sql.unsafe(part);
    await database.sql`insert into migrations (name) values (${each})`;
  }
  return database;
}

test('no migration reads a table while it keeps everybody else from one', async () => {
  const { sql } = await databaseBefore(judgedFrom);
  for (const name of names.filter((each) => each > judgedFrom)) {
    const text = await textOf(name);
    if (text.startsWith(eachByItself)) {
      for (const statement of statementsOf(text)) {
        if (/\sconcurrently\s/.test(statement)) await sql.unsafe(statement);
        else expect(await lockedReads(sql, statement), name).toEqual([]);
      }
    } else expect(await lockedReads(sql, text), name).toEqual([]);
  }
});

describe('the check tells', async () => {
  const { sql } = await testDatabase();
  test.each([
    'create index leads_by_note on leads (name)',
    'alter table leads alter column name set not null',
    'alter table leads add constraint named check (name is not null)',
    'alter table leads add column marks integer default (random() * 10)::integer',
    'alter table leads alter column name type varchar(70000)',
    'alter table leads add column remark text; update leads set remark = name',
    'alter table companies add column remark text; create table copied as select * from leads',
    'lock table leads; select count(*) from leads',
  ])('%s', async (text) => {
    expect(await lockedReads(sql, text)).not.toEqual([]);
  });

  test.each([
    'alter table tasks add column remark text, add column marks integer not null default 0',
    "alter table tasks add constraint marked check (title <> '') not valid",
    'alter table contacts add foreign key (organization_id) references organizations not valid',
    'create table remarks (id uuid primary key, task uuid); create index remarks_task on remarks (task)',
    'update tasks set title = title',
  ])('%s is good', async (text) => {
    expect(await lockedReads(sql, text)).toEqual([]);
  });
});

test('a migration that waits for a lock gives way within 200 ms, so that readers go on, and comes to its end', async () => {
  const { sql, ownerUrl: url } = await databaseBefore('0021');
  const reader = Promise.withResolvers<void>();
  const reading = sql.begin(async (tx) => {
    await tx`select from mails`;
    await reader.promise;
  });
  await eventually(async () =>
    expect(await sql`select from pg_locks where relation = 'mails'::regclass and granted`).not.toHaveLength(
      0,
    ),
  );
  expect(migrationPatience.lockMs).toBeLessThan(200);
  const migrating = migrate(url, migrationPatience);
  const waits = () => sql`select from pg_locks where relation = 'mails'::regclass and not granted`;
  // Everybody who comes after a lock that waits would wait behind it.
  for (let time = 0; time < 2; time += 1) {
    await eventually(async () => expect(await waits()).toHaveLength(1));
    expect(await sql`select from mails`).toHaveLength(0);
    await eventually(async () => expect(await waits()).toHaveLength(0));
  }
  reader.resolve();
  await reading;
  expect((await migrating).pending).toEqual([]);
});

test('a migration ends an autovacuum of a table that it changes', async () => {
  const { url } = await vacuumedDatabase('0052-backups-are-noted.sql');
  expect((await migrate(url, { ...migrationPatience, totalMs: 20_000 })).pending).toEqual([]);
});

test('a lock that is held for too long ends a migration with words, and nothing is changed', async () => {
  const { sql, ownerUrl: url } = await databaseBefore('0021');
  await sql.begin(async (tx) => {
    await tx`select from mails`;
    const refused = migrate(url, { lockMs: 50, totalMs: 0 });
    await expect(refused).rejects.toBeInstanceOf(OperatorError);
    await expect(refused).rejects.toThrow(/0021-.*lock/);
  });
  expect(await sql`select from migrations where name >= '0021'`).toHaveLength(0);
});
