import { type LookupName, lookupSettings, type ResourceName } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Changing, ReadContext } from '../../change/verb/verb.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { notFound, Problem } from '../../foundations/problem.ts';
import { touchReferenceData } from '../../identity/reference-data/reference-data.ts';
import { lockLookups } from '../tags/lookup-lock.ts';

/** A column of other records that names the entries of a list. */
interface LookupUse {
  readonly resource: ResourceName;
  readonly table: string;
  readonly column: string;
  /** One id, an array of ids, or an object whose keys are ids. */
  readonly holds: 'id' | 'ids' | 'keys';
}

/** A list to choose from as it is edited. */
export interface EditableLookup {
  readonly table: string;
  readonly uses: readonly LookupUse[];
  /**
   * What happens when an entry is removed that records have: it is archived and they keep it, it is taken out of
   * them, or they go elsewhere, which the rules see to.
   */
  readonly removal: 'archive' | 'take_out' | 'rules';
  /** The column of what its entries stand in, in an order of their own. */
  readonly parent?: { readonly column: string; readonly lookup: 'pipeline' | 'project' };
}

const use = (
  resource: ResourceName,
  table: string,
  column: string,
  holds: LookupUse['holds'] = 'id',
): LookupUse => ({ resource, table, column, holds });

/** Every list that owners edit. */
export const editableLookups = {
  pipeline: {
    table: 'pipelines',
    uses: [use('lead', 'leads', 'pipeline_id')],
    removal: 'rules',
  },
  stage: {
    table: 'stages',
    uses: [use('lead', 'leads', 'stage_id')],
    removal: 'rules',
    parent: { column: 'pipeline_id', lookup: 'pipeline' },
  },
  'lead-origin': {
    table: 'lead_origins',
    uses: [use('lead', 'leads', 'origin_id')],
    removal: 'archive',
  },
  'lost-reason': {
    table: 'lost_reasons',
    uses: [use('lead', 'leads', 'lost_reason_id')],
    removal: 'archive',
  },
  'activity-type': {
    table: 'activity_types',
    uses: [use('activity', 'activities', 'type_id')],
    removal: 'archive',
  },
  tag: {
    table: 'tags',
    uses: [use('company', 'companies', 'tag_ids', 'ids'), use('lead', 'leads', 'tag_ids', 'ids')],
    removal: 'take_out',
  },
  'custom-field': {
    table: 'custom_fields',
    uses: [use('company', 'companies', 'custom_fields', 'keys')],
    removal: 'take_out',
  },
  'custom-field-group': {
    table: 'custom_field_groups',
    uses: [use('custom-field', 'custom_fields', 'group_id')],
    removal: 'take_out',
  },
  project: {
    table: 'projects',
    uses: [use('task', 'tasks', 'project_id')],
    removal: 'archive',
  },
  'project-stage': {
    table: 'project_stages',
    uses: [use('task', 'tasks', 'stage_id')],
    removal: 'rules',
    parent: { column: 'project_id', lookup: 'project' },
  },
  'booking-service': {
    table: 'booking_services',
    uses: [use('booking', 'bookings', 'service_id')],
    removal: 'archive',
  },
  'booking-staff': {
    table: 'booking_staff',
    uses: [use('booking', 'bookings', 'staff_id')],
    removal: 'archive',
  },
} as const satisfies Record<LookupName, EditableLookup>;

export const editableLookup = (name: LookupName): EditableLookup => editableLookups[name];

/** What people edit of an entry; its fields are the table's columns. */
export const schemaOf = (name: LookupName): z.ZodObject => lookupSettings[name].schema;

/** An entry of a list with what people edit of it. */
export interface LookupEntry {
  readonly id: string;
  readonly name: string;
  /** RFC 3339; null while it can be chosen, and in lists whose entries are never archived. */
  readonly archived_at: string | null;
  readonly [column: string]: unknown;
}

/** The columns of an entry, checked by the contract. */
export type LookupValues = Readonly<Record<string, unknown>>;

type Reading = Pick<ReadContext, 'sql' | 'organization'>;

function columnsOf(sql: Statements, name: LookupName): Fragment {
  const { parent, removal } = editableLookup(name);
  const own = ['id', ...Object.keys(schemaOf(name).shape), ...(parent ? [parent.column] : [])];
  const archived = removal === 'archive' ? sql`archived_at` : sql`null as archived_at`;
  return sql`${sql(own)}, ${archived}`;
}

/**
 * The entries of a list, archived ones too, by their names. Where they stand in something, in the order that they
 * have in it.
 *
 * @param parent id of what they stand in, such as the pipeline of stages
 */
export async function readLookups(
  { sql, organization }: Reading,
  name: LookupName,
  parent?: string,
): Promise<LookupEntry[]> {
  const lookup = editableLookup(name);
  const inside =
    lookup.parent && parent !== undefined ? sql`${sql(lookup.parent.column)} = ${parent}` : sql`true`;
  const order = lookup.parent ? sql`position, id` : sql`name collate "sk-x-icu", id`;
  return sql<LookupEntry[]>`
    select ${columnsOf(sql, name)} from ${sql(lookup.table)}
    where organization_id = ${organization} and ${inside} order by ${order}`;
}

/** One entry. Raises NOT_FOUND. */
export async function readLookup(
  { sql, organization }: Reading,
  name: LookupName,
  id: string,
  { lock = false } = {},
): Promise<LookupEntry> {
  const lookup = editableLookup(name);
  const [entry] = await sql<LookupEntry[]>`
    select ${columnsOf(sql, name)} from ${sql(lookup.table)}
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
  name: LookupName,
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

/**
 * A change of the lists of an organization: one after the other, so that what was looked at before (is the name
 * free, which one is the last) still holds; and every process knows of it as soon as it is committed.
 */
export async function changeLookups<Result>(
  { sql, organization }: Pick<Changing, 'sql' | 'organization'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await lockLookups({ sql, organization });
  const result = await work();
  await touchReferenceData(sql, organization);
  return result;
}

/**
 * Raises CONFLICT where an entry is no longer what was shown to whoever changes it, and NOT_FOUND; nobody changes it
 * until the transaction ends.
 */
export async function requireShown(
  changing: Pick<Changing, 'sql' | 'organization'>,
  name: LookupName,
  shown: LookupEntry,
): Promise<void> {
  await lockLookups(changing);
  const now = await readLookup(changing, name, shown.id);
  if (JSON.stringify(shown) !== JSON.stringify(now)) throw new Problem('record.changed');
}
