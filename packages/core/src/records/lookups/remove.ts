import type { LookupName } from '@dealkeep/contract';
import type { Changing } from '../../change/verb/verb.ts';
import { Problem } from '../../foundations/problem.ts';
import {
  changeLookups,
  type EditableLookup,
  editableLookup,
  hasEntry,
  type LookupValues,
  readLookup,
  readLookupUsage,
} from './editable-lookups.ts';
import { rulesOf } from './rules.ts';
import { nameIsTaken } from './save.ts';

/**
 * Removes an entry from its list. What records have is archived, and they keep it; tags and custom fields are taken
 * out of the records; leads and tasks that stand in a stage go to the stages that `where` names, each with its
 * events. Answers which of it was done. Raises NOT_FOUND, VALIDATION_ERROR where they need a stage, CONFLICT where
 * the list cannot do without the entry or more would move than is moved at once.
 */
export const removeLookup = (
  changing: Changing,
  name: LookupName,
  { id, where }: { id: string; where: LookupValues },
): Promise<'removed' | 'archived'> =>
  changeLookups(changing, async () => {
    const lookup = editableLookup(name);
    const { sql, organization, now } = changing;
    const entry = await readLookup(changing, name, id, { lock: true });
    changing.describe({ name: entry.name });
    await rulesOf(name).beforeRemoving?.(changing, entry, where);
    if (lookup.removal === 'archive' && (await readLookupUsage(changing, name, id)).length > 0) {
      await sql`
        update ${sql(lookup.table)} set archived_at = coalesce(archived_at, ${now}), updated_at = ${now}
        where organization_id = ${organization} and id = ${id}`;
      return 'archived';
    }
    if (lookup.removal === 'take_out') await takeOut(changing, lookup, id);
    await rulesOf(name).beforeDeleting?.(changing, entry);
    await sql`delete from ${sql(lookup.table)} where organization_id = ${organization} and id = ${id}`;
    return 'removed';
  });

/**
 * Takes an entry out of the records that have it. They refer to it by its id, so this is no change of theirs: no
 * event, and `updated_at` stays.
 */
async function takeOut({ sql, organization }: Changing, { uses }: EditableLookup, id: string): Promise<void> {
  for (const { table, ...use } of uses) {
    const column = sql(use.column);
    const without = {
      id: sql`null`,
      ids: sql`array_remove(${column}, ${id}::uuid)`,
      keys: sql`${column} - ${id}::text`,
    }[use.holds];
    await sql`
      update ${sql(table)} set ${column} = ${without}
      where organization_id = ${organization} and ${hasEntry(sql, use, id)}`;
  }
}

/** Offers an archived entry again. Raises NOT_FOUND, and CONFLICT when another one has its name by now. */
export const restoreLookup = (changing: Changing, name: LookupName, { id }: { id: string }): Promise<void> =>
  changeLookups(changing, async () => {
    const lookup = editableLookup(name);
    const { sql, organization, now } = changing;
    const entry = await readLookup(changing, name, id, { lock: true });
    changing.describe({ name: entry.name });
    if (entry.archived_at === null) return;
    if (await nameIsTaken(changing, lookup, { name: entry.name, parent: undefined, except: id })) {
      throw new Problem('lookup.name_taken', { name: entry.name });
    }
    await sql`
      update ${sql(lookup.table)} set archived_at = null, updated_at = ${now}
      where organization_id = ${organization} and id = ${id}`;
  });
