import type { ResourceName } from '@dealkeep/contract';
import type { Fragment, Statements } from '../database/connect.ts';
import { notFound } from '../problem.ts';
import type { Scope } from '../verb/verb.ts';
import {
  type EditableLookup,
  type EditableLookupName,
  editableLookup,
  type LookupUse,
} from './editable-lookups.ts';
import type { LookupEntry } from './lookup-rules.ts';

type Reading = Pick<Scope, 'sql' | 'organization'>;

function columnsOf(sql: Statements, { schema, parent, removal }: EditableLookup): Fragment {
  const own = ['id', ...Object.keys(schema.shape), ...(parent ? [parent.column] : [])];
  const archived = removal === 'archive' ? sql`archived_at` : sql`null as archived_at`;
  return sql`${sql(own)}, ${archived}`;
}

/**
 * The entries of a list, archived ones too, by their names. Where they stand in something, in the order that they have
 * in it.
 *
 * @param parent id of what they stand in, such as the pipeline of stages
 */
export async function readLookups(
  { sql, organization }: Reading,
  name: EditableLookupName,
  parent?: string,
): Promise<LookupEntry[]> {
  const lookup = editableLookup(name);
  const inside =
    lookup.parent && parent !== undefined ? sql`${sql(lookup.parent.column)} = ${parent}` : sql`true`;
  const order = lookup.parent ? sql`position, id` : sql`name collate "sk-x-icu", id`;
  return sql<LookupEntry[]>`
    select ${columnsOf(sql, lookup)} from ${sql(lookup.table)}
    where organization_id = ${organization} and ${inside} order by ${order}`;
}

/** One entry. Raises NOT_FOUND. */
export async function readLookup(
  { sql, organization }: Reading,
  name: EditableLookupName,
  id: string,
  { lock = false } = {},
): Promise<LookupEntry> {
  const lookup = editableLookup(name);
  const [entry] = await sql<LookupEntry[]>`
    select ${columnsOf(sql, lookup)} from ${sql(lookup.table)}
    where organization_id = ${organization} and id = ${id} ${lock ? sql`for update` : sql``}`;
  if (!entry) throw notFound();
  return entry;
}

/** How many records of a kind have an entry. */
export interface LookupUsage {
  readonly resource: ResourceName;
  readonly count: number;
}

/** What has an entry; kinds of records that do not have it are left out. */
export async function readLookupUsage(
  { sql, organization }: Reading,
  name: EditableLookupName,
  id: string,
): Promise<LookupUsage[]> {
  const usage: LookupUsage[] = [];
  for (const { resource, table, ...use } of editableLookup(name).uses) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from ${sql(table)}
      where organization_id = ${organization} and ${hasEntry(sql, use, id)}`;
    if (row && row.count > 0) usage.push({ resource, count: row.count });
  }
  return usage;
}

/** The condition that a record has an entry. */
export function hasEntry(
  sql: Statements,
  { column, holds }: Pick<LookupUse, 'column' | 'holds'>,
  id: string,
): Fragment {
  if (holds === 'ids') return sql`${id}::uuid = any(${sql(column)})`;
  if (holds === 'keys') return sql`${sql(column)} ? ${id}::text`;
  return sql`${sql(column)} = ${id}`;
}
