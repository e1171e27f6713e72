import { createOrganization, createUser } from '@dealkeep/core/accounts';
import { oneServer, systemClock } from '@dealkeep/core/foundations';
import {
  endPausesOfEndedMoves,
  moveOrganization,
  previewOrganizationMove,
} from '@dealkeep/core/installation';
import { eventually, filledOnce, type TestDatabase, testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { beginning } from '../../src/change/events/feed-place.ts';
import { readFeed } from '../../src/change/events/read-feed.ts';
import { currentPlace, lookForNews, readPage } from '../../src/delivering/event-streams/read-page.ts';
import { connect } from '../../src/foundations/database/connect.ts';
import { allTables } from '../../src/foundations/database/tables.ts';
import { hasMoved } from '../../src/identity/tenancy/has-moved.ts';
import { movedTables, notMoved } from '../../src/installation/moving/moved-tables.ts';
import { pauseForMove } from '../../src/installation/moving/pause-for-move.ts';
import { everything, fillSettled, idOf, moveOf, otherInstallation } from './two-installations.ts';

const settled = filledOnce(fillSettled);

test('every table is one of those that move, or it is said why not', async () => {
  const { ownerUrl } = await testDatabase();
  const sql = connect(ownerUrl, { connections: 1, name: 'test' });
  const moved = (await movedTables(sql)).map(({ name }) => name);
  const all = (await allTables(sql)).map(({ name }) => name);
  await sql.end();
  expect([...moved, ...Object.keys(notMoved)].sort()).toEqual(all.sort());
});

test('whoever signs in with an address that has an account there keeps an account apart, and nobody gets into another', async () => {
  const from = await settled();
  const to = await otherInstallation();
  const id = await idOf(from);
  const operator = { sql: connect(to.url, { connections: 1, name: 'test' }), clock: systemClock };
  await createOrganization(operator, { name: 'There', slug: 'there' });
  const namesake = {
    name: 'Somebody',
    email: 'OWNER@own.example',
    role: 'owner',
    password: 'another password',
  };
  const { id: theirs } = await createUser(operator, { organization: 'there', ...namesake });
  await operator.sql.end();

  const { people } = await moveOrganization(moveOf(from, to));
  expect(people).toEqual({ moved: 1, apart: 1, known: 0 });
  const [member] = await to.sql`
    select u.id, u.email_verified, u.password_hash from memberships m join users u on u.id = m.person_id
    where m.organization_id = ${id}`;
  const [former] = await from.sql`select id, password_hash from users`;
  expect(member).toEqual({ ...former, email_verified: false });
  const organizations = await to.sql`select organization_id from memberships where person_id = ${theirs}`;
  expect(organizations).toHaveLength(1);
  expect(organizations[0]?.['organization_id']).not.toBe(id);
});

test('a person who came with another organization is the same, unless the password was changed in one place', async () => {
  const from = await settled();
  const sql = connect(from.url, { connections: 1, name: 'test' });
  const operator = { sql, clock: systemClock };
  for (const slug of ['second', 'third']) {
    await createOrganization(operator, { name: slug, slug });
    const owner = { name: 'Owner', email: 'owner@own.example', role: 'owner' };
    await createUser(operator, { organization: slug, ...owner });
  }
  await sql.end();
  const to = await otherInstallation();
  expect((await moveOrganization(moveOf(from, to))).people).toEqual({ moved: 1, apart: 0, known: 0 });
  const second = await moveOrganization(moveOf(from, to, { slug: 'second' }));
  expect(second.people).toEqual({ moved: 0, apart: 0, known: 1 });
  await to.sql`update users set password_hash = 'changed'`;
  const third = await moveOrganization(moveOf(from, to, { slug: 'third' }));
  expect(third.people).toEqual({ moved: 1, apart: 1, known: 0 });
  expect(await to.sql`select distinct person_id from memberships`).toHaveLength(2);
});

test.each<
  [string, RegExp, (place: { from: TestDatabase; to: TestDatabase; id: string }) => Promise<unknown>]
>([
  [
    'another environment',
    /a live environment, and the other a test one/,
    ({ to }) => to.sql`update installation set environment = 'test'`,
  ],
  [
    'a database that nothing was started on',
    /start one there first/,
    ({ to }) => to.sql`update installation set environment = null`,
  ],
  [
    'a slug that is taken',
    /another organization "own"/,
    async ({ to }) => {
      await to.sql`insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
      values (gen_random_uuid(), 'Other', 'own', 'SK', 'EUR', 'UTC', 50, 20, now())`;
    },
  ],
  [
    'an organization that is there',
    /is in the other database already/,
    async ({ to, id }) => {
      await to.sql`insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
      values (${id}, 'Other', 'other', 'SK', 'EUR', 'UTC', 50, 20, now())`;
    },
  ],
  [
    'a process of another version',
    /another version \(2 on b; this is 1\)/,
    ({ to }) => to.sql`
    insert into processes (id, roles, host, version, secrets_key, secrets_keys, deliveries_held, connections)
    values (gen_random_uuid(), '{api}', 'b', '2', 'a', '{a}', false, 1)`,
  ],
  [
    'a process without the key',
    /\(on b\) lacks a key.*0011223344556677.*SECRETS_KEY/s,
    ({ to }) => to.sql`
    insert into processes (id, roles, host, version, secrets_key, secrets_keys, deliveries_held, connections)
    values (gen_random_uuid(), '{api}', 'b', '1', 'aa', '{aa,bb}', false, 1)`,
  ],
  [
    'a key that nobody is known to have',
    /No process runs on the other database/,
    ({ to }) => to.sql`delete from secrets_keys`,
  ],
  [
    'a time zone that is not known there',
    /time zone Mars\/Base/,
    ({ from }) => from.sql`update organizations set time_zone = 'Mars/Base'`,
  ],
  [
    'an import that is under way',
    /An import of the organization is under way/,
    ({ from, id }) => from.sql`
    insert into imports (organization_id, id, kind, user_id, file_name, encoding, delimiter, decimal_mark, headings, row_count, mapping, status, created_at)
    select ${id}, gen_random_uuid(), 'contact', id, 'a.csv', 'utf-8', ',', '.', '{a}', 1, '{name}', 'running', now() from memberships`,
  ],
  [
    'an erasure that is under way',
    /An erasure of the organization is under way/,
    ({ from, id }) => from.sql`
    insert into erasures (organization_id, id, kind, record_id, requested_by, requested_at, counts, stage)
    select ${id}, gen_random_uuid(), 'contact', gen_random_uuid(), id, now(), '{}', 'records' from memberships`,
  ],
  [
    'an older database',
    /another version \(\d{4}-/,
    ({ to }) => to.sql`delete from migrations where name = (select max(name) from migrations)`,
  ],
])('%s is refused before anything happens', async (_, refusal, seed) => {
  const from = await settled();
  const to = await otherInstallation();
  const id = await idOf(from);
  await seed({ from, to, id });
  const before = await everything(from, id);
  await expect(previewOrganizationMove(moveOf(from, to))).rejects.toThrow(refusal);
  await expect(moveOrganization(moveOf(from, to))).rejects.toThrow(refusal);
  expect(await everything(from, id)).toEqual(before);
  expect(await to.sql`select from leads`).toHaveLength(0);
});

test('the database that it is in is refused, however it is named', async () => {
  const from = await settled();
  await expect(moveOrganization(moveOf(from, from))).rejects.toThrow('The other database is this one');
});

test('a failure in the middle leaves the organization here as it was, and the other database as it was', async () => {
  const from = await settled();
  const to = await otherInstallation();
  const id = await idOf(from);
  const before = await everything(from, id);
  await to.sql`alter table invoices add constraint refused check (number is null)`;
  await expect(moveOrganization(moveOf(from, to))).rejects.toThrow(/refused.*goes on here/s);
  expect(await everything(from, id)).toEqual(before);
  expect(await from.sql`select from pg_trigger where tgname like 'moves\\_%'`).toHaveLength(0);
  for (const table of ['organizations', 'users', 'leads', 'oauth_apps']) {
    expect(await to.sql`select from ${to.sql(table)}`).toHaveLength(0);
  }
  await from.sql`update leads set note = 'goes on' where organization_id = ${id}`;
});

const failures = [
  ['while it is copied', 'alter table invoices add constraint refused check (number is null)'],
  [
    'when the other database commits',
    `create function refuse() returns trigger language plpgsql as $$begin raise 'refused'; end$$;
     create constraint trigger refused after insert on invoices deferrable initially deferred for each row execute function refuse()`,
  ],
] as const;
test.each(failures)(
  'a failure %s, after which the pause cannot be ended, says both; a worker ends it',
  async (_, refusing) => {
    const from = await settled();
    const to = await otherInstallation();
    const id = await idOf(from);
    await to.sql.unsafe(refusing);
    await from.sql`create function refuse() returns trigger language plpgsql as $$begin raise 'not now'; end$$`;
    await from.sql`create trigger refused before delete on queue_pauses for each row execute function refuse()`;
    await expect(moveOrganization(moveOf(from, to))).rejects.toThrow(
      /refused.*goes on here.*paused still \(not now\): a worker ends the pause within a minute/s,
    );
    expect(await from.sql`select moved_at from organizations where id = ${id}`).toEqual([{ moved_at: null }]);
    await from.sql`update leads set note = 'goes on' where organization_id = ${id}`;
    await from.sql`drop trigger refused on queue_pauses`;
    const sql = connect(from.url, { connections: 1, name: 'dealkeep upkeep' });
    expect(await endPausesOfEndedMoves({ sql })).toBe(1);
    await sql.end();
  },
);

test('what refuses a row is named while most of the table is still on its way', async () => {
  const from = await settled();
  const to = await otherInstallation();
  await from.sql`
    insert into tags (organization_id, id, name, color, created_at, updated_at)
    select ${await idOf(from)}, gen_random_uuid(), 'Tag ' || n || repeat('.', 200), 'blue', now(), now()
    from generate_series(1, 50000) n`;
  await to.sql`alter table tags add constraint refused check (name = '')`;
  await expect(moveOrganization(moveOf(from, to))).rejects.toThrow(/refused.*goes on here/s);
});

test('while an organization moves, others write in both databases, and nothing of it changes', async () => {
  const from = await settled();
  const to = await otherInstallation();
  const id = await idOf(from);
  const other = async ({ sql }: TestDatabase) => {
    const [row] = await sql`
      insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
      values (gen_random_uuid(), 'Other', 'other', 'SK', 'EUR', 'UTC', 50, 20, now()) returning id`;
    return String(row?.['id']);
  };
  const [here, there] = [await other(from), await other(to)];
  // The copy waits here, and everything of a move stands.
  const blocker = await to.sql.reserve();
  await blocker`begin`;
  await blocker`lock table leads in access exclusive mode`;
  const moving = moveOrganization(moveOf(from, to));
  await eventually(async () => {
    const [waits] = await to.sql`select from pg_stat_activity
      where application_name = 'arrival of an organization' and wait_event_type = 'Lock'`;
    expect(waits).toBeDefined();
  });
  const write = (sql: TestDatabase['sql'], organization: string) => sql`
    insert into tags (organization_id, id, name, color, created_at, updated_at)
    values (${organization}, gen_random_uuid(), 'Meanwhile', 'blue', now(), now())`;
  const event = (sql: TestDatabase['sql'], organization: string) => sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope, era)
    values (${organization}, 'evt_meanwhile', 'lead.created', gen_random_uuid(), now(), '{}', (select event_era from installation))`;
  await Promise.all([
    write(from.sql, here),
    event(from.sql, here),
    write(to.sql, there),
    event(to.sql, there),
  ]);
  await expect(write(from.sql, id)).rejects.toMatchObject({ constraint_name: 'organization_moves' });
  await expect(from.sql`delete from events where organization_id = ${id}`).rejects.toThrow('is being moved');
  await expect(from.sql`update users set password_hash = 'x'`).rejects.toThrow('is being moved');
  const sweeping = connect(from.url, { connections: 1, name: 'dealkeep upkeep' });
  expect((await sweeping`delete from events where organization_id = ${id}`).count, 'a sweep passes by').toBe(
    0,
  );
  await expect(hasMoved({ sql: sweeping }, id)).rejects.toThrow('is being moved');
  await sweeping.end();

  // What happens there is read at once, although the move has an open transaction.
  const reader = connect(to.url, { connections: 1, name: 'test' });
  const query = {
    organization: there,
    types: ['lead.created'],
    recordId: undefined,
    createdAfter: undefined,
    limit: 10,
  } as const;
  const page = await readFeed({ sql: reader, placement: oneServer }, query, { place: beginning });
  expect(page.isEmpty).toBe(false);
  await reader.end();

  await blocker`rollback`;
  blocker.release();
  expect(await moving).toMatchObject({ organization: 'own' });
  const onlooker = connect(from.url, { connections: 1, name: 'test' });
  expect(await hasMoved({ sql: onlooker }, id)).toBe(true);
  await onlooker.end();
  const [own] = await to.sql`select max(era) as era from events where organization_id = ${id}`;
  const [installation] = await to.sql`select event_era as era from installation`;
  expect(Number(installation?.['era'])).toBeGreaterThan(Number(own?.['era']));
});

test('who listens to another organization there misses nothing when the era changes, and hears nothing twice', async () => {
  const from = await settled();
  const to = await otherInstallation();
  const [row] = await to.sql<{ id: string }[]>`
    insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
    values (gen_random_uuid(), 'Other', 'other', 'SK', 'EUR', 'UTC', 50, 20, now()) returning id`;
  const organization = row?.id ?? '';
  const event = (id: string) => to.sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope, era)
    select ${organization}, ${id}, 'lead.created', gen_random_uuid(), now(), ${id}, event_era from installation`;
  const sql = connect(to.url, { connections: 1, name: 'test' });
  const place = await currentPlace({ sql, placement: oneServer });
  await event('evt_before');
  await moveOrganization(moveOf(from, to));
  await event('evt_after');
  const { found, now } = await lookForNews({ sql, placement: oneServer }, [organization], place);
  expect(found).toEqual([organization]);
  expect((await lookForNews({ sql, placement: oneServer }, [organization], now)).found).toEqual([]);
  const query = { organization, types: ['lead.created'], now: new Date() } as const;
  const heard: string[] = [];
  let at = place;
  for (let isEnd = false; !isEnd; ) {
    const page = await readPage({ sql, placement: oneServer }, { ...query, place: at });
    heard.push(...page.envelopes);
    at = page.next;
    isEnd = page.envelopes.length === 0;
  }
  expect(heard).toEqual(['evt_before', 'evt_after']);
  const own = {
    ...query,
    organization: await idOf(to),
    place: await currentPlace({ sql, placement: oneServer }),
  };
  expect(
    (await readPage({ sql, placement: oneServer }, own)).envelopes,
    'what was brought is no news',
  ).toEqual([]);
  await sql.end();
});

test("a pause that a killed move left is ended, an operator's stays", async () => {
  const from = await settled();
  const sql = connect(from.url, { connections: 1, name: 'dealkeep upkeep' });
  const id = await idOf(from);
  await pauseForMove(sql, id);
  expect(await endPausesOfEndedMoves({ sql })).toBe(1);
  expect(await from.sql`select from queue_pauses`).toHaveLength(0);
  await from.sql`insert into queue_pauses (organization_id, reason) values (${id}, 'By hand')`;
  await pauseForMove(sql, id);
  expect(await endPausesOfEndedMoves({ sql })).toBe(0);
  expect(await from.sql`select reason from queue_pauses`).toEqual([{ reason: 'By hand' }]);
  await sql.end();
});

test('whose connection is lost while it copies has moved nothing, although the copy was made', async () => {
  const from = await settled();
  const to = await otherInstallation();
  const id = await idOf(from);
  const blocker = await to.sql.reserve();
  await blocker`begin`;
  await blocker`lock table leads in access exclusive mode`;
  const moving = moveOrganization(moveOf(from, to));
  const failed = expect(moving).rejects.toThrow(/connection.*was lost/i);
  await eventually(async () => {
    const [waits] = await to.sql`select from pg_stat_activity
      where application_name = 'arrival of an organization' and wait_event_type = 'Lock'`;
    expect(waits).toBeDefined();
  });
  // The one that keeps the organization still, and not the one that reads.
  await from.sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
      and pid in (select pid from pg_stat_activity
                  where application_name = 'move of an organization' and datname = current_database())`;
  await eventually(async () => {
    await from.sql`update leads set note = 'meanwhile' where organization_id = ${id}`;
  });
  await blocker`rollback`;
  blocker.release();
  await failed;
  expect(await to.sql`select from organizations`).toHaveLength(0);
  expect(await from.sql`select from organizations where moved_at is not null`).toHaveLength(0);
  expect((await moveOrganization(moveOf(from, to))).rows).toMatchObject({ leads: 60 });
  expect(await to.sql`select from leads where note = 'meanwhile'`).toHaveLength(60);
});
