import type { Statements } from './connect.ts';
import { isOurs } from './own-objects.ts';

/** The tables of this database by where they stand when it is more than one server. */
export interface TablesByPlace {
  /** Those of records: each organization's rows stand together, on one of the servers. */
  readonly tenant: readonly string[];
  /** Those of who may do what and of what is on its way: all of their rows stand on the first server. */
  readonly control: readonly string[];
}

/** Control tables that their keys do not tell from tenant tables, and why they are. */
const keptTogether: Readonly<Record<string, string>> = {
  idempotent_answers: 'are claimed together with a lock of the first server, beside limits and credentials',
};

/**
 * By what the schema says. A tenant table has the organization in each of its keys, and nothing that lacks it: no
 * control table refers to it, and no control table but that of organizations is a part of its key.
 */
export async function tablesByPlace(sql: Statements): Promise<TablesByPlace> {
  const rows = await sql<{ name: string; keyed: boolean; refers_to: string[]; keyed_by: string[] }[]>`
    select c.relname::text as name,
           coalesce((select bool_and(o.attnum = any(i.indkey)) and bool_or(i.indisprimary)
                     from pg_index i where i.indrelid = c.oid and i.indisunique), false) as keyed,
           array(select k.confrelid::regclass::text from pg_constraint k
                 where k.conrelid = c.oid and k.contype = 'f') as refers_to,
           array(select k.confrelid::regclass::text from pg_constraint k
                 join pg_index i on i.indrelid = c.oid and i.indisprimary
                 where k.conrelid = c.oid and k.contype = 'f' and k.conkey <@ i.indkey::smallint[]) as keyed_by
    from pg_class c
    left join pg_attribute o on o.attrelid = c.oid and o.attname = 'organization_id' and not o.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and ${isOurs(sql, 'pg_class', 'c')}
    order by c.relname`;
  const control = new Set(
    rows.filter(({ name, keyed }) => !keyed || Object.hasOwn(keptTogether, name)).map(({ name }) => name),
  );
  for (let before = -1; before < control.size; ) {
    before = control.size;
    for (const { name, refers_to, keyed_by } of rows) {
      if (control.has(name)) refers_to.forEach((each) => void control.add(each));
      else if (keyed_by.some((each) => each !== 'organizations' && control.has(each))) control.add(name);
    }
  }
  return {
    tenant: rows.map(({ name }) => name).filter((name) => !control.has(name)),
    control: rows.map(({ name }) => name).filter((name) => control.has(name)),
  };
}
