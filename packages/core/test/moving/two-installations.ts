import { systemClock } from '@dealkeep/core/foundations';
import { type TestDatabase, testDatabase } from '@dealkeep/testing';
import { connect } from '../../src/foundations/database/connect.ts';
import { isRowOf, movedTables } from '../../src/installation/moving/moved-tables.ts';
import { fillDatabase } from '../backup/filled.ts';

/** Another installation, of the same kind, with the same key; nobody belongs to it yet. */
export async function otherInstallation(): Promise<TestDatabase> {
  const other = await testDatabase();
  await other.sql`update installation set environment = 'live'`;
  await other.sql`insert into secrets_keys (fingerprint) values ('0011223344556677')`;
  return other;
}

/** Everything of an installation is settled: nothing is under way. */
export async function fillSettled(from: TestDatabase): Promise<void> {
  await fillDatabase(from);
  await from.sql`update deliveries set worker_id = null`;
  await from.sql`
    update graphile_worker._private_jobs set key = 'mail/' || (select id from organizations) || '/invitation/one'`;
  await from.sql`update imports set status = 'finished', finished_at = now()`;
}

export const moveOf = (from: TestDatabase, to: TestDatabase, more: object = {}) => ({
  from: from.ownerUrl,
  to: to.ownerUrl,
  slug: 'own',
  version: '1',
  clock: systemClock,
  ...more,
});

export const idOf = async ({ sql }: TestDatabase, slug = 'own'): Promise<string> =>
  (await sql<{ id: string }[]>`select id from organizations where slug = ${slug}`)[0]?.id ?? '';

/** Everything of an organization, as its tables have it. */
export async function everything(
  { ownerUrl }: TestDatabase,
  organization: string,
): Promise<Record<string, string[]>> {
  const sql = connect(ownerUrl, { connections: 1, name: 'test' });
  const found: Record<string, string[]> = {};
  for (const table of await movedTables(sql)) {
    const rows = await sql.unsafe<{ row: string }[]>(
      `select t::text as row from "${table.name}" t where ${isRowOf(table, organization)} order by 1`,
    );
    found[table.name] = rows.map(({ row }) => row);
  }
  await sql.end();
  return found;
}
