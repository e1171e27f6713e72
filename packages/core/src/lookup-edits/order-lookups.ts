import type { Core } from '../core.ts';
import type { Once, OrganizationName } from '../verb/transact.ts';
import { changeLookups } from './change-lookups.ts';
import { type EditableLookupName, editableLookup } from './editable-lookups.ts';
import { readLookup, readLookups } from './read-lookups.ts';

/**
 * Moves an entry one place up or down among those that stand in the same pipeline or project; nothing at either end.
 * Answers the ids in their order. Raises NOT_FOUND.
 */
export const moveLookup = (
  core: Core,
  organization: OrganizationName,
  name: EditableLookupName,
  { id, direction }: { id: string; direction: 'up' | 'down' },
  once?: Once,
): Promise<string[]> =>
  changeLookups(
    core,
    organization,
    async (changing) => {
      const { table, parent } = editableLookup(name);
      if (!parent) throw new Error(`The entries of ${name} have no order of their own`);
      const { sql } = changing;
      const entry = await readLookup(changing, name, id);
      const ids = (await readLookups(changing, name, String(entry[parent.column]))).map((each) => each.id);
      const place = ids.indexOf(id);
      const other = ids[direction === 'up' ? place - 1 : place + 1];
      if (other === undefined) return ids;
      const ordered = ids.map((each) => (each === id ? other : each === other ? id : each));
      await sql`
        update ${sql(table)} x set position = o.position - 1
        from unnest(${ordered}::uuid[]) with ordinality as o (id, position)
        where x.organization_id = ${organization.id} and x.id = o.id`;
      return ordered;
    },
    once,
  );
