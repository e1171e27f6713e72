import { randomUUIDv7 } from 'node:crypto';
import type { FieldProblem } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import { changesOf } from '../database/changes.ts';
import { invalidFields, Problem } from '../problem.ts';
import { checkInputThroughout } from '../verb/check-input.ts';
import type { Once, OrganizationName } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';
import { changeLookups } from './change-lookups.ts';
import { type EditableLookup, type EditableLookupName, editableLookup } from './editable-lookups.ts';
import type { LookupEntry, LookupValues } from './lookup-rules.ts';
import { nameIsTaken } from './name-is-taken.ts';
import { readLookup } from './read-lookups.ts';
import { rulesOf } from './rules-of.ts';

/** A new entry: what people edit of it, and the id of what it stands in, such as the pipeline of a stage. */
export interface NewLookup {
  readonly values: LookupValues;
  readonly parent?: string;
}

/**
 * Adds an entry to a list, at the end where its entries have an order. A pipeline and a project begin with the usual
 * stages. Answers it. Raises NOT_FOUND for a parent that there is not, and VALIDATION_ERROR, also for a name that is
 * taken.
 */
export const createLookup = (
  core: Core,
  organization: OrganizationName,
  name: EditableLookupName,
  { values, parent }: NewLookup,
  once?: Once,
): Promise<LookupEntry> =>
  changeLookups(
    core,
    organization,
    async (changing) => {
      const lookup = editableLookup(name);
      const { sql, now } = changing;
      if (lookup.parent) await readLookup(changing, lookup.parent.lookup, parent ?? '');
      const checked = await check(changing, name, { before: undefined, values, parent });
      const id = randomUUIDv7();
      await rulesOf(name).beforeSaving?.(changing, { id, values: checked });
      const row = {
        organization_id: organization.id,
        id,
        ...checked,
        ...(lookup.parent
          ? { [lookup.parent.column]: parent, position: await nextPosition(changing, lookup, parent ?? '') }
          : { created_at: now, updated_at: now }),
      };
      await sql`insert into ${sql(lookup.table)} ${sql(row)}`;
      const entry = await readLookup(changing, name, id);
      await rulesOf(name).afterCreating?.(changing, entry);
      return entry;
    },
    once,
  );

/**
 * Changes an entry; an absent field stays. Answers it. Raises NOT_FOUND, VALIDATION_ERROR, also for a name that is taken,
 * and CONFLICT when the entry is no longer what was `shown` to whoever changes it.
 */
export const updateLookup = (
  core: Core,
  organization: OrganizationName,
  name: EditableLookupName,
  { id, changes: wanted, shown }: { id: string; changes: LookupValues; shown?: LookupEntry },
): Promise<LookupEntry> =>
  changeLookups(core, organization, async (changing) => {
    const lookup = editableLookup(name);
    const { sql, now } = changing;
    const before = await readLookup(changing, name, id);
    const parent = lookup.parent && String(before[lookup.parent.column]);
    if (shown && JSON.stringify(shown) !== JSON.stringify(before)) throw new Problem('record.changed');
    const own = Object.keys(lookup.schema.shape).map((column) => [column, before[column]]);
    const values = { ...Object.fromEntries(own), ...wanted };
    const checked = await check(changing, name, { before, values, parent });
    const changes = changesOf(before, checked);
    if (!changes) return before;
    await rulesOf(name).beforeSaving?.(changing, { id, values: checked });
    const row = lookup.parent ? changes : { ...changes, updated_at: now };
    await sql`update ${sql(lookup.table)} set ${sql(row)} where organization_id = ${organization.id} and id = ${id}`;
    return readLookup(changing, name, id);
  });

async function check(
  changing: Changing,
  list: EditableLookupName,
  {
    before,
    values,
    parent,
  }: { before: LookupEntry | undefined; values: LookupValues; parent: string | undefined },
): Promise<LookupValues> {
  const lookup = editableLookup(list);
  const problemsOf = async (read: LookupValues): Promise<FieldProblem[]> => {
    const { name } = read;
    const further = (await rulesOf(list).problemsOf?.(changing, { before, values: read })) ?? [];
    // One that was there before names had to differ stays as it is.
    if (typeof name !== 'string' || name === before?.name) return further;
    const taken = await nameIsTaken(changing, lookup, { name, parent, except: before?.id });
    return taken ? [{ path: 'name', key: 'field.name_taken' }, ...further] : further;
  };
  const checked: LookupValues = await checkInputThroughout(lookup.schema, values, ({ part }) =>
    problemsOf(part),
  );
  const problems = await problemsOf(checked);
  if (problems.length > 0) throw invalidFields(problems);
  return Object.fromEntries(Object.entries(checked).map(([column, value]) => [column, value ?? null]));
}

async function nextPosition(
  { sql, organization }: Changing,
  { table, parent: inside }: EditableLookup,
  parent: string,
): Promise<number> {
  const [row] = await sql<{ next: number }[]>`
    select coalesce(max(position) + 1, 0) as next from ${sql(table)}
    where organization_id = ${organization} and ${sql(inside?.column ?? '')} = ${parent}`;
  return row?.next ?? 0;
}
