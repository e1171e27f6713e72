import { readFile } from 'node:fs/promises';
import { migrate } from '@dealkeep/core/foundations';
import { testDatabase } from '@dealkeep/testing';
import postgres from 'postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeSchema } from '../../bin/describe-schema.ts';

const baseline = new URL('../../baseline.sql', import.meta.url);

/** A database that was empty, as the baseline makes it. */
async function fromBaseline() {
  const database = await testDatabase({ migrated: false });
  expect((await migrate(database.ownerUrl)).pending).toEqual([]);
  return database;
}

/** One that began with the first migration, and so ran all others one after the other. */
async function fromMigrations() {
  const database = await testDatabase({ migrated: false });
  await migrate(database.ownerUrl, undefined, '0001-control.sql');
  expect(await database.sql`select from migrations`).toHaveLength(1);
  expect((await migrate(database.ownerUrl)).pending).toEqual([]);
  return database;
}

/**
 * All that PostgreSQL's catalogues say of the schema `public`, and every row in it. Checks that were added to tables
 * with rows are `not valid`, which makes no difference to new rows; what a column's `not null` is called makes none
 * either.
 */
async function catalogue(sql: postgres.ISql) {
  const own = sql`'public'::regnamespace`;
  const tables = await sql<{ name: string }[]>`
    select quote_ident(relname) as name from pg_class where relnamespace = ${own} and relkind = 'r' order by 1`;
  const rows = tables.map(async ({ name }) => [
    name,
    (
      await sql.unsafe(
        `select regexp_replace(to_json(t)::text, '"\\d{4}-\\d\\d-\\d\\dT[^"]*"', 'moment', 'g') as row from ${name} t`,
      )
    )
      .map(({ row }) => row)
      .sort(),
  ]);
  return {
    objects: await sql`
      select type, identity from pg_depend, pg_identify_object(classid, objid, objsubid)
      where refclassid = 'pg_namespace'::regclass and refobjid = ${own} order by 1, 2`,
    relations: await sql`
      select relname, relkind, relpersistence, relrowsecurity, relreplident, reloptions::text, relacl::text, relowner, amname
      from pg_class left join pg_am on pg_am.oid = relam where relnamespace = ${own} order by relname`,
    columns: await sql`
      select relname, row_number() over (partition by attrelid order by attnum), attname, format_type(atttypid, atttypmod) as type,
        attnotnull, attidentity, attgenerated, attcollation::regcollation::text, attstorage, attcompression, attacl::text,
        attoptions::text, pg_get_expr(adbin, adrelid) as value
      from pg_attribute join pg_class t on t.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relnamespace = ${own} and relkind <> 'i' and attnum > 0 and not attisdropped order by relname, attnum`,
    constraints: await sql`
      select conrelid::regclass::text, conname, replace(pg_get_constraintdef(oid), ' NOT VALID', '') as definition, condeferrable, condeferred,
        case contype when 'f' then row_number() over (partition by contype, conrelid order by oid) end as place,
        case contype when 'f' then row_number() over (partition by contype, confrelid order by oid) end as place_of_target
      from pg_constraint where connamespace = ${own} and contype <> 'n' order by 1, 2`,
    indexes: await sql`
      select pg_get_indexdef(indexrelid) as definition, indisvalid, indisready, indisclustered, indisreplident,
        row_number() over (partition by indrelid order by indexrelid) as place
      from pg_index join pg_class on oid = indexrelid where relnamespace = ${own} order by 1`,
    functions: await sql`
      select pg_get_functiondef(p.oid) as definition, proacl::text, proowner from pg_proc p
      where pronamespace = ${own} and prokind = 'f' order by proname, p.oid::regprocedure::text`,
    triggers:
      await sql`select pg_get_triggerdef(oid) as definition, tgenabled from pg_trigger where not tgisinternal order by 1`,
    sequences:
      await sql`select to_jsonb(s) - 'last_value' as sequence from pg_sequences s where schemaname = 'public' order by sequencename`,
    statistics:
      await sql`select pg_get_statisticsobjdef(oid) as definition from pg_statistic_ext order by stxname`,
    extensions:
      await sql`select extname, extversion, extnamespace::regnamespace::text from pg_extension order by extname`,
    comments: await sql`
      select type, identity, description from pg_description, pg_identify_object(classoid, objoid, objsubid)
      where schema = 'public' and not exists (
        select from pg_depend where classid = classoid and objid = objoid and deptype = 'e') order by 1, 2`,
    privileges:
      await sql`select defaclrole::regrole::text, defaclobjtype, defaclacl::text from pg_default_acl order by 1, 2`,
    rows: await Promise.all(rows),
  };
}

