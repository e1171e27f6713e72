import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Database, Fragment, Statements } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import type { Log } from '../../foundations/log.ts';
import { failingGiveWayMs, jobIsEndingMs, webhooksWalkedAtOnce } from '../../foundations/operating-limits.ts';
import { hostOfWebhook, isPaused, isPausedById, nothingPaused } from './queue-pauses.ts';

/** A webhook as other rows name it. */
export interface WebhookKey {
  readonly organization_id: string;
  readonly webhook_id: string;
}

/** The task of graphile-worker that delivers what is due for one webhook. */
export const deliverTask = 'deliver';
/** The flag of all such jobs; each also has those of its webhook, its host and its organization. */
export const deliverFlag = 'deliver';

/** The payload of such a job. */
export const WebhookOfJob = z.object({ organization_id: z.guid(), webhook_id: z.guid() });

/**
 * For so many the statement is planned anew: a plan that was made while the queue was idle reads all jobs for each.
 */
const manyJobs = 100;
const plannedAnew = '; set local plan_cache_mode = force_custom_plan';

/** A webhook that something is due for, and in how many milliseconds. */
type WantedJob = WebhookKey & { inMs: number };

/**
 * Adds the jobs of webhooks that something is due for, after the commit and never in the transaction that writes:
 * the NOTIFY of graphile-worker makes commits queue. While some are being added, further ones become a single next
 * statement. A crash can fall between commit and job, and `add_jobs` can add nothing where others add the same
 * (graphile/worker#580): what has no job is found by the workers' sweep.
 */
export class DeliveryJobs {
  readonly #sql: Database;
  readonly #log: Log;
  readonly #wanted = new Map<string, WantedJob>();
  /**
   * Asks the worker of this process, while one runs: where it is at a webhook it looks once more, and needs no job.
   */
  localWorker: ((webhook: string) => boolean) | undefined;
  #running = false;

  constructor({ sql, log }: { sql: Database; log: Log }) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Something is due for these webhooks. Returns at once. */
  add(organization_id: string, webhooks: Iterable<string>): void {
    for (const webhook_id of webhooks) {
      if (!this.localWorker?.(webhook_id)) this.addLater({ organization_id, webhook_id, inMs: 0 });
    }
  }

