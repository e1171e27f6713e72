import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import type { Database } from './connect.ts';
import { isOurs, ownSchemas, tablesOnlyAddedTo } from './own-objects.ts';

/** What the catalog says of the rights of the role that asks. */
interface Standing {
  /** What the role lacks, in words: `insert on leads`. */
  lacking: string[];
  /** Changes with every right, policy and owner, of anyone. */
  mark: string;
  /** A standby, or a database that was set to read only. */
  takes_no_writes: boolean;
}

/**
 * Proves that the role of a connection may do what the program does: read and write our rows and those of
 * graphile-worker, past row-level security, and call the functions. The catalog is asked each time. What it cannot
 * tell, whether a job can be added, changed and removed, is tried in a transaction that is rolled back, as often as
 * a right, a policy or an owner has changed: so an idle installation writes nothing.
 */
export class RightsProof {
  readonly #sql: Database;
  #proven: string | undefined;

  constructor(sql: Database) {
    this.#sql = sql;
  }

  /** What the role lacks, in words for operators; empty when it may do all. Takes about 3 ms of the database. */
  async lacking(): Promise<string[]> {
    const { lacking, mark, takes_no_writes } = await standingOf(this.#sql);
    // Where nobody can write, a trial tells nothing of this role.
    if (lacking.length > 0 || takes_no_writes || mark === this.#proven) return lacking;
    const refused = await tryJobs(this.#sql);
    if (refused !== undefined) return [refused];
    this.#proven = mark;
    return [];
  }
}

/**
 * The tables that are only added to, and of which this role, or one that it acts as, may nevertheless change or
 * remove rows.
 */
export async function changeableTables(sql: Database): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${[...tablesOnlyAddedTo]}::text[])
      and (has_any_column_privilege(c.oid, 'update') or has_table_privilege(c.oid, 'delete')
           or has_table_privilege(c.oid, 'truncate') or pg_has_role(c.relowner, 'usage'))
    order by name`;
  return rows.map(({ name }) => name);
}

/** What a sentence says of what is lacking: the first few stand for all. */
export function lackingInWords(lacking: readonly string[]): string {
  const [named, more] = [lacking.slice(0, 5).join(', '), lacking.length - 5];
  return more > 0 ? `${named} and ${more} more` : named;
}

async function standingOf(sql: Database): Promise<Standing> {
  const [row] = await sql<Standing[]>`
    with spaces as (select oid, nspname, nspacl from pg_namespace where nspname = any(${[...ownSchemas]}::text[])),
    tables as (
      select c.oid, c.relkind, c.relacl, c.relowner, c.relrowsecurity, c.relforcerowsecurity,
             case nspname when 'public' then '' else nspname || '.' end || relname as name
      from pg_class c join spaces on spaces.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v') and ${isOurs(sql, 'pg_class', 'c')}),
    functions as (
      select p.oid, p.proacl, p.proowner,
             case nspname when 'public' then '' else nspname || '.' end || proname as name
      from pg_proc p join spaces on spaces.oid = p.pronamespace where ${isOurs(sql, 'pg_proc', 'p')}
      union all
      -- What searches and exclusions call.
      select p.oid, p.proacl, p.proowner, p.proname
      from pg_extension e
      join pg_depend d on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid
                      and d.classid = 'pg_proc'::regclass and d.deptype = 'e'
      join pg_proc p on p.oid = d.objid
      where e.extname in ('pg_trgm', 'btree_gist')),
    sequences as (
      select c.oid, c.relacl, case nspname when 'public' then '' else nspname || '.' end || relname as name
      from pg_class c join spaces on spaces.oid = c.relnamespace
      where c.relkind = 'S' and ${isOurs(sql, 'pg_class', 'c')}
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                          and d.deptype = 'i')),
    policies as (
      select tables.oid, p.polpermissive as is_permissive,
             p.polcmd = '*' and coalesce(pg_get_expr(p.polqual, p.polrelid), 'true') = 'true'
               and coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'true') = 'true' as lets_all,
             concat_ws(' ', p.oid, p.polcmd, p.polroles, pg_get_expr(p.polqual, p.polrelid),
                       pg_get_expr(p.polwithcheck, p.polrelid)) as text
      from pg_policy p join tables on tables.oid = p.polrelid
      where exists (select from unnest(p.polroles) as role
                    where role = 0 or pg_has_role(current_user, role, 'usage'))),
    hidden as (
      select name from tables
      where row_security_active(tables.oid)
        and (not exists (select from policies p where p.oid = tables.oid and p.is_permissive and p.lets_all)
             or exists (select from policies p where p.oid = tables.oid and not p.is_permissive and not p.lets_all))),
    lacking as (
      select 1 as part, 'usage on schema ' || nspname as what from spaces
      where not has_schema_privilege(oid, 'usage')
      union all
      select 2, wanted || ' on ' || name
      from tables cross join unnest(array['select', 'insert', 'update', 'delete']) as wanted
      where (relkind <> 'v' or wanted = 'select') and not has_table_privilege(oid, wanted)
        and not (wanted in ('update', 'delete') and name = any(${[...tablesOnlyAddedTo]}::text[]))
      union all
      select 3, 'a policy for all rows of ' || name from hidden
      union all
      select 4, 'execute on function ' || name from functions where not has_function_privilege(oid, 'execute')
      union all
      select 5, 'usage on sequence ' || name from sequences where not has_sequence_privilege(oid, 'usage'))
    select array(select what from lacking order by part, what) as lacking,
           current_setting('transaction_read_only')::boolean as takes_no_writes,
           md5(concat_ws(' ',
             (select concat_ws(' ', oid, rolsuper, rolbypassrls) from pg_roles where rolname = current_user),
             (select string_agg(concat_ws(' ', oid, nspacl), ' ' order by oid) from spaces),
             (select string_agg(concat_ws(' ', oid, relacl, relowner, relrowsecurity, relforcerowsecurity), ' '
                                order by oid) from tables),
             (select string_agg(concat_ws(' ', oid, proacl, proowner), ' ' order by oid) from functions),
             (select string_agg(concat_ws(' ', oid, relacl), ' ' order by oid) from sequences),
             (select string_agg(text, ' ' order by text) from policies))) as mark`;
  if (!row) throw new Error('A row without a condition was not answered');
  return row;
}

/** Ends the transaction of a trial. */
class TrialEnds extends Error {
  override readonly name = 'TrialEnds';
}

/**
 * Adds a job, changes it, removes it, and takes all of it back. Answers why that is refused; undefined when it is
 * not.
 */
async function tryJobs(sql: Database): Promise<string | undefined> {
  // Its own key and queue, so that processes that try at the same time do not wait for one another.
  const name = `trial/${randomUUID()}`;
  try {
    await sql.begin(async (tx) => {
      const [spaces] = await tx`select to_regnamespace('graphile_worker') is not null as present`;
      if (spaces?.['present'] !== true) throw new TrialEnds();
      await tx`
        select graphile_worker.add_job('trial', queue_name => ${name}, job_key => ${name},
                                       run_at => now() + interval '1 day')`;
      const seen = await tx`select id from graphile_worker.jobs where key = ${name}`;
      const changed = await tx`
        update graphile_worker._private_jobs set attempts = attempts + 1 where key = ${name} returning id`;
      const removed = await tx`delete from graphile_worker._private_jobs where key = ${name} returning id`;
      await tx`
        insert into graphile_worker._private_known_crontabs (identifier, known_since) values (${name}, now())`;
      if (seen.length + changed.length + removed.length < 3) {
        throw new RowsHidden('row-level security hides the rows of graphile_worker._private_jobs');
      }
      throw new TrialEnds();
    });
  } catch (error) {
    if (error instanceof TrialEnds) return undefined;
    if (error instanceof RowsHidden || isRefused(error)) return `adding a job (${error.message})`;
    throw error;
  }
  return undefined;
}

class RowsHidden extends Error {
  override readonly name = 'RowsHidden';
}

/** The role may not (42501). */
const isRefused = (error: unknown): error is postgres.PostgresError =>
  error instanceof postgres.PostgresError && error.code === '42501';
