import type { Scope } from '../verb/verb.ts';
import type { EditableLookup } from './editable-lookups.ts';

/** Whether another entry that can be chosen has the name, in upper or lower case. */
export async function nameIsTaken(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  { table, parent: inside, removal }: EditableLookup,
  { name, parent, except }: { name: string; parent: string | undefined; except: string | undefined },
): Promise<boolean> {
  const siblings = inside ? sql`${sql(inside.column)} = ${parent ?? null}` : sql`true`;
  const offered = removal === 'archive' ? sql`archived_at is null` : sql`true`;
  const rows = await sql`
    select 1 from ${sql(table)}
    where organization_id = ${organization} and lower(name) = lower(${name}) and id is distinct from ${except ?? null}
      and ${siblings} and ${offered}
    limit 1`;
  return rows.length > 0;
}
