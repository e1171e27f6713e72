import { randomUUIDv7 } from 'node:crypto';
import { type FieldProblem, fieldsOf, type LookupName } from '@dealkeep/contract';
import { type Changing, isChanging, type ReadContext } from '../../change/verb/verb.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { amountIn } from '../../foundations/numbers/totals.ts';
import { invalidFields } from '../../foundations/problem.ts';
import { touchReferenceData } from '../../identity/reference-data/reference-data.ts';
import { lockLookups } from '../tags/lookup-lock.ts';
import {
  changeLookups,
  type EditableLookup,
  editableLookup,
  type LookupEntry,
  type LookupValues,
  readLookup,
  readLookups,
  schemaOf,
} from './editable-lookups.ts';
import { rulesOf } from './rules.ts';

/** A new entry: what people edit of it, and the id of what it stands in, such as the pipeline of a stage. */
interface NewLookup {
  readonly values: LookupValues;
  readonly parent?: string;
}

/**
 * What is wrong with a new entry. In a change, nobody else changes the lists until its end. Raises NOT_FOUND for a
 * parent that there is not, and VALIDATION_ERROR, such as for a name that is taken.
 */
export async function checkNewLookup(
  context: ReadContext,
  name: LookupName,
  { values, parent }: NewLookup,
): Promise<void> {
  if (isChanging(context)) await lockLookups(context);
  const lookup = editableLookup(name);
  if (lookup.parent) await readLookup(context, lookup.parent.lookup, parent ?? '');
  await requireGood(context, name, { before: undefined, parent, values });
}

/**
 * Adds an entry to a list, at the end where its entries have an order. A pipeline and a project begin with the usual
 * stages. Answers its id.
 */
export async function addLookup(
  changing: Changing,
  name: LookupName,
  { values, parent }: NewLookup,
): Promise<{ id: string }> {
  const lookup = editableLookup(name);
  const { sql, organization, now } = changing;
  const id = randomUUIDv7();
  await rulesOf(name).beforeSaving?.(changing, { id, values });
  const row = {
    organization_id: organization,
    id,
    ...amountsIn(name, columnsOf(values), undefined),
    ...(lookup.parent
      ? { [lookup.parent.column]: parent, position: await nextPosition(changing, lookup, parent ?? '') }
      : { created_at: now, updated_at: now }),
  };
  await sql`insert into ${sql(lookup.table)} ${sql(row)}`;
  await rulesOf(name).afterCreating?.(changing, await readLookup(changing, name, id));
  await touchReferenceData(sql, organization);
  return { id };
}

/** An entry that is changed, and its values after that. */
interface EditedLookup {
  readonly before: LookupEntry;
  readonly values: LookupValues;
}

/**
 * Finds an entry for a change; an absent field stays. Raises NOT_FOUND, and VALIDATION_ERROR, such as for a name
 * that is taken.
 */
export async function checkEditedLookup(
  context: ReadContext,
  name: LookupName,
  { id, changes }: { id: string; changes: LookupValues },
): Promise<EditedLookup> {
  if (isChanging(context)) await lockLookups(context);
  const before = await readLookup(context, name, id);
  const values = amountsIn(name, { ...ownValues(name, before), ...columnsOf(changes) }, before);
  await requireGood(context, name, { before, parent: parentOf(name, before), values });
  return { before, values };
}

/** Changes an entry. */
export async function editLookup(
  changing: Changing,
  name: LookupName,
  { before, values }: EditedLookup,
): Promise<void> {
  const { table, parent } = editableLookup(name);
  const { sql, organization, now } = changing;
  changing.describe({ name: before.name, before });
  const changes = changesOf(before, values);
  if (changes) {
    await rulesOf(name).beforeSaving?.(changing, { id: before.id, values });
    const row = parent ? changes : { ...changes, updated_at: now };
    await sql`update ${sql(table)} set ${sql(row)} where organization_id = ${organization} and id = ${before.id}`;
  }
  await touchReferenceData(sql, organization);
}

/** What is null is cleared, and so is what was given as undefined. */
const columnsOf = (values: LookupValues): LookupValues =>
  Object.fromEntries(Object.entries(values).map(([column, value]) => [column, value ?? null]));

