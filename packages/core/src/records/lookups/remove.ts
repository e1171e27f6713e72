import type { LookupName } from '@dealkeep/contract';
import { type Changing, isChanging, type ReadContext } from '../../change/verb/verb.ts';
import { Problem } from '../../foundations/problem.ts';
import { touchReferenceData } from '../../identity/reference-data/reference-data.ts';
import { lockLookups } from '../tags/lookup-lock.ts';
import {
  changeLookups,
  type EditableLookup,
  editableLookup,
  hasEntry,
  type LookupEntry,
  type LookupValues,
  readLookup,
  readLookupUsage,
} from './editable-lookups.ts';
import { type RemovalWork, rulesOf } from './rules.ts';
import { nameIsTaken } from './save.ts';

/** An entry that is removed, and what is done before, such as sending its records elsewhere. */
interface Removal {
  readonly entry: LookupEntry;
  readonly before: RemovalWork | undefined;
}

/**
 * Finds an entry for its removal. Raises NOT_FOUND, VALIDATION_ERROR where what stands in it needs a stage, CONFLICT
 * where the list cannot do without it or more would move than is moved at once.
 */
export async function checkRemoval(
  context: ReadContext,
  name: LookupName,
  { id, where }: { id: string; where: LookupValues },
): Promise<Removal> {
  if (isChanging(context)) await lockLookups(context);
  const entry = await readLookup(context, name, id, { lock: isChanging(context) });
  return { entry, before: await rulesOf(name).checkRemoval?.(context, entry, where) };
}

/**
 * Removes an entry from its list. What records have is archived, and they keep it; tags and custom fields are taken
 * out of the records; leads and tasks that stand in a stage go to the stages that were chosen, each with its events.
 * Answers which of it was done.
 */
export async function removeLookup(
  changing: Changing,
  name: LookupName,
  { entry, before }: Removal,
): Promise<'removed' | 'archived'> {
  changing.describe({ name: entry.name });
  await before?.(changing);
  const done = await archiveOrDelete(changing, name, entry);
  await touchReferenceData(changing.sql, changing.organization);
  return done;
}

async function archiveOrDelete(
  changing: Changing,
  name: LookupName,
  entry: LookupEntry,
): Promise<'removed' | 'archived'> {
  const lookup = editableLookup(name);
  const { sql, organization, now } = changing;
  const { id } = entry;
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
}

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
