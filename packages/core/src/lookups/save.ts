import { randomUUIDv7 } from 'node:crypto';
import type { FieldProblem } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import { changesOf } from '../database/values.ts';
import { invalidFields, Problem } from '../problem.ts';
import { checkInputThroughout, problemsThroughout } from '../verb/check-input.ts';
import type { Once, OrganizationName } from '../verb/transact.ts';
import type { Changing, Scope } from '../verb/verb.ts';
import {
  changeLookups,
  type EditableLookup,
  type EditableLookupName,
  editableLookup,
  readLookup,
  readLookups,
} from './editable-lookups.ts';
import { type LookupEntry, type LookupValues, rulesOf } from './rules.ts';

/** A new entry: what people edit of it, and the id of what it stands in, such as the pipeline of a stage. */
interface NewLookup {
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
    const parent = parentOf(name, before);
    if (shown && JSON.stringify(shown) !== JSON.stringify(before)) throw new Problem('record.changed');
    const values = { ...ownValues(name, before), ...wanted };
    const checked = await check(changing, name, { before, values, parent });
    const changes = changesOf(before, checked);
    if (!changes) return before;
    await rulesOf(name).beforeSaving?.(changing, { id, values: checked });
    const row = lookup.parent ? changes : { ...changes, updated_at: now };
    await sql`update ${sql(lookup.table)} set ${sql(row)} where organization_id = ${organization.id} and id = ${id}`;
    return readLookup(changing, name, id);
  });

/**
 * What is wrong with an entry that is made, or with changes of one, as far as it can be known without saving it: for a
 * form that is refused anyway. Raises NOT_FOUND.
 *
 * @param entry the entry of `id` with these values instead of its own; a new one without
 */
export async function lookupProblems(
  { sql }: Pick<Core, 'sql'>,
  organization: Pick<OrganizationName, 'id'>,
  name: EditableLookupName,
  { id, values, parent }: NewLookup & { readonly id?: string },
): Promise<FieldProblem[]> {
  const reading = { sql, organization: organization.id };
  const before = id === undefined ? undefined : await readLookup(reading, name, id);
  const saved = before
    ? { before, parent: parentOf(name, before), values: { ...ownValues(name, before), ...values } }
    : { before, parent, values };
  return problemsThroughout(editableLookup(name).schema, saved.values, ({ part }) =>
    problemsIn(reading, name, saved, part),
  );
}

const parentOf = (name: EditableLookupName, entry: LookupEntry): string | undefined => {
  const { parent } = editableLookup(name);
  return parent && String(entry[parent.column]);
};

/** What people edit of it. */
const ownValues = (name: EditableLookupName, entry: LookupEntry): LookupValues =>
  Object.fromEntries(Object.keys(editableLookup(name).schema.shape).map((column) => [column, entry[column]]));

interface Saved {
  readonly before: LookupEntry | undefined;
  readonly values: LookupValues;
  readonly parent: string | undefined;
}

async function check(changing: Changing, name: EditableLookupName, saved: Saved): Promise<LookupValues> {
  const { schema } = editableLookup(name);
  const checked: LookupValues = await checkInputThroughout(schema, saved.values, ({ part }) =>
    problemsIn(changing, name, saved, part),
  );
  const problems = await problemsIn(changing, name, saved, checked);
  if (problems.length > 0) throw invalidFields(problems);
  return Object.fromEntries(Object.entries(checked).map(([column, value]) => [column, value ?? null]));
}

/** What is wrong with values that the contract takes, by the organization's other entries and rules. */
async function problemsIn(
  reading: Pick<Scope, 'sql' | 'organization'>,
  list: EditableLookupName,
  { before, parent }: Pick<Saved, 'before' | 'parent'>,
  values: LookupValues,
): Promise<FieldProblem[]> {
  const { name } = values;
  const further = (await rulesOf(list).problemsOf?.(reading, { before, values })) ?? [];
  // An entry keeps its name even if another one has it, from before names had to differ.
  if (typeof name !== 'string' || name === before?.name) return further;
  const taken = await nameIsTaken(reading, editableLookup(list), { name, parent, except: before?.id });
  return taken ? [{ path: 'name', key: 'field.name_taken' }, ...further] : further;
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
