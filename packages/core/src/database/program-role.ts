import { OperatorError } from '../operator.ts';
import { connect, type Database } from './connect.ts';
import { parseDatabaseAddress } from './database-address.ts';

/**
 * Lets the role of `programUrl` do what the program does, and no more: it reads and writes rows of whatever the owner
 * has made, and can neither alter nor drop anything (least privilege, OWASP Database Security). The role is made with
 * the password of `programUrl` when it does not exist and the owner may make roles.
 *
 * To be called after each migration; safe to repeat. Raises OperatorError when the role is missing and cannot be made.
 */
export async function prepareProgramRole(ownerUrl: string, programUrl: string): Promise<void> {
  const { user: role = '', password = '' } = parseDatabaseAddress(programUrl);
  const sql = connect(ownerUrl, { connections: 1, name: 'dealkeep migrate' });
  try {
    await sql`select pg_advisory_lock(${preparationLock})`;
    if (await isReady(sql, role)) return;
    await makeRole(sql, role, password);
    await grant(sql, role);
    await showJobs(sql, role);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Any number; the same in every process that prepares the role. */
const preparationLock = 4_711_002;

/**
 * Whether nothing is left to do, as at every start but the first of a release. Each privilege is asked for by itself,
 * because `has_table_privilege` with several of them is true for any.
 */
async function isReady(sql: Database, role: string): Promise<boolean> {
  const [row] = await sql<{ ready: boolean }[]>`
    select coalesce(bool_and(has_table_privilege(role.oid, tables.oid, 'select')
                             and has_table_privilege(role.oid, tables.oid, 'insert')
                             and has_table_privilege(role.oid, tables.oid, 'update')
                             and has_table_privilege(role.oid, tables.oid, 'delete')
                             and (not relrowsecurity or exists (select from pg_policy where polrelid = tables.oid
                                                                  and role.oid = any (polroles)))), false) as ready
    from pg_roles as role, pg_class as tables
    where rolname = ${role} and relkind = 'r'
      and relnamespace in (to_regnamespace('public'), to_regnamespace('graphile_worker'))`;
  return row?.ready === true;
}

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
    select nspname as schema from pg_namespace where nspname in ('public', 'graphile_worker')`;
  for (const schema of schemas.map((each) => sql(each.schema))) {
    await sql`grant usage on schema ${schema} to ${name}`;
    await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${name}`;
    await sql`grant usage, select on all sequences in schema ${schema} to ${name}`;
    await sql`grant execute on all functions in schema ${schema} to ${name}`;
  }
}

/** graphile-worker hides the rows of its tables from everybody but their owner. */
async function showJobs(sql: Database, role: string): Promise<void> {
  const hidden = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = to_regnamespace('graphile_worker') and relrowsecurity
      and not exists (select from pg_policy where polrelid = pg_class.oid
                        and to_regrole(quote_ident(${role}))::oid = any (polroles))`;
  for (const table of hidden.map((each) => sql(`graphile_worker.${each.name}`))) {
    await sql`create policy ${sql(role)} on ${table} to ${sql(role)} using (true) with check (true)`;
  }
}
