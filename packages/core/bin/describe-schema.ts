import type postgres from 'postgres';

/** A thing of the schema, the statements that make it, and what must be there before. */
interface Part {
  key: string;
  statement: string;
  needs: string[];
}

/**
 * The statements that make a database's schema `public` anew, without the list of its migrations, in an order in
 * which each finds what it needs. Knows what migrations use: extensions, functions, sequences, tables with their
 * constraints, indexes and statistics, and the rows that they insert; a test compares the catalogues, so anything
 * else is missed there.
 *
 * Of a table, indexes and foreign keys are made one after the other as they were: PostgreSQL looks at them in the
 * order of their making, so that decides which of two conflicts is told, and in which order rows are locked.
 */
export async function describeSchema(sql: postgres.Sql): Promise<string> {
  const parts = [...(await functions(sql)), ...(await sequences(sql)), ...(await tables(sql))];
  return [
    await extensions(sql),
    ...inOrder(parts),
    (await foreignKeys(sql)).join('\n'),
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
      select case refclassid when 'pg_proc'::regclass then 'function ' else 'table ' end || refobjid from pg_depend
      where classid = 'pg_proc'::regclass and objid = p.oid and refclassid in ('pg_proc'::regclass, 'pg_class'::regclass)
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

async function foreignKeys(sql: postgres.Sql): Promise<string[]> {
  const found = await sql<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, quote_ident(conname) as name,
      replace(pg_get_constraintdef(oid), ' NOT VALID', '') as definition
    from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' order by oid`;
  return found.map(
    ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition};`,
  );
}

interface Table {
  key: string;
  name: string;
  options: string | null;
  columns: string[];
  checks: string[];
  /** In the order of their making; those of constraints say their constraint. */
  indexes: { constraint: string | null; definition: string }[];
  statistics: string[];
  functions: string[];
}

async function tables(sql: postgres.Sql): Promise<Part[]> {
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
        from pg_constraint where conrelid = t.oid and contype = 'c' order by conname
      ) as checks,
      coalesce((
        select json_agg(json_build_object('definition', pg_get_indexdef(indexrelid),
          'constraint', 'CONSTRAINT ' || quote_ident(conname) || ' ' || pg_get_constraintdef(c.oid)) order by indexrelid)
        from pg_index left join pg_constraint c on conindid = indexrelid and contype in ('p', 'u', 'x')
        where indrelid = t.oid
      ), '[]') as indexes,
      array(select pg_get_statisticsobjdef(oid) from pg_statistic_ext where stxrelid = t.oid order by stxname) as statistics,
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
  return found.map((table) => ({ key: table.key, statement: makingOf(table), needs: table.functions }));
}

/** Constraints stand in the table as long as no other index was made before theirs. */
function makingOf({ name, options, columns, checks, indexes, statistics }: Table): string {
  const plain = indexes.findIndex(({ constraint }) => constraint === null);
  const within = indexes.slice(0, plain === -1 ? indexes.length : plain);
  const lines = [...columns, ...within.flatMap(({ constraint }) => constraint ?? []), ...checks];
  return [
    `CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n)${options === null ? '' : ` WITH (${options})`};`,
    ...indexes
      .slice(within.length)
      .map(({ constraint, definition }) =>
        constraint === null ? `${definition};` : `ALTER TABLE ${name} ADD ${constraint};`,
      ),
    ...statistics.map((definition) => `${definition};`),
  ].join('\n');
}

/** What is needed comes before, else the order in which migrations made things. */
function inOrder(parts: readonly Part[]): string[] {
  const byKey = new Map(parts.map((part) => [part.key, part]));
  const ordered = new Set<Part>();
  const visit = (part: Part): void => {
    if (ordered.has(part)) return;
    for (const need of part.needs) {
      const other = byKey.get(need);
      if (other && other !== part) visit(other);
    }
    ordered.add(part);
  };
  for (const part of parts) visit(part);
  return [...ordered].map(({ statement }) => statement);
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
      const names = given.map((column) => column.name).join(', ');
      statements.push(`INSERT INTO ${name} (${names}) VALUES (${values.join(', ')});`);
    }
  }
  return statements;
}
