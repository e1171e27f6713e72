import { connect, type Database } from '../../foundations/database/connect.ts';
import {
  distribute,
  distributedTables,
  foreignKeys,
  notedKeys,
} from '../../foundations/database/distribute.ts';
import {
  migrationLock,
  migrationStatus,
  requireKnownMigrations,
} from '../../foundations/database/migrate.ts';
import { tablesByPlace } from '../../foundations/database/tenant-tables.ts';
import { noLimits } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { requireNobody } from '../backup/requirements.ts';
import { requireNoFences, takeLeftFencesAway } from '../moving/left-fences.ts';

/** A table that is still to be distributed. */
export interface UndistributedTable {
  readonly name: string;
  /** On disk, with its indexes. */
  readonly bytes: number;
}

/** What a scale-out of a database would do. */
export interface ScaleOutPlan {
  /** The servers among which the rows of organizations will stand, as `host:port`. */
  readonly workers: readonly string[];
  /** The largest first. */
  readonly tables: readonly UndistributedTable[];
  /** Tables that have been distributed already. */
  readonly distributed: number;
  /** Tables whose rows stay on the first server. */
  readonly staying: number;
  /** Foreign keys that go for good: those from records to tables that stay on the first server. */
  readonly keys_dropped: number;
  /** Foreign keys that are made again: those between records. */
  readonly keys_made: number;
}

/** The version of Citus that this was tried with; another may distribute differently. */
const knownMajor = 13;

/**
 * What a scale-out of this database would do; changes nothing. Raises OperatorError where it cannot be.
 *
 * @param url for the role that owns the tables
 */
export const planScaleOut = (url: string): Promise<ScaleOutPlan> => onScalable(url, planOf);

/**
 * Distributes the records of an installation over several servers, by organization, where they stand; nothing is
 * left to do when it was done before. It can be ended at any moment and run again. Nobody else may use the database
 * meanwhile. Raises OperatorError.
 *
 * @param begins what will be done, once nothing stands in its way
 * @param tell what has been done
 */
export const scaleOut = (
  url: string,
  { begins, tell }: { begins(plan: ScaleOutPlan): void; tell(done: string): void },
): Promise<ScaleOutPlan> =>
  onScalable(url, async (sql) => {
    const plan = await planOf(sql);
    const [lock] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${migrationLock}) as taken`;
    if (!lock?.taken) throw new OperatorError('The database is being migrated or scaled out just now');
    await requireNobody(sql);
    begins(plan);
    await takeLeftFencesAway(sql);
    await distribute(sql, tell);
    return plan;
  });

async function onScalable<Result>(url: string, work: (sql: Database) => Promise<Result>): Promise<Result> {
  const sql = connect(url, { connections: 1, name: 'dealkeep distribution', limits: noLimits });
  try {
    const status = await migrationStatus(sql);
    requireKnownMigrations(status);
    if (status.pending.length > 0)
      throw new OperatorError('The database is of an earlier version', { help: { first: 'migrate' } });
    await requireCitus(sql);
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function planOf(sql: Database): Promise<ScaleOutPlan> {
  await requireNoFences(sql);
  const { tenant, control } = await tablesByPlace(sql);
  const workers = await sql<{ name: string }[]>`
    select nodename || ':' || nodeport as name from pg_dist_node
    where isactive and shouldhaveshards and noderole = 'primary' and groupid <> 0 order by nodename, nodeport`;
  if (workers.length === 0)
    throw new OperatorError(
      'Citus knows no other server: tell it the address of this one by `select citus_set_coordinator_host(…, …)`, and each other one by `select citus_add_node(…, …)`',
    );
  const distributed = await distributedTables(sql);
  const missing = tenant.filter((name) => !distributed.includes(name));
  const keys = await foreignKeys(sql, missing);
  const between = keys.filter(({ refers_to }) => tenant.includes(refers_to));
  const tables = await sql<UndistributedTable[]>`
    select name, pg_total_relation_size(('public.' || quote_ident(name))::regclass) as bytes
    from unnest(${missing}::text[]) as t (name) order by bytes desc, name`;
  return {
    workers: workers.map(({ name }) => name),
    tables,
    distributed: distributed.length,
    staying: control.length,
    keys_dropped: keys.length - between.length,
    keys_made: between.length + (await notedKeys(sql)).length,
  };
}

async function requireCitus(sql: Database): Promise<void> {
  const [row] = await sql<{ version: string }[]>`
    select extversion as version from pg_extension where extname = 'citus'`;
  if (!row)
    throw new OperatorError(
      'The database has no Citus: install it on each server, name it in shared_preload_libraries, and `create extension citus` in this database of each',
    );
  if (Number.parseInt(row.version, 10) !== knownMajor)
    throw new OperatorError(
      `The database has Citus ${row.version}, and this was tried with Citus ${knownMajor} only: install that one`,
    );
}
