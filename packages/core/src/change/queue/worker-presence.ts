import type { Database, Fragment, Statements } from '../../foundations/database/connect.ts';
import {
  hungWorkerSeconds,
  workerGraceSeconds,
  workerNotedEverySeconds,
} from '../../foundations/operating-limits.ts';

/** Class of the advisory locks by which workers show that they live. */
export const presenceClass = 4711;

/** Workers are numbered from 1 on. */
export const noWorker = 0;

/**
 * A worker shows that it lives by an advisory lock on a connection of its own: the lock goes with the process,
 * however it dies, so that nobody waits for its leases to end.
 */
export class WorkerPresence {
  readonly workerId: number;
  readonly #sql: Database;
  #jobPool: string | null = null;

  private constructor(workerId: number, sql: Database) {
    this.workerId = workerId;
    this.#sql = sql;
  }

  /** @param sql one direct connection (not through PgBouncer in transaction mode), which ends with the worker */
  static async announce(sql: Database): Promise<WorkerPresence> {
    const [row] = await sql<{ id: number }[]>`select nextval('worker_ids')::integer as id`;
    if (!row) throw new Error('The sequence worker_ids gave no number');
    const presence = new WorkerPresence(row.id, sql);
    await presence.renew();
    return presence;
  }

  /** Names the pool of graphile-worker that has the jobs of deliveries which this worker runs. */
  async takesJobsAs(jobPool: string): Promise<void> {
    this.#jobPool = jobPool;
    await this.renew();
  }

  /**
   * Takes the lock again when it fell with its connection, as it does when the database restarts, and notes every
   * few seconds that the worker works. Where the server has not noticed yet that the old connection is gone, the
   * lock is still held, which shows the same.
   */
  async renew(): Promise<void> {
    await this.#sql`
      with lock as materialized (
        select pg_try_advisory_lock(${presenceClass}, ${this.workerId})
        where not exists (
          select from pg_locks where locktype = 'advisory' and classid = ${presenceClass}
            and objid = ${this.workerId} and pid = pg_backend_pid()))
      insert into workers (worker_id, seen_at, job_pool)
      -- The clock may have been set back since the server started.
      select ${this.workerId}, greatest(clock_timestamp(), pg_postmaster_start_time()), ${this.#jobPool}::text
      -- A conflict alone would lock the row, which an idle worker would write to the log of the server every second. The join
      -- has the lock taken all the same.
      from (select count(*) from lock) locked left join workers noted
        on noted.worker_id = ${this.workerId} and noted.job_pool is not distinct from ${this.#jobPool}::text
          and noted.seen_at >= clock_timestamp() - make_interval(secs => ${workerNotedEverySeconds})
          and noted.seen_at >= pg_postmaster_start_time()
      where noted.worker_id is null
      on conflict (worker_id) do update set seen_at = excluded.seen_at, job_pool = excluded.job_pool`;
  }
}

/** Whether a worker `w` is lost to the worker that asks: it has died, or hangs. */
export const isLost = (sql: Statements, workerId = noWorker): Fragment => sql`
  w.worker_id <> ${workerId}
  and (w.seen_at < clock_timestamp() - make_interval(secs => ${hungWorkerSeconds})
       or (pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => ${workerGraceSeconds})
           and not exists (
             select from pg_locks where locktype = 'advisory' and classid = ${presenceClass} and granted
               and objid::bigint = w.worker_id
               and database = (select oid from pg_database where datname = current_database()))))`;