  /** Something will be due for a webhook. Returns at once. */
  addLater(job: WantedJob): void {
    const known = this.#wanted.get(job.webhook_id);
    if (known === undefined || known.inMs > job.inMs) this.#wanted.set(job.webhook_id, job);
    if (this.#running) return;
    this.#running = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    while (this.#wanted.size > 0) {
      const jobs = [...this.#wanted.values()];
      this.#wanted.clear();
      try {
        const add = (sql: Statements) => addJobs(sql, jobs);
        const left = await (jobs.length < manyJobs
          ? add(this.#sql)
          : inTransaction(this.#sql, add, plannedAnew));
        for (const job of jobs) if (left.has(job.webhook_id)) this.addLater(job);
        if (left.size > 0) await sleep(jobIsEndingMs);
      } catch (error) {
        this.#log.warn(
          { error },
          'Jobs of deliveries could not be added; the workers find them within seconds',
        );
      }
    }
    this.#running = false;
  }
}

/**
 * One statement for many. A job that waits for an earlier moment keeps it. graphile-worker runs those of earlier
 * moments first, so that of a webhook that does well lies a little back. What is paused gets none until it is
 * resumed. Nobody waits for the disk: what a crash of the server takes is found again.
 *
 * A webhook whose job somebody ends or replaces at this moment is left. graphile-worker ends many jobs with one
 * statement, and `add_jobs` takes the key from many: each would wait for what the other has locked.
 *
 * @returns the webhooks that were left
 */
async function addJobs(sql: Statements, jobs: readonly WantedJob[]): Promise<ReadonlySet<string>> {
  const [added] = await sql<{ left: string[] }[]>`
    with at_ease as materialized (select set_config('synchronous_commit', 'off', true)),
    wanted as materialized (
      select wanted.*, ${`${deliverTask}/`}::text || id as key from unnest(
        ${jobs.map((job) => job.organization_id)}::uuid[], ${jobs.map((job) => job.webhook_id)}::uuid[],
        ${jobs.map((job) => job.inMs)}::integer[]) as wanted (organization_id, id, in_ms)),
    running as materialized (
      select job.key from graphile_worker._private_jobs job
      where job.key in (select key from wanted) and not job.is_available
      for update skip locked),
    ending as materialized (
      select wanted.id, wanted.key from wanted
      join graphile_worker._private_jobs job on job.key = wanted.key and not job.is_available
      where wanted.key not in (select key from running)),
    specs as (
      select array_agg((
               ${deliverTask}::text, json_build_object('organization_id', w.organization_id, 'webhook_id', w.id),
               null, least(job.run_at, clock_timestamp() + interval '1 millisecond' * case
                 when wanted.in_ms = 0 and w.failing_since is null and w.last_success_at is not null
                   then ${-failingGiveWayMs}::integer else wanted.in_ms end), null,
               wanted.key, null,
               -- graphile-worker takes no flag that is null, and with it none of these jobs.
               array_remove(
                 array[${deliverFlag}::text, 'webhook:' || w.id, 'organization:' || w.organization_id,
                       'host:' || ${hostOfWebhook(sql)}], null)
             )::graphile_worker.job_spec order by w.id) as all_of_them
      from at_ease cross join wanted
      join webhooks w on w.organization_id = wanted.organization_id and w.id = wanted.id
      left join graphile_worker.jobs job on job.key = wanted.key and job.locked_at is null
      where ${nothingPaused(sql)} and not ${isPaused(sql)} and wanted.id not in (select id from ending)),
    added as materialized (
      select from specs cross join lateral graphile_worker.add_jobs(all_of_them) where all_of_them is not null)
    select (select coalesce(json_agg(id), '[]') from ending) as "left", (select count(*) from added) as added`;
  return new Set(added?.left);
}

/**
 * The ids of jobs that were in the hands of a worker when others came in their place. graphile-worker takes their
 * key and has them tried no more. The worker's end of the job removes them; where it died, they would stay, and look
 * as if they had failed for good, although nothing had. Those that failed or were failed by an operator have an
 * error.
 */
export const supersededJobs = (sql: Statements): Fragment => sql`
  array(select job.id from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id and task.identifier = ${deliverTask}
        where job.key is null and job.locked_by is null and job.last_error is null
          and job.attempts >= job.max_attempts limit 1000)`;

const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * The webhooks whose oldest delivery is due, where nobody works on it and no job will: none can be taken now, and
 * none is in the hands of a worker. What is paused, or waits for its pace, is left. Walks along so many of those
 * that something waits for, whatever is due, so that it costs the same however many there are: `offset 0` has each
 * job looked up by its key. Joined, all jobs were read for each webhook, where the planner knew the queue as it is
 * when it is idle.
 *
 * @param after a webhook's id: the walk begins behind it
 * @returns `walkedTo` the last one that it came to; null when there are no more
 */
export async function webhooksWithoutJob(
  sql: Statements,
  now: string,
  after = firstId,
): Promise<{ found: WebhookKey[]; walkedTo: string | null }> {
  const [walk] = await sql<{ found: WebhookKey[]; walkedTo: string | null }[]>`
    with recursive oldest (organization_id, webhook_id, due_at, worker_id) as (
      (select organization_id, webhook_id, due_at, worker_id from deliveries
       where webhook_id > ${after} order by webhook_id, due_at limit 1)
      union all
      select following.* from oldest cross join lateral (
        select d.organization_id, d.webhook_id, d.due_at, d.worker_id from deliveries d
        where d.webhook_id > oldest.webhook_id order by d.webhook_id, d.due_at limit 1) following
    ),
    walked as materialized (select * from oldest limit ${webhooksWalkedAtOnce}),
    found as (
      select organization_id, webhook_id from walked
      where due_at <= ${now} and worker_id is null and ${nothingPaused(sql)}
        and not ${isPausedById(sql, sql`walked.webhook_id`, sql`walked.organization_id`)} and not exists (
        select from graphile_worker.jobs job
        where job.key = ${`${deliverTask}/`}::text || walked.webhook_id
          and (job.locked_at is not null or (job.run_at <= now() and job.attempts < job.max_attempts)) offset 0)
        and not exists (
        select from webhooks w
        where w.organization_id = walked.organization_id and w.id = walked.webhook_id and w.paced_until > ${now} offset 0))
    select (select coalesce(json_agg(found), '[]') from found) as found,
           (select webhook_id from walked offset ${webhooksWalkedAtOnce - 1}) as "walkedTo"`;
  return walk ?? { found: [], walkedTo: null };
}
