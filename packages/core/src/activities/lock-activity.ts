import { notFound } from '../problem.ts';
import type { Changing, Scope } from '../verb/verb.ts';
import type { ActivityColumns } from './activity-record.ts';

/** The activity's row, locked until the transaction ends. Raises NOT_FOUND. */
export async function lockActivity({ sql, organization }: Changing, id: string): Promise<ActivityColumns> {
  const [row] = await sql<ActivityColumns[]>`
    select * from activities where organization_id = ${organization} and id = ${id} for update`;
  if (!row) throw notFound();
  return row;
}

/** The same row, not locked; undefined where there is none. */
export async function findActivity(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  id: string,
): Promise<ActivityColumns | undefined> {
  const [row] = await sql<ActivityColumns[]>`
    select * from activities where organization_id = ${organization} and id = ${id}`;
  return row;
}
