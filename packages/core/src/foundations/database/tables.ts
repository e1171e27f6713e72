import { ourSchema, type Statements } from './connect.ts';
import { isOurs } from './own-objects.ts';

/** A table of this database, as its catalog says. */
export interface CopiedTable {
  readonly name: string;
  /** In their order, without those that PostgreSQL computes. */
  readonly columns: readonly string[];
}

/** Tables that a backup does not have, and why. Every other one is in it: a new table cannot be forgotten. */
export const leftOutOfBackups: Readonly<Record<string, string>> = {
  backup_runs: 'backups of the original; those files are not for another database to remove',
  migrations: 'written by the migrations that run before the rows come; their names stand in the first line',
  processes: 'processes that ran on the original',
  workers: 'workers of the original; what they had leased waits again',
};

/** Tables that a migrated database, or one that a server was started on, has rows in before anybody used it. */
export const filledByStarting: readonly string[] = [
  ...Object.keys(leftOutOfBackups),
  'installation',
  'revocations',
  'secrets_keys',
  'worker_activity',
];

/** Belongs to an extension that an administrator has installed. */
const ofExtension = `exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/**
 * The tables that a backup of this database has, by name: ours, and none that an administrator keeps beside them.
 */
export async function copiedTables(sql: Statements): Promise<CopiedTable[]> {
  const all = await allTables(sql);
  const ours = await sql<{ name: string }[]>`
    select c.relname::text as name from pg_class c
    where c.relnamespace = ${ourSchema}::regnamespace and ${isOurs(sql, 'pg_class', 'c')}`;
  const names = new Set(ours.map(({ name }) => name));
  return all.filter(({ name }) => names.has(name) && !Object.hasOwn(leftOutOfBackups, name));
}

export async function allTables(sql: Statements): Promise<CopiedTable[]> {
  const rows = await sql.unsafe<{ name: string; columns: string }[]>(`
    select c.relname::text as name, json_agg(a.attname order by a.attnum)::text as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = '${ourSchema}'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not ${ofExtension}
    group by c.relname order by c.relname`);
  return rows.map(({ name, columns }) => ({ name, columns: JSON.parse(columns) }));
}

export async function sequenceNames(sql: Statements): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname::text as name from pg_class c
    where c.relnamespace = ${ourSchema}::regnamespace and c.relkind = 'S' and ${isOurs(sql, 'pg_class', 'c')}
    order by c.relname`;
  return rows.map(({ name }) => name);
}

/** A name for a statement's text. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const columnsOf = ({ columns }: CopiedTable): string => columns.map(quoted).join(', ');
