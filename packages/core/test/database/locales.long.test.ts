import { randomUUID } from 'node:crypto';
import { comparisonForm } from '@dealkeep/contract';
import { signIn } from '@dealkeep/core/accounts';
import { migrate } from '@dealkeep/core/foundations';
import { ownerPassword, ownerPasswordHash, startDealkeep, testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { inTransaction } from '../../src/foundations/database/in-transaction.ts';
import { movePeople } from '../../src/installation/moving/move-people.ts';
import { databaseIn, expectOneIdentity, locales } from './in-locale.ts';

const turkish = locales['Turkish of ICU'];

test.each(Object.entries(locales))(
  'people and companies are one in a database of %s',
  async (_name, locale) => {
    await expectOneIdentity(await databaseIn(locale));
  },
);

/** All assigned code points: the planes 0 to 3, and the signs of plane 14. */
const assigned =
  'generate_series(1, 205743) as c where c not between 55296 and 57343 union all select generate_series(917504, 918015)';
/** The same of letters of alphabets. */
const letters =
  'generate_series(1, 131071) as c where c not between 11904 and 42127 and c not between 44032 and 63743';

test('every code point has the same form in the database and in JavaScript (rule bodies 28)', async () => {
  const { sql } = await testDatabase();
  const rows = await sql.unsafe<{ c: number; form: string }[]>(
    `select c, comparison_form(chr(c)) as form from (select c from ${assigned}) each`,
  );
  expect(rows).toHaveLength(204_207);
  expect(rows.filter(({ c, form }) => comparisonForm(String.fromCodePoint(c)) !== form)).toEqual([]);
  expect(rows.filter(({ form }) => comparisonForm(form) !== form)).toEqual([]);
});

test('every letter has the same form in databases of all locales', async () => {
  const digests = new Set<unknown>();
  for (const locale of Object.values(locales)) {
    const { sql, drop } = await databaseIn(locale);
    const [row] = await sql.unsafe(
      `select md5(string_agg(comparison_form('I' || chr(c) || chr(775)), '' order by c)) as digest from ${letters}`,
    );
    digests.add(row?.['digest']);
    await drop();
  }
  expect(digests.size).toBe(1);
});

const before = '0059-tables-can-be-distributed.sql';

test('two accounts that a Turkish locale has made of one address both sign in after the update, and one is verified', async () => {
  const database = await testDatabase({ migrated: false, locale: turkish });
  await migrate(database.ownerUrl, undefined, before);
  const { sql } = database;
  const [first, second] = [randomUUID(), randomUUID()];
  await sql`
    insert into users (id, email, email_verified, password_hash, created_at, updated_at)
    values (${first}, 'INFO@iris.example', true, ${ownerPasswordHash}, '2026-01-01', '2026-01-01'),
           (${second}, 'info@iris.example', true, ${ownerPasswordHash}, '2026-02-02', '2026-02-02')`;
  await migrate(database.ownerUrl);
  expect(await sql`select id, email_verified from users order by created_at`).toMatchObject([
    { id: first, email_verified: true },
    { id: second, email_verified: false },
  ]);
  const indexes = await sql<{ definition: string }[]>`
    select pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in ('users'::regclass, 'invitations'::regclass, 'companies'::regclass, 'contacts'::regclass, 'orders'::regclass)`;
  expect(indexes.filter(({ definition }) => definition.includes('comparison_form'))).toHaveLength(7);
  expect(indexes.filter(({ definition }) => /\blower\(/.test(definition))).toEqual([]);
  const dealkeep = await startDealkeep({ databaseUrl: database.ownerUrl, worker: false });
  const { slug, id } = await dealkeep.createOrganization();
  for (const person of [first, second])
    await sql`
      insert into memberships (organization_id, id, person_id, name, created_at, updated_at)
      values (${id}, ${person}, ${person}, ${slug}, now(), now())`;
  await signIn(dealkeep.core, { email: 'Info@IRIS.example', password: ownerPassword });
});

test('of two invitations of one address the later one is left', async () => {
  const database = await testDatabase({ migrated: false, locale: turkish });
  await migrate(database.ownerUrl, undefined, before);
  const { sql } = database;
  const dealkeep = await startDealkeep({ databaseUrl: database.ownerUrl, worker: false });
  const { id, ownerId } = await dealkeep.createOrganization();
  for (const [email, made] of [
    ['INFO@iris.example', '2026-01-01'],
    ['info@iris.example', '2026-02-02'],
  ] as const)
    await sql`
      insert into invitations (organization_id, id, email, invited_by, by_mail, expires_at, created_at)
      values (${id}, ${randomUUID()}, ${email}, ${ownerId}, false, '2027-01-01', ${made})`;
  await migrate(database.ownerUrl);
  expect([...(await sql`select email from invitations`)]).toEqual([{ email: 'info@iris.example' }]);
});

test('companies that have become one by name stay two, and an upsert names both', async () => {
  const database = await testDatabase({ migrated: false, locale: locales['C, as CloudNativePG makes it'] });
  await migrate(database.ownerUrl, undefined, before);
  const dealkeep = await startDealkeep({ databaseUrl: database.ownerUrl, worker: false });
  const organization = await dealkeep.createOrganization();
  const { sql } = database;
  for (const name of ['ŽLTÝ', 'žltý'])
    await sql`
      insert into companies (organization_id, id, name, created_at, updated_at)
      values (${organization.id}, ${randomUUID()}, ${name}, now(), now())`;
  await migrate(database.ownerUrl);
  const upserted = await dealkeep
    .as(organization.key)
    .post('/companies/upsert', { match_by: 'name', name: 'Žltý' });
  expect(upserted.status).toBe(409);
});

test('an address is one for a move between databases of two locales', async () => {
  const [from, into] = [await databaseIn(turkish), await databaseIn(locales['the root of ICU'])];
  const there = await startDealkeep({ databaseUrl: into.ownerUrl, worker: false });
  const here = await startDealkeep({ databaseUrl: from.ownerUrl, worker: false });
  const { id } = await here.createOrganization();
  await there.createOrganization();
  await from.sql`update users set email = 'INFO@iris.example'`;
  await into.sql`update users set email = 'info@iris.example'`;
  const moved = await inTransaction(here.core.sql, (out) =>
    inTransaction(there.core.sql, (tx) => movePeople(out, tx, id)),
  );
  expect(moved).toEqual({ moved: 1, apart: 1, known: 0 });
});
