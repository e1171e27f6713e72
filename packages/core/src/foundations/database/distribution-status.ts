import type { Database } from './connect.ts';
import { distributedTables, notedKeys } from './distribute.ts';
import { tablesByPlace } from './tenant-tables.ts';

/** One of the servers that rows of organizations stand on. */
export interface DistributionServer {
  /** `host:port` */
  readonly name: string;
  /** Of its Citus; undefined where it does not answer. */
  readonly version: string | undefined;
  /** Of the rows there, with their indexes. */
  readonly bytes: number;
}

/** How a database with Citus is spread over its servers. */
export interface DistributionStatus {
  /** Of this server's Citus. */
  readonly version: string;
  readonly workers: readonly DistributionServer[];
  /** How many tables of records are distributed. */
  readonly distributed: number;
  /** Tables of records that are not. */
  readonly undistributed: readonly string[];
  /** Foreign keys that a scale-out has put aside and not made again. */
  readonly keysMissing: number;
}

/** Undefined for a database without Citus. */
export async function distributionStatus(sql: Database): Promise<DistributionStatus | undefined> {
  const [citus] = await sql<{ version: string }[]>`
    select extversion as version from pg_extension where extname = 'citus'`;
  if (!citus) return undefined;
  const workers = await sql<{ name: string; version: string | null }[]>`
    select nodename || ':' || nodeport as name, case when success then result end as version
    from run_command_on_workers('select extversion from pg_extension where extname = ''citus''')`;
  // The sizes are asked of all of them.
  const sizes = workers.some(({ version }) => version === null)
    ? []
    : await sql<{ name: string; bytes: number }[]>`
        select nodename || ':' || nodeport as name, sum(shard_size)::bigint as bytes from citus_shards group by 1`;
  const distributed = await distributedTables(sql);
  const { tenant } = await tablesByPlace(sql);
  return {
    version: citus.version,
    workers: workers.map(({ name, version }) => ({
      name,
      version: version ?? undefined,
      bytes: sizes.find((each) => each.name === name)?.bytes ?? 0,
    })),
    distributed: distributed.length,
    undistributed: tenant.filter((name) => !distributed.includes(name)),
    keysMissing: (await notedKeys(sql)).length,
  };
}
