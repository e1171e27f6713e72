import type { Statements } from '../../foundations/database/connect.ts';
import { allTables, type CopiedTable } from '../../foundations/database/tables.ts';

/**
 * Tables of which nothing moves with an organization as it stands, and why. Every other one has its organization in
 * each row.
 */
export const notMoved: Readonly<Record<string, string>> = {
  backup_runs: 'backups of the whole installation',
  installation: 'the installation itself',
  migrations: 'the same in both databases, or nothing moves',
  oauth_apps:
    'applications belong to no organization; those that it uses come with it where they are unknown',
  processes: 'processes of the installation',
  rate_windows: 'requests of the last minutes',
  revocations: 'a number that the processes of the installation watch',
  scale_out_keys: 'of the tables, while they are distributed over several servers',
  secrets_keys: 'keys of the installation; what it was encrypted with is noted in the other',
  sign_in_attempts: 'failures of the last minutes, by hashes',
  users: 'people belong to no organization; its members come with it, each by themselves',
  worker_activity: 'when a worker of the installation last did something',
  workers: 'workers of the installation',
};

/** The tables that an organization has rows in, each behind those that it refers to. */
export async function movedTables(sql: Statements): Promise<CopiedTable[]> {
  const left = (await allTables(sql)).filter(
    ({ name, columns }) => name === 'organizations' || columns.includes('organization_id'),
  );
  const references = await sql<{ from: string; to: string }[]>`
    select distinct f.relname::text as "from", t.relname::text as "to"
    from pg_constraint c join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and c.conrelid <> c.confrelid`;
  const sorted: CopiedTable[] = [];
  while (left.length > 0) {
    const next = left.findIndex(
      ({ name }) =>
        !references.some(({ from, to }) => from === name && left.some((each) => each.name === to)),
    );
    const [table] = left.splice(next, 1);
    if (next < 0 || !table) throw new Error('Tables refer to each other in a circle');
    sorted.push(table);
  }
  return sorted;
}

/** The condition on a row of such a table. The id is one that the database gave. */
export const isRowOf = ({ name }: CopiedTable, organization: string): string =>
  `${name === 'organizations' ? 'id' : 'organization_id'} = '${organization}'::uuid`;
