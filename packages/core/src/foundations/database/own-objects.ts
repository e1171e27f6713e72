import type { Fragment, Statements } from './connect.ts';

/** The schemas in which our tables are, and those of graphile-worker. */
export const ownSchemas = ['public', 'graphile_worker'] as const;

/**
 * Tables of which the program reads rows and adds some, and neither changes nor removes any. Functions that act as
 * the owner do what has to be done.
 */
export const tablesOnlyAddedTo: readonly string[] = ['audit_entries'];

type Catalog = 'pg_class' | 'pg_proc';

/**
 * Whether an object of the catalog is ours. Administrators keep objects of their own in the same schemas:
 * extensions, their tables, their functions. Ours belong to the role that migrates, which owns the list of
 * migrations, and to no extension. False for all where no migration has run.
 *
 * @param name what the statement calls the row of the catalog
 */
export const isOurs = (sql: Statements, catalog: Catalog, name: string): Fragment => {
  const owner = catalog === 'pg_class' ? 'relowner' : 'proowner';
  return sql`
    (${sql(`${name}.${owner}`)} = (select m.relowner from pg_class m join pg_namespace n on n.oid = m.relnamespace
                                   where m.relname = 'migrations' and n.nspname = 'public')
     and not exists (select from pg_depend d where d.classid = ${catalog}::regclass and d.objid = ${sql(`${name}.oid`)}
                       and d.deptype = 'e'))`;
};
