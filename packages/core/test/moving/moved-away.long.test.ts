import { systemClock } from '@dealkeep/core/foundations';
import {
  type ForgottenOrganization,
  forgetOrganization,
  moveOrganization,
  type TakenBackOrganization,
  takeBackOrganization,
} from '@dealkeep/core/installation';
import { filledOnce, type TestDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { connect } from '../../src/foundations/database/connect.ts';
import { prepareFence } from '../../src/installation/moving/fence.ts';
import { requireNoFences, takeLeftFencesAway } from '../../src/installation/moving/left-fences.ts';
import { movedTables } from '../../src/installation/moving/moved-tables.ts';
import { everything, fillSettled, idOf, moveOf, otherInstallation } from './two-installations.ts';

const settled = filledOnce(fillSettled);

const movedAway = (here: TestDatabase, there: TestDatabase | undefined) => ({
  here: here.ownerUrl,
  there: there?.ownerUrl,
  slug: 'own',
});
const forget = (here: TestDatabase, there?: TestDatabase): Promise<ForgottenOrganization> =>
  forgetOrganization(movedAway(here, there));
const takeBack = (here: TestDatabase, there?: TestDatabase): Promise<TakenBackOrganization> =>
  takeBackOrganization(movedAway(here, there), { clock: systemClock });

/** The organization has moved from the one into the other. */
async function moved(): Promise<{ from: TestDatabase; to: TestDatabase; id: string }> {
  const from = await settled();
  const to = await otherInstallation();
  const id = await idOf(from);
  await moveOrganization(moveOf(from, to));
  return { from, to, id };
}

/** As a restore from a backup of before the move leaves it. */
async function lose({ sql, ownerUrl }: TestDatabase): Promise<void> {
  const owner = connect(ownerUrl, { connections: 1, name: 'test' });
  const names = (await movedTables(owner)).map(({ name }) => `"${name}"`);
  await owner.end();
  await sql.unsafe(`truncate ${names.join()} cascade`);
}

test('nothing of an organization is removed that has not moved, or that the other installation does not have', async () => {
  const here = await settled();
  await expect(forget(here)).rejects.toThrow('has not moved');
  const { from, to, id } = await moved();
  const before = await everything(from, id);
  await expect(forget(from, from)).rejects.toThrow('The other database is this one');
  await expect(forget(from, await otherInstallation())).rejects.toThrow('is not known as the one that');
  await lose(to);
  await expect(forget(from, to)).rejects.toThrow('may be all that there is of it');
  expect(await everything(from, id)).toEqual(before);
  expect(await forget(from)).toMatchObject({ rows: { leads: 60 } });
});

test.each([
  ['as its people are removed', 'users', 'statement'],
  ['after its people are removed', 'activity_types', 'row'],
])('a removal that ends %s leaves nobody behind when it is run again', async (_, table, each) => {
  const { from, to } = await moved();
  await from.sql`create function refuse() returns trigger language plpgsql as $$begin raise 'ended'; end$$`;
  await from.sql.unsafe(
    `create trigger refused before delete on ${table} for each ${each} execute function refuse()`,
  );
  await expect(forget(from, to)).rejects.toThrow('ended');
  await from.sql.unsafe(`drop trigger refused on ${table}`);
  await forget(from, to);
  for (const name of ['users', 'memberships', 'organizations']) {
    expect(await from.sql`select from ${from.sql(name)}`).toHaveLength(0);
  }
});

test('an organization that the other installation has lost goes on here as it was', async () => {
  const { from, to, id } = await moved();
  await expect(takeBack(from, to)).rejects.toThrow('would be in both');
  await lose(to);
  const before = await everything(from, id);
  const [era] = await from.sql`select event_era from installation`;
  expect(await takeBack(from, to)).toMatchObject({ organization: 'own' });
  const after = await everything(from, id);
  expect(after['leads']).toEqual(before['leads']);
  expect(after['audit_entries']?.some((row) => row.includes('organizations.take-back'))).toBe(true);
  expect(await from.sql`select moved_at from organizations where id = ${id}`).toEqual([{ moved_at: null }]);
  await from.sql`update leads set note = 'goes on' where organization_id = ${id}`;
  expect(await from.sql`select from pg_trigger where tgname like 'moves\\_%'`).toHaveLength(0);
  expect(await from.sql`select from queue_pauses`).toHaveLength(0);
  // Cursors that were given there stand before what happens now.
  const [later] = await from.sql`select event_era from installation`;
  expect(Number(later?.['event_era'])).toBeGreaterThan(Number(era?.['event_era']));
  await expect(takeBack(from, to)).rejects.toThrow('has not moved');
  expect((await moveOrganization(moveOf(from, to))).rows).toMatchObject({ leads: 60 });
});

test('what has moved and is not forgotten stands in the way of a scale-out; what a killed move left is taken away', async () => {
  const { from, to } = await moved();
  const sql = connect(from.ownerUrl, { connections: 1, name: 'test' });
  const fences = async (): Promise<number> =>
    (await sql`select from pg_trigger where tgname like 'moves\\_%'`).length;
  await sql`
    insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
    values (gen_random_uuid(), 'Stays', 'stays', 'SK', 'EUR', 'UTC', 50, 20, now())`;
  const ofMoved = await fences();
  await prepareFence(sql, await idOf(from, 'stays'));
  await expect(requireNoFences(sql)).rejects.toThrow(/have left rows here \(own\).*forget each/);
  await takeLeftFencesAway(sql);
  expect(await fences()).toBe(ofMoved);
  await forget(from, to);
  await requireNoFences(sql);
  expect(await fences()).toBe(0);
  await sql.end();
});

test('an organization of which rows were removed is not taken back', async () => {
  const { from, to } = await moved();
  await from.sql`create function refuse() returns trigger language plpgsql as $$begin raise 'ended'; end$$`;
  await from.sql`create trigger refused before delete on activity_types for each row execute function refuse()`;
  await expect(forget(from, to)).rejects.toThrow('ended');
  await expect(takeBack(from)).rejects.toThrow('nothing whole is left');
});
