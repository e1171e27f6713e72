import type postgres from 'postgres';

/** A thing of the schema, the statement that makes it, and what must be there before. */
interface Part {
  key: string;
  statement: string;
  needs: string[];
}

/** A foreign key, which stands in its table unless tables refer to each other in a circle. */
interface ForeignKey {
  table: string;
  name: string;
  definition: string;
  target: string;
}

/**
 * The statements that make a database's schema `public` anew, without the list of its migrations, in an order in which
 * each finds what it needs. Knows what migrations use: extensions, functions, sequences, tables with their constraints,
 * indexes and statistics, and the rows that they insert; a test compares the catalogues, so anything else is missed there.
 */
export async function describeSchema(sql: postgres.Sql): Promise<string> {
  const keys = await foreignKeys(sql);
  const parts = [...(await functions(sql)), ...(await sequences(sql)), ...(await tables(sql, keys))];
  const { ordered, late } = inOrder(parts, keys);
  return [
    await extensions(sql),
    ...ordered,
    ...late.map(
      ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition};`,
    ),
    ...(await rows(sql)),
    '',
  ].join('\n\n');
}

async function extensions(sql: postgres.Sql): Promise<string> {
  const found = await sql`select extname from pg_extension where extname <> 'plpgsql' order by extname`;
  return found.map(({ extname }) => `CREATE EXTENSION IF NOT EXISTS ${extname};`).join('\n');
}

async function functions(sql: postgres.Sql): Promise<Part[]> {
  const found = await sql<{ key: string; definition: string; needs: string[] }[]>`
    select 'function ' || p.oid as key, pg_get_functiondef(p.oid) as definition, array(
      select case classid when 'pg_proc'::regclass then 'function ' else 'table ' end || refobjid
      from (select refclassid as classid, refobjid from pg_depend
        where classid = 'pg_proc'::regclass and objid = p.oid and refclassid in ('pg_proc'::regclass, 'pg_class'::regclass)) d
    ) as needs
    from pg_proc p
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
    order by p.oid`;
  return found.map(({ key, definition, needs }) => ({
    key,
    statement: `${definition.replace('CREATE OR REPLACE FUNCTION', 'CREATE FUNCTION').trimEnd()};`,
    needs,
  }));
}

async function sequences(sql: postgres.Sql): Promise<Part[]> {
  const found = await sql<{ key: string; name: string; type: string; cycle: boolean }[]>`
    select 'table ' || c.oid as key, quote_ident(relname) as name, format_type(seqtypid, null) as type, seqcycle as cycle
    from pg_sequence join pg_class c on c.oid = seqrelid
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'i')
    order by c.oid`;
  return found.map(({ key, name, type, cycle }) => ({
    key,
    statement: `CREATE SEQUENCE ${name} AS ${type}${cycle ? ' CYCLE' : ''};`,
    needs: [],
  }));
}

const foreignKeys = (sql: postgres.Sql): Promise<ForeignKey[]> => sql<ForeignKey[]>`
  select 'table ' || conrelid as table, quote_ident(conname) as name,
    replace(pg_get_constraintdef(oid), ' NOT VALID', '') as definition, 'table ' || confrelid as target
  from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f'
  order by conrelid, conname`;

interface Table {
  key: string;
  name: string;
  options: string | null;
  columns: string[];
  constraints: string[];
  indexes: string[];
  functions: string[];
}

/** Each with what belongs to it. Foreign keys are added once it is known which come late. */
async function tables(sql: postgres.Sql, keys: readonly ForeignKey[]): Promise<Part[]> {
  const found = await sql<Table[]>`
    select 'table ' || t.oid as key, quote_ident(relname) as name, array_to_string(reloptions, ', ') as options,
      array(
        select quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
          || case when attidentity = 'a' then ' GENERATED ALWAYS AS IDENTITY' else '' end
          || case when attgenerated = 's' then ' GENERATED ALWAYS AS (' || pg_get_expr(adbin, adrelid) || ') STORED' else '' end
          || case when attgenerated = '' and adbin is not null then ' DEFAULT ' || pg_get_expr(adbin, adrelid) else '' end
          || case when attnotnull then ' NOT NULL' else '' end
        from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = t.oid and attnum > 0 and not attisdropped order by attnum
      ) as columns,
      array(
        select 'CONSTRAINT ' || quote_ident(conname) || ' ' || replace(pg_get_constraintdef(oid), ' NOT VALID', '')
        from pg_constraint where conrelid = t.oid and contype in ('p', 'u', 'x', 'c')
        order by position(contype in 'puxc'), conname
      ) as constraints,
      array(
        select pg_get_indexdef(indexrelid) from pg_index where indrelid = t.oid
          and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
        order by indexrelid::regclass::text
      ) || array(select pg_get_statisticsobjdef(oid) from pg_statistic_ext where stxrelid = t.oid order by stxname) as indexes,
      array(
        select distinct 'function ' || refobjid from pg_depend
        where refclassid = 'pg_proc'::regclass and (
          (classid = 'pg_class'::regclass and objid in (select indexrelid from pg_index where indrelid = t.oid))
          or (classid = 'pg_attrdef'::regclass and objid in (select oid from pg_attrdef where adrelid = t.oid))
          or (classid = 'pg_constraint'::regclass and objid in (select oid from pg_constraint where conrelid = t.oid)))
      ) as functions
    from pg_class t
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
    order by t.oid`;
  return found.map(({ key, name, options, columns, constraints, indexes, functions }) => ({
    key,
    statement: [
      `CREATE TABLE ${name} (\n  ${[...columns, ...constraints, keysOf(key)].join(',\n  ')}\n)${options === null ? '' : ` WITH (${options})`};`,
      ...indexes.map((index) => `${index.replace(' ON public.', ' ON ')};`),
    ].join('\n'),
    needs: [...functions, ...keys.filter(({ table }) => table === key).map(({ target }) => target)],
  }));
}

/** Where the foreign keys of a table will stand. */
const keysOf = (table: string): string => `{keys of ${table}}`;

/** Depth first, in the order in which migrations made things. A foreign key that would close a circle comes late. */
function inOrder(
  parts: readonly Part[],
  keys: readonly ForeignKey[],
): { ordered: string[]; late: ForeignKey[] } {
  const byKey = new Map(parts.map((part) => [part.key, part]));
  const begun = new Set<string>();
  const done = new Set<string>();
  const ordered: string[] = [];
  const names = new Map(
    parts.map(({ key, statement }) => [key, /^CREATE TABLE (\S+)/.exec(statement)?.[1] ?? '']),
  );
  const late: ForeignKey[] = [];
  const visit = ({ key, statement, needs }: Part): void => {
    if (begun.has(key)) return;
    begun.add(key);
    for (const need of needs) {
      const other = byKey.get(need);
      if (other && need !== key) visit(other);
    }
    const own = keys.filter(({ table }) => table === key);
    const early = own.filter(({ target }) => target === key || done.has(target));
    late.push(
      ...own
        .filter((each) => !early.includes(each))
        .map((each) => ({ ...each, table: names.get(key) ?? '' })),
    );
    const definitions = early.map(({ name, definition }) => `CONSTRAINT ${name} ${definition}`).join(',\n  ');
    ordered.push(
      definitions === ''
        ? statement.replace(`,\n  ${keysOf(key)}`, '')
        : statement.replace(keysOf(key), () => definitions),
    );
    done.add(key);
  };
  for (const part of parts) visit(part);
  return { ordered, late };
}

/** What migrations put into tables; moments are those of the making. */
async function rows(sql: postgres.Sql): Promise<string[]> {
  const found = await sql<{ name: string; columns: { name: string; moment: boolean }[] }[]>`
    select quote_ident(relname) as name, (
      select json_agg(json_build_object('name', attname, 'moment', atttypid = 'timestamptz'::regtype) order by attnum)
      from pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
    from pg_class t where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
    order by relname`;
  const statements: string[] = [];
  for (const { name, columns } of found) {
    for (const row of await sql.unsafe(`select to_json(t) as row from ${name} t`)) {
      const given = columns.filter((column) => row['row'][column.name] !== null);
      const values = given.map((column) =>
        column.moment ? 'now()' : `'${String(row['row'][column.name]).replaceAll("'", "''")}'`,
      );
      statements.push(
        `INSERT INTO ${name} (${given.map((column) => column.name).join(', ')}) VALUES (${values.join(', ')});`,
      );
    }
  }
  return statements;
}
