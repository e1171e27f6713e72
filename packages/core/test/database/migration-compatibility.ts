import type postgres from 'postgres';

/** What stands in the schema, by name: `column leads.note`, `rule leads.leads_status_check`, … */
export type Schema = ReadonlyMap<string, Part>;

interface Part {
  readonly kind: 'table' | 'column' | 'rule' | 'index' | 'trigger' | 'function' | 'sequence';
  /**
   * What a change of it changes: the type of a column, the result of a function, and what it does where a trigger
   * calls it; the text of anything else.
   */
  readonly text: string;
  readonly table: string | null;
  /** Those that a rule or a unique index looks at. */
  readonly columns: readonly string[];
  readonly required: boolean;
  readonly filled: boolean;
  /** A rule refuses rows, as a unique index does. */
  readonly refuses: boolean;
}

/** The tables, columns, rules, indexes, triggers, functions and sequences that PostgreSQL has of ours. */
export async function schemaOf(sql: postgres.ISql): Promise<Schema> {
  const parts = await sql<(Part & { name: string })[]>`
    with ours as (
      select c.oid, c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not exists (
        select from pg_depend d where d.objid = c.oid and d.deptype = 'e'))
    select 'table' as kind, name, '' as text, name as table, '{}'::text[] as columns, false as required, false as filled,
           false as refuses
    from ours
    union all
    select 'column', ours.name || '.' || attname, format_type(atttypid, atttypmod), ours.name, array[attname::text],
           attnotnull, atthasdef or attidentity <> '', false
    from pg_attribute join ours on ours.oid = attrelid where attnum > 0 and not attisdropped
    union all
    select 'rule', ours.name || '.' || conname, replace(pg_get_constraintdef(c.oid), ' NOT VALID', ''), ours.name,
           coalesce((select array_agg(attname::text) from pg_attribute
                     where attrelid = conrelid and attnum = any(conkey)), '{}'), false, false, true
    from pg_constraint c join ours on ours.oid = conrelid where contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select 'index', i.relname, pg_get_indexdef(i.oid), ours.name,
           coalesce((select array_agg(attname::text) from pg_attribute
                     where attrelid = indrelid and attnum = any(indkey)), '{}'), false, false, indisunique
    from pg_index join ours on ours.oid = indrelid join pg_class i on i.oid = indexrelid
    where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    union all
    select 'trigger', ours.name || '.' || tgname, pg_get_triggerdef(t.oid), ours.name, '{}', false, false, true
    from pg_trigger t join ours on ours.oid = tgrelid where not tgisinternal
    union all
    select 'function', p.oid::regprocedure::text, pg_get_function_result(p.oid) ||
             case when prorettype = 'trigger'::regtype then ' as ' || prosrc else '' end, null, '{}', false, false, false
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and not exists (
      select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    -- That of an identity is part of its column.
    select 'sequence', c.relname, concat_ws(' ', seqtypid::regtype, seqmin, seqmax, seqincrement, seqcycle), null, '{}', false, false,
           false
    from pg_sequence join pg_class c on c.oid = seqrelid
    where c.relnamespace = 'public'::regnamespace and not exists (
      select from pg_depend d where d.objid = c.oid and d.deptype = 'i')`;
  return new Map(parts.map(({ name, ...part }) => [`${part.kind} ${name}`, part]));
}

const isUnique = ({ kind, text }: Part): boolean =>
  kind === 'index' ? text.startsWith('CREATE UNIQUE') : kind === 'rule' && /^(?:UNIQUE|PRIMARY)/.test(text);

/**
 * What processes of the version before cannot live with when a migration has made one schema of the other, while
 * they go on reading and writing as they did.
 */
export function breaksOf(before: Schema, after: Schema): string[] {
  const isNew = (name: string): boolean => !before.has(name);
  const gone = [...before].flatMap(([name, part]) =>
    // An index makes nothing but speed, and a check of values may go; `on conflict` needs what is unique.
    after.has(name) || (!isUnique(part) && (part.kind === 'index' || part.refuses))
      ? []
      : [`${name} is gone`],
  );
  const changed = [...after].flatMap(([name, part]) => {
    const was = before.get(name);
    if (was === undefined) return [];
    const matters = part.kind !== 'index' || was.refuses || part.refuses;
    if (was.text !== part.text && matters) return [`${name} was "${was.text}" and is "${part.text}"`];
    if (part.required && !was.required) return [`${name} may no longer be empty`];
    if (part.required && was.filled && !part.filled) return [`${name} has no default any more`];
    return [];
  });
  const added = [...after].flatMap(([name, part]) => {
    const known = part.table !== null && !isNew(`table ${part.table}`);
    if (!known || !isNew(name)) return [];
    if (part.kind === 'column' && part.required && !part.filled)
      return [`${name} must be filled, and the version before does not know it`];
    const isOfNewColumns =
      part.columns.length > 0 && part.columns.every((column) => isNew(`column ${part.table}.${column}`));
    return part.refuses && !isOfNewColumns ? [`${name} may refuse what the version before writes`] : [];
  });
  return [...gone, ...changed, ...added];
}
