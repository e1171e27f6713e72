import { readdir, readFile } from 'node:fs/promises';
import { testDatabase } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { livedWith } from '../../src/foundations/database/migrate.ts';
import { breaksOf, schemaOf } from './migration-compatibility.ts';

const folder = new URL('../../migrations/', import.meta.url);
const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
const _eachByItself = '-- each statement by itself\n';
/** Those before are older than the first release: no version before them runs anywhere. */
const _judgedFrom = '0039';

describe('the check', async () => {
  const { sql } = await testDatabase();
  const before = await schemaOf(sql);
  const after = async (text: string): Promise<string[]> => {
    const undone = new Error('Undone');
    let breaks: string[] = [];
    await sql
      .begin(async (tx) => {
        await tx.unsafe(text);
        breaks = breaksOf(before, await schemaOf(tx));
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    return breaks;
  };

  test.each([
    ['drop table saved_views', 'table saved_views is gone'],
    ['alter table leads drop column note', 'column leads.note is gone'],
    ['alter table leads rename column note to remark', 'column leads.note is gone'],
    ['alter table saved_views drop constraint saved_views_name', 'rule saved_views.saved_views_name is gone'],
    ['alter table leads rename to deals', 'table leads is gone'],
    ['alter table leads alter column name type varchar(70000)', 'column leads.name was "text"'],
    ['alter table leads alter column note set not null', 'column leads.note may no longer be empty'],
    ['alter table events alter column era drop default', 'column events.era has no default any more'],
    ['alter table leads add column rank integer not null', 'column leads.rank must be filled'],
    ["alter table leads add check (note <> '') not valid", 'leads_note_check may refuse'],
    ['alter table leads add unique (organization_id, name)', 'leads_organization_id_name_key may refuse'],
    ['create unique index leads_named on leads (organization_id, name)', 'index leads_named may refuse'],
    [
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
       create trigger refused before insert on leads for each row execute function refuse()`,
      'trigger leads.refused may refuse',
    ],
    ['drop function current_event_era() cascade', 'function current_event_era() is gone'],
    [
      `create or replace function keep_moving_organization() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
      'function keep_moving_organization() was',
    ],
    ['drop sequence worker_ids', 'sequence worker_ids is gone'],
    ['alter sequence worker_ids no cycle', 'sequence worker_ids was'],
    [
      'drop index leads_counted; create unique index leads_counted on leads (organization_id, stage_id)',
      'index leads_counted was',
    ],
    [
      'drop index deliveries_by_hand; create unique index deliveries_by_hand on deliveries (webhook_id, event_id, due_at) where by_hand',
      'index deliveries_by_hand was',
    ],
    [
      'drop index deliveries_by_hand; create index deliveries_by_hand on deliveries (webhook_id, event_id) where by_hand',
      'index deliveries_by_hand was',
    ],
  ])('refuses: %s', async (text, said) => {
    expect((await after(text)).join('\n')).toContain(said);
  });

  test.each([
    'create table remarks (id uuid primary key, said text not null unique)',
    'alter table leads add column remark text',
    'alter table leads add column rank integer not null default 0 check (rank >= 0)',
    'alter table leads add column remark uuid references organizations',
    'create index leads_noted on leads (organization_id, note)',
    'drop index leads_counted',
    'drop index leads_counted; create index leads_counted on leads (organization_id, stage_id)',
    'alter table leads alter column name drop not null',
    "alter table bookings alter column source set default 'api'",
    'alter table bookings drop constraint bookings_source_check',
    'alter table leads drop constraint leads_organization_id_owner_id_fkey',
    'create function eleven() returns integer language sql as $$ select 11 $$',
  ])('accepts: %s', async (text) => {
    expect(await after(text)).toEqual([]);
  });

  test('takes a reason that is said, and no empty one', () => {
    const line = '-- Programs that know 0052 live with it:';
    expect(livedWith(`${line} nothing has read quotes.kind since 0.2.0.\nselect 1`)).toEqual({
      since: '0052',
      reason: 'nothing has read quotes.kind since 0.2.0.',
    });
    expect(livedWith(`${line}\nselect 1`)).toBeUndefined();
    expect(livedWith(`${line} yes`)).toBeUndefined();
  });
});

test('a migration names an earlier one that programs must know', async () => {
  for (const name of names) {
    const { since } = livedWith(await readFile(new URL(name, folder), 'utf8')) ?? {};
    if (since === undefined) continue;
    expect(names.filter((each) => each < name).map((each) => each.slice(0, 4))).toContain(since);
  }
});

test('a newer migration of graphile-worker, which `migrate` runs as well, is looked at before it goes out', async () => {
  const { sql } = await testDatabase();
  // Every version so far has run these. Of a newer one its makers say whether older workers live with it.
  const [last] = await sql`select max(id) as id from graphile_worker.migrations`;
  expect(last).toEqual({ id: 20 });
});
