import type { Database, Statements } from './connect.ts';
import { quoted } from './tables.ts';
import { tablesByPlace } from './tenant-tables.ts';

/** A foreign key that is to be made again. */
export interface NotedKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

export interface ForeignKey extends NotedKey {
  readonly refers_to: string;
}

/** All tables stand beside those of this one, so that one organization's rows are on one server. */
const besides = 'tags';

/** Whether tables of this database are distributed by Citus. */
export async function isDistributed(sql: Statements): Promise<boolean> {
  const [citus] = await sql`select from pg_extension where extname = 'citus'`;
  return citus !== undefined && (await distributedTables(sql)).length > 0;
}

/** Of a database that has the extension. */
export async function distributedTables(sql: Statements): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where p.partmethod = 'h' and c.relnamespace = 'public'::regnamespace`;
  return rows.map(({ name }) => name);
}

/**
 * Distributes each table of records that is not: all, or those that a migration has made. Each step is a
 * transaction, and what is done is not done again, so it can be ended at any moment and run again.
 *
 * @param tell what has been done
 */
export async function distribute(sql: Database, tell: (done: string) => void): Promise<void> {
  const { tenant } = await tablesByPlace(sql);
  const done = await distributedTables(sql);
  const missing = tenant.filter((name) => !done.includes(name));
  if (missing.length > 0) {
    await putKeysAside(sql, tenant, missing);
    tell('Foreign keys put aside');
    await fixEra(sql);
  }
  for (const name of [...missing].sort((one, other) => Number(other === besides) - Number(one === besides))) {
    const place = name === besides ? 'none' : `public.${quoted(besides)}`;
    await sql`select create_distributed_table(${`public.${quoted(name)}`}, 'organization_id', colocate_with => ${place})`;
    tell(`Distributed ${name}`);
  }
  const keys = await notedKeys(sql);
  // What was copied to the other servers stays here as well, unseen.
  if (keys.length > 0)
    for (const name of tenant)
      await sql`select truncate_local_data_after_distributing_table(${`public.${quoted(name)}`})`;
  for (const { table, name, definition } of keys) {
    await sql.begin(async (tx) => {
      await tx.unsafe(`alter table public.${quoted(table)} add constraint ${quoted(name)} ${definition}`);
      await tx`delete from scale_out_keys where table_name = ${table} and key_name = ${name}`;
    });
    tell(`Made the key ${name} again`);
  }
}

/** Between tables of which one is distributed there can be no keys: those that are made again are noted. */
async function putKeysAside(
  sql: Database,
  tenant: readonly string[],
  missing: readonly string[],
): Promise<void> {
  const keys = await foreignKeys(sql, missing);
  await sql.begin(async (tx) => {
    for (const { table, name, refers_to, definition } of keys) {
      if (tenant.includes(refers_to))
        await tx`
          insert into scale_out_keys (table_name, key_name, definition) values (${table}, ${name}, ${definition})
          on conflict do nothing`;
      await tx.unsafe(`alter table public.${quoted(table)} drop constraint ${quoted(name)}`);
    }
  });
}

/**
 * The era of new events is read from a table of the first server, which no other server can do: there it is a
 * number. An era ends only when the first server is another one.
 */
async function fixEra(sql: Database): Promise<void> {
  const [row] = await sql<{ era: number }[]>`select event_era as era from installation`;
  await sql.unsafe(`alter table events alter column era set default ${row?.era ?? 1}`);
}

/** Those of these tables, and those to them. */
export async function foreignKeys(sql: Database, tables: readonly string[]): Promise<ForeignKey[]> {
  return sql<ForeignKey[]>`
    select t.relname::text as table, k.conname::text as name, r.relname::text as refers_to,
           pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0 and t.relnamespace = 'public'::regnamespace
      and (t.relname::text = any(${[...tables]}) or r.relname::text = any(${[...tables]}))
    order by 1, 2`;
}

export async function notedKeys(sql: Database): Promise<NotedKey[]> {
  return sql<NotedKey[]>`
    select table_name as table, key_name as name, definition from scale_out_keys order by 1, 2`;
}
