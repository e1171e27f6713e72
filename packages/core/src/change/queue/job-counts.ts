import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { deliverTask } from './delivery-jobs.ts';
import { isLost } from './worker-presence.ts';

/** The jobs of deliveries in graphile-worker. */
export interface DeliveryJobCounts {
  /** To be run now, and later (as for a retry). */
  waiting: number;
  later: number;
  running: number;
  /** In the hands of a worker that is dead; given back within seconds, once a worker runs. */
  lost: number;
  /** Given up by graphile-worker, or failed by an operator. The deliveries get another job within seconds. */
  failed: number;
}

/** A pool of jobs that belongs to a worker which lives. */
const livingPools = (sql: Statements): Fragment => sql`
  select w.job_pool from workers w where w.job_pool is not null and not (${isLost(sql)})`;

export async function countDeliveryJobs(sql: Statements): Promise<DeliveryJobCounts> {
  const [row] = await sql<DeliveryJobCounts[]>`
    with living as materialized (${livingPools(sql)}),
    jobs as (
      select job.locked_by is null as is_free, job.attempts >= job.max_attempts as has_failed, job.run_at,
             job.locked_by in (select job_pool from living) as is_held
      from graphile_worker.jobs job where job.task_identifier = ${deliverTask})
    select count(*) filter (where is_free and not has_failed and run_at <= now())::integer as waiting,
           count(*) filter (where is_free and not has_failed and run_at > now())::integer as later,
           count(*) filter (where is_held)::integer as running,
           count(*) filter (where not is_free and not is_held)::integer as lost,
           count(*) filter (where is_free and has_failed)::integer as failed
    from jobs`;
  if (!row) throw new Error('A count gave no row');
  return row;
}

/** Jobs of any task that graphile-worker has given up, and why the last one of each failed. */
export const failedJobs = (sql: Statements) => sql<{ task: string; count: number; error: string | null }[]>`
  select task_identifier as task, count(*)::integer as count,
         (array_agg(last_error order by updated_at desc))[1] as error
  from graphile_worker.jobs where locked_by is null and attempts >= max_attempts
  group by 1 order by 1`;
