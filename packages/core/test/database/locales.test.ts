import { migrate } from '@dealkeep/core/foundations';
import { testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { databaseIn, expectOneIdentity, locales } from './in-locale.ts';

test('people and companies are one in a Turkish database as in any other (rules bodies 16 and 28)', async () => {
  await expectOneIdentity(await databaseIn(locales['Turkish of ICU']));
});

test('a database that cannot hold texts is left as it is, and migrate says why', async () => {
  const latin = await testDatabase({
    migrated: false,
    locale: "encoding 'LATIN1' locale_provider libc locale 'C'",
  });
  await expect(migrate(latin.ownerUrl)).rejects.toThrow(/encoded in LATIN1.*encoding 'UTF8'/);
  const bare = await testDatabase({ migrated: false });
  await bare.sql`drop collation pg_catalog."sk-x-icu"`;
  await expect(migrate(bare.ownerUrl)).rejects.toThrow(/lacks the collations sk-x-icu.*ICU/);
  for (const { sql } of [latin, bare])
    expect(await sql`select from pg_class where relnamespace = 'public'::regnamespace`).toEqual([]);
});
