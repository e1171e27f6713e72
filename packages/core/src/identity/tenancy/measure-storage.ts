import type { Database, Fragment, Statements } from '../../foundations/database/connect.ts';
import { oneServer, type Placement } from '../../foundations/database/placement.ts';
import type { Log } from '../../foundations/log.ts';
import {
  inspectedStoragePages,
  storageCeilingShare,
  storageNoticedShare,
} from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';

/** What a quota is counted in. */
export const bytesOfMb = 1_000_000;

/**
 * How near its quota an organization is: of `near` its owners are told, `full` makes no more records, and of `over`
 * no record is changed any more, because each change leaves an event.
 */
export type StorageState = 'near' | 'full' | 'over';

/**
 * Raises LIMIT_EXCEEDED where an organization makes no more records, or where it changes none and this is a change.
 */
export function requireStorage(
  { storage }: { readonly storage?: StorageState },
  work: 'making' | 'changing',
): void {
  if (work === 'making' && (storage === 'full' || storage === 'over')) throw new Problem('storage.full');
  if (storage === 'over') throw new Problem('storage.over');
}

/** The state of `organizations o` whose rows take so much. */
export const storageStateOf = (
  sql: Statements,
  bytes: Fragment,
  quotaMb: number | undefined,
): Fragment => sql`
  case when ${bytes} >= ${storageCeilingShare}::float * ${quotaOf(sql, quotaMb)} then 'over'
       when ${bytes} >= ${quotaOf(sql, quotaMb)} then 'full'
       when ${bytes} >= ${storageNoticedShare}::float * ${quotaOf(sql, quotaMb)} then 'near' end`;

/** Null where nobody has set one. */
const quotaOf = (sql: Statements, usualMb: number | undefined): Fragment =>
  sql`coalesce(o.max_storage_mb, ${usualMb ?? null}::integer) * ${bytesOfMb}::bigint`;

/**
 * Measures what the rows of each organization take, without indexes, and says of each how near its quota that is. Of
 * a large table it reads some pages, always the same, so that it costs no more as tables grow, and what it finds
 * does not sway. Answers for how many the state changed.
 */
export async function measureStorage(
  {
    sql,
    storageQuotaMb,
    log,
    placement = oneServer,
  }: { sql: Database; storageQuotaMb?: number | undefined; log: Log; placement?: Placement },
  pagesRead: number = inspectedStoragePages,
): Promise<number> {
  const bytes = new Map<string, number>();
  for (const { table, pages } of await tablesOfOrganizations(sql, placement)) {
    const percent = Math.min(100, (100 * pagesRead) / Math.max(pages, 1));
    const rows = await sql<{ organization: string; bytes: number }[]>`
      select organization_id as organization, sum(pg_column_size(t))::float as bytes
      from ${sql(table)} t tablesample system (${percent}) repeatable (1)
      where organization_id is not null group by 1`;
    for (const each of rows) {
      bytes.set(each.organization, (bytes.get(each.organization) ?? 0) + (each.bytes * 100) / percent);
    }
  }
  const amounts = [...bytes.values()].map((each) => String(Math.round(each)));
  const written = await sql<{ slug: string; state: StorageState | null; bytes: number; is_news: boolean }[]>`
    with measured as (
      select o.id, o.storage_state as former, m.bytes, ${storageStateOf(sql, sql`m.bytes`, storageQuotaMb)} as state
      from organizations o
      left join unnest(${[...bytes.keys()]}::uuid[], ${amounts}::text[]) as given (id, bytes) on given.id = o.id
      cross join lateral (select coalesce(given.bytes::bigint, 0) as bytes) m)
    update organizations o set storage_bytes = m.bytes, storage_state = m.state from measured m
    where o.id = m.id and (o.storage_bytes, o.storage_state) is distinct from (m.bytes, m.state)
    returning o.slug, m.state, m.bytes::float, m.state is distinct from m.former as is_news`;
  const changed = written.filter(({ is_news }) => is_news);
  for (const { slug, state, bytes: used } of changed) {
    if (state === 'near') log.warn({ slug, bytes: used }, 'An organization comes near its storage quota');
    if (state === 'full' || state === 'over')
      log.warn({ slug, bytes: used }, 'An organization has used up its storage quota');
  }
  return changed.length;
}

/** Those with rows of organizations. */
const tablesOfOrganizations = (
  sql: Database,
  placement: Placement,
): Promise<{ table: string; pages: number }[]> =>
  sql<{ table: string; pages: number }[]>`
    select c.relname::text as "table",
           (${placement.bytesOf(sql, sql`c.oid`)} / current_setting('block_size')::integer)::float as pages
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' order by 1`;