test('the baseline makes of an empty database what the migrations make of it one after the other', async () => {
  const [one, other] = await Promise.all([fromBaseline(), fromMigrations()]);
  expect(await catalogue(one.sql)).toEqual(await catalogue(other.sql));
});

describe('the comparison', async () => {
  const { sql } = await fromBaseline();
  const before = await catalogue(sql);

  test('sees no difference where there is none', async () => {
    expect(await catalogue(sql)).toEqual(before);
  });

  test.each([
    'alter table leads add column seeded integer',
    'alter table leads alter column name set default $$seeded$$',
    'alter table leads alter column status drop not null',
    'alter table leads drop constraint leads_pkey cascade',
    'alter table leads rename constraint leads_pkey to leads_seeded',
    'alter table deliveries reset (fillfactor)',
    'alter table leads alter column name type varchar(255)',
    'alter table leads enable row level security',
    'create index seeded on leads (created_at)',
    'alter index activities_text reset (gin_pending_list_limit)',
    // The same, made later.
    `do $$ declare first record; begin
    select conname, pg_get_constraintdef(oid) as definition into first
    from pg_constraint where conrelid = 'leads'::regclass and contype = 'f' order by oid limit 1;
    execute format('alter table leads drop constraint %I', first.conname);
    execute format('alter table leads add constraint %I %s', first.conname, first.definition);
  end $$`,
    'drop statistics leads_stages',
    'alter function searched_parts(text) cost 1',
    'create function seeded() returns integer language sql return 1',
    'create view seeded as select 1 as one',
    "create type seeded as enum ('one')",
    'create sequence seeded',
    'alter sequence worker_ids no cycle',
    "comment on table leads is 'seeded'",
    'grant select on leads to public',
    'update installation set event_era = 7',
    'update revocations set number = 3',
    'delete from worker_activity',
  ])('sees it when there is a difference: %s', async (statement) => {
    const undone = new Error('Undone');
    const compared = sql.begin(async (tx) => {
      await tx.unsafe(statement);
      expect(await catalogue(tx)).not.toEqual(before);
      throw undone;
    });
    await expect(compared).rejects.toBe(undone);
  });
});

test('the file is what `npm run baseline` writes of the migrations for which it stands', async () => {
  const text = await readFile(baseline, 'utf8');
  const [, last] = /^-- Stands for the migrations up to (\S+\.sql)/.exec(text) ?? [];
  const database = await testDatabase({ migrated: false });
  await migrate(database.ownerUrl, undefined, '0001-control.sql');
  await migrate(database.ownerUrl, undefined, last);
  expect(text.endsWith(`\n\n${await describeSchema(database.sql)}`)).toBe(true);
});

test('two that migrate an empty database at once make it once, and one that is killed in the middle leaves it empty', async () => {
  const { sql, ownerUrl } = await testDatabase({ migrated: false });
  // Whoever makes the last of its tables waits for this one, until it is ended.
  const blocker = postgres(ownerUrl, { max: 1 });
  onTestFinished(() => blocker.end());
  await blocker.unsafe('begin');
  await blocker`create table public.backup_runs (held integer)`;
  const first = migrate(ownerUrl, { lockMs: 60_000, totalMs: 60_000 }).catch((error: Error) => error);
  await expect
    .poll(async () => {
      const [waiting] = await sql`
        select pid from pg_stat_activity where wait_event_type = 'Lock' and application_name like '%migrate%' and datname = current_database()`;
      return waiting && (await sql`select pg_terminate_backend(${waiting['pid']})`).length;
    })
    .toBe(1);
  expect(await first).toBeInstanceOf(Error);
  await blocker`rollback`;
  expect(await sql`select from pg_class where relname in ('organizations', 'leads', 'backup_runs')`).toEqual(
    [],
  );

  const [one, other] = await Promise.all([migrate(ownerUrl), migrate(ownerUrl)]);
  expect(one).toEqual(other);
  expect(one.pending).toEqual([]);
});