/** With its amounts rounded by its currency. An amount stays as it is that stood there in the same currency. */
function amountsIn(name: LookupName, values: LookupValues, before: LookupEntry | undefined): LookupValues {
  const { currency } = values;
  if (typeof currency !== 'string') return values;
  const stood = before?.['currency'] === currency ? before : undefined;
  const amounts = fieldsOf(schemaOf(name)).filter(({ description }) => description?.unit === 'money');
  const rounded = amounts.flatMap((field) => {
    const amount = values[field.name];
    const same = amount === stood?.[field.name];
    return typeof amount === 'number' && !same ? [[field.name, amountIn(currency, amount)]] : [];
  });
  return { ...values, ...Object.fromEntries(rounded) };
}

const parentOf = (name: LookupName, entry: LookupEntry): string | undefined => {
  const { parent } = editableLookup(name);
  return parent && String(entry[parent.column]);
};

/** What people edit of it. */
const ownValues = (name: LookupName, entry: LookupEntry): LookupValues =>
  Object.fromEntries(Object.keys(schemaOf(name).shape).map((column) => [column, entry[column]]));

interface Saved {
  readonly before: LookupEntry | undefined;
  readonly values: LookupValues;
  readonly parent: string | undefined;
}

async function requireGood(context: ReadContext, name: LookupName, saved: Saved): Promise<void> {
  const problems = await problemsIn(context, name, saved);
  if (problems.length > 0) throw invalidFields(problems);
}

/** What is wrong with values that the contract takes, by the organization's other entries and rules. */
async function problemsIn(
  reading: Pick<ReadContext, 'sql' | 'organization'>,
  list: LookupName,
  { before, parent, values }: Saved,
): Promise<FieldProblem[]> {
  const { name } = values;
  const ofRules = (await rulesOf(list).problemsOf?.(reading, { before, values })) ?? [];
  // An entry keeps its name even if another one has it, from before names had to differ.
  if (typeof name !== 'string' || name === before?.name) return ofRules;
  const taken = await nameIsTaken(reading, editableLookup(list), { name, parent, except: before?.id });
  return taken ? [{ path: 'name', key: 'field.name_taken' }, ...ofRules] : ofRules;
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
 * Raises NOT_FOUND.
 */
export const moveLookup = (
  changing: Changing,
  name: LookupName,
  { id, direction }: { id: string; direction: 'up' | 'down' },
): Promise<void> =>
  changeLookups(changing, async () => {
    const { table, parent } = editableLookup(name);
    if (!parent) throw new Error(`The entries of ${name} have no order of their own`);
    const { sql, organization } = changing;
    const entry = await readLookup(changing, name, id);
    changing.describe({ name: entry.name });
    const ids = (await readLookups(changing, name, String(entry[parent.column]))).map((each) => each.id);
    const place = ids.indexOf(id);
    const other = ids[direction === 'up' ? place - 1 : place + 1];
    if (other === undefined) return;
    const ordered = ids.map((each) => (each === id ? other : each === other ? id : each));
    await sql`
      update ${sql(table)} x set position = o.position - 1
      from unnest(${ordered}::uuid[]) with ordinality as o (id, position)
      where x.organization_id = ${organization} and x.id = o.id`;
  });

/** Whether another entry that can be chosen has the name, in upper or lower case. */
export async function nameIsTaken(
  { sql, organization }: Pick<ReadContext, 'sql' | 'organization'>,
  { table, parent: inside, removal }: EditableLookup,
  { name, parent, except }: { name: string; parent: string | undefined; except: string | undefined },
): Promise<boolean> {
  const siblings = inside ? sql`${sql(inside.column)} = ${parent ?? null}` : sql`true`;
  const offered = removal === 'archive' ? sql`archived_at is null` : sql`true`;
  const rows = await sql`
    select 1 from ${sql(table)}
    where organization_id = ${organization} and comparison_form(name) = comparison_form(${name}) and id is distinct from ${except ?? null}
      and ${siblings} and ${offered}
    limit 1`;
  return rows.length > 0;
}
