import { OperatorError } from '../operator.ts';
import { connect, type Database, type Fragment } from './connect.ts';
import { parseDatabaseAddress } from './database-address.ts';
import { isOurs, ownSchemas, tablesOnlyAddedTo } from './own-objects.ts';

/**
 * Lets the role of `programUrl` do what the program does, and no more: it reads and writes rows of whatever the
 * owner has made, but only adds to the audit log, and can neither alter nor drop anything (least privilege, OWASP
 * Database Security). The role is made with the password of `programUrl` when it does not exist and the owner may
 * make roles.
 *
 * To be called after each migration; safe to repeat. Raises OperatorError when the role is missing and cannot be
 * made.
 */
export async function prepareProgramRole(ownerUrl: string, programUrl: string): Promise<void> {
  const { user: role = '', password = '' } = parseDatabaseAddress(programUrl);
  const sql = connect(ownerUrl, { connections: 1, name: 'dealkeep migrate' });
  try {
    await sql`select pg_advisory_lock(${preparationLock})`;
    if (await isReady(sql, role)) return;
    await makeRole(sql, role, password);
    await grant(sql, role);
    await withhold(sql, role);
    await showRows(sql, role);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Any number; the same in every process that prepares the role. */
const preparationLock = 4_711_002;

/**
 * Whether nothing is left to do, as at every start but the first of a release. Each privilege is asked for by
 * itself, because `has_table_privilege` with several of them is true for any.
 */
async function isReady(sql: Database, role: string): Promise<boolean> {
  const [row] = await sql<{ ready: boolean }[]>`
    select (select coalesce(bool_and(has_table_privilege(role.oid, c.oid, 'select')
                                     and has_table_privilege(role.oid, c.oid, 'insert')
                                     and (${isOnlyAddedTo(sql)}
                                          or has_table_privilege(role.oid, c.oid, 'update')
                                             and has_table_privilege(role.oid, c.oid, 'delete'))
                                     and not (${isOnlyAddedTo(sql)} and ${mayChange(sql, 'role.oid')})
                                     and (not c.relrowsecurity or exists (${wholePolicies(sql, 'c.oid', 'role.oid')}))), false)
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind = 'r' and n.nspname = any(${[...ownSchemas]}::text[]) and ${isOurs(sql, 'pg_class', 'c')})
           and (select coalesce(bool_and(has_function_privilege(role.oid, p.oid, 'execute')), true)
                from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                where n.nspname = any(${[...ownSchemas]}::text[]) and ${isOurs(sql, 'pg_proc', 'p')})
           and not exists (${functionsForAll(sql)})
           and (select bool_and(has_schema_privilege(role.oid, n.oid, 'usage'))
                from pg_namespace n where n.nspname = any(${[...ownSchemas]}::text[])) as ready
    from pg_roles as role where rolname = ${role}`;
  return row?.ready === true;
}

/** Whether the program only adds to a table, `c`. */
const isOnlyAddedTo = (sql: Database): Fragment => sql`
  (c.relname = any(${[...tablesOnlyAddedTo]}::text[]) and c.relnamespace = 'public'::regnamespace)`;

/** Whether a role that does not act as the owner may change or remove rows of a table, `c`. */
const mayChange = (sql: Database, role: string): Fragment => sql`
  (not pg_has_role(${sql(role)}, c.relowner, 'usage')
   and (has_any_column_privilege(${sql(role)}, c.oid, 'update') or has_table_privilege(${sql(role)}, c.oid, 'delete')
        or has_table_privilege(${sql(role)}, c.oid, 'truncate')))`;

/** Functions that act as the owner, and that every role may call: as PostgreSQL makes them. */
const functionsForAll = (sql: Database): Fragment => sql`
  select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.prosecdef and n.nspname = any(${[...ownSchemas]}::text[]) and ${isOurs(sql, 'pg_proc', 'p')}
    and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) right_of
                where right_of.grantee = 0)`;

/** Takes away what only the owner is to do, and keeps what acts as the owner from all others. */
async function withhold(sql: Database, role: string): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select c.relname::text as name from pg_class c join pg_roles as wanted on wanted.rolname = ${role}
    where ${isOnlyAddedTo(sql)} and ${isOurs(sql, 'pg_class', 'c')} and ${mayChange(sql, 'wanted.oid')}`;
  for (const { name } of tables)
    await sql`revoke update, delete, truncate on ${sql(`public.${name}`)} from ${sql(role)}`;
  const functions = await sql<{ text: string }[]>`
    select format('revoke execute on function %s from public', oid::regprocedure::text) as text
    from (${functionsForAll(sql)}) for_all`;
  for (const { text } of functions) await sql.unsafe(text);
}

/** Policies that show a role all rows of a table, and let it write all. */
const wholePolicies = (sql: Database, table: string, role: string): Fragment => sql`
  select from pg_policy
  where polrelid = ${sql(table)} and ${sql(role)} = any (polroles) and polcmd = '*' and polpermissive
    and pg_get_expr(polqual, polrelid) = 'true' and coalesce(pg_get_expr(polwithcheck, polrelid), 'true') = 'true'`;

async function makeRole(sql: Database, role: string, password: string): Promise<void> {
  const [known] = await sql`select from pg_roles where rolname = ${role}`;
  if (known) return;
  const [me] = await sql<{ may: boolean }[]>`
    select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user`;
  if (!me?.may) {
    throw new OperatorError(
      `The role ${role} of DATABASE_URL does not exist, and the role of DATABASE_OWNER_URL may not make it. ` +
        `As an administrator: create role "${role}" login password '…'`,
    );
  }
  // Utility statements take no parameters; PostgreSQL quotes the values itself.
  const [statement] = await sql<{ text: string }[]>`
    select format('create role %I login password %L nosuperuser nocreatedb nocreaterole noreplication',
                  ${role}::text, ${password}::text) as text`;
  if (statement) await sql.unsafe(statement.text);
}

async function grant(sql: Database, role: string): Promise<void> {
  const name = sql(role);
  const [{ database = '' } = {}] = await sql<{ database: string }[]>`select current_database() as database`;
  await sql`grant connect on database ${sql(database)} to ${name}`;
  // For tables that the owner makes later, too, by a migration after which this is not called.
  await sql`alter default privileges grant usage on schemas to ${name}`;
  await sql`alter default privileges grant select, insert, update, delete on tables to ${name}`;
  await sql`alter default privileges grant usage, select on sequences to ${name}`;
  await sql`alter default privileges grant execute on functions to ${name}`;
  const schemas = await sql<{ schema: string }[]>`
    select nspname as schema from pg_namespace where nspname = any(${[...ownSchemas]}::text[])`;
  for (const { schema } of schemas) await sql`grant usage on schema ${sql(schema)} to ${name}`;
  // Only on our own objects: the owner cannot grant rights on what an administrator keeps in the same schema.
  const grants = await sql<{ text: string }[]>`
    select format('grant select, insert, update, delete on %s to %I', string_agg(c.oid::regclass::text, ', '),
                  ${role}::text) as text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v') and n.nspname = any(${[...ownSchemas]}::text[])
      and ${isOurs(sql, 'pg_class', 'c')}
    having count(*) > 0
    union all
    select format('grant usage, select on sequence %s to %I', string_agg(c.oid::regclass::text, ', '), ${role}::text)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and n.nspname = any(${[...ownSchemas]}::text[]) and ${isOurs(sql, 'pg_class', 'c')}
    having count(*) > 0
    union all
    select format('grant execute on function %s to %I', string_agg(p.oid::regprocedure::text, ', '), ${role}::text)
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.prokind in ('f', 'w', 'a') and n.nspname = any(${[...ownSchemas]}::text[])
      and ${isOurs(sql, 'pg_proc', 'p')}
    having count(*) > 0`;
  for (const { text } of grants) await sql.unsafe(text);
}

/**
 * graphile-worker hides the rows of its tables from everybody but their owner, and some hosts those of all tables.
 */
async function showRows(sql: Database, role: string): Promise<void> {
  const hidden = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_roles as wanted on wanted.rolname = ${role}
    where n.nspname = any(${[...ownSchemas]}::text[]) and c.relrowsecurity and ${isOurs(sql, 'pg_class', 'c')}
      and not exists (${wholePolicies(sql, 'c.oid', 'wanted.oid')})`;
  for (const table of hidden.map((each) => sql(`${each.schema}.${each.name}`))) {
    // One of this name may have been changed by hand.
    await sql`drop policy if exists ${sql(role)} on ${table}`;
    await sql`create policy ${sql(role)} on ${table} to ${sql(role)} using (true) with check (true)`;
  }
}
