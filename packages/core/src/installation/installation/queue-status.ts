import { deliverTask } from '../../change/queue/delivery-jobs.ts';
import { countDeliveryJobs, type DeliveryJobCounts } from '../../change/queue/job-counts.ts';
import {
  goesTo,
  hostOfWebhook,
  kindOfPause,
  pausedSince,
  pausesOfWebhook,
} from '../../change/queue/queue-pauses.ts';
import { isLost } from '../../change/queue/worker-presence.ts';
import { waitsForPace } from '../../delivering/webhooks/pace.ts';
import { webhookStatus, webhookStatusJoins } from '../../delivering/webhooks/webhook-status.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { idsOfOrganizations, ofAllOrganizations } from '../../identity/tenancy/due-organizations.ts';
import { namedOrganization } from '../../identity/tenancy/named-organization.ts';
import { knownHost, naming } from './pause-queue.ts';
import { type OrganizationQueue, organizationQueues, type QueueSummary, queueSummary } from './queue.ts';

/** How many rows the lists of the status have at most. */
const rowsShown = 10;

/** The queue at a glance: what waits, who works on it, where it is slow, and for whom. */
export interface QueueStatus extends QueueSummary {
  jobs: DeliveryJobCounts;
  workers: WorkerAtWork[];
  /** By the attempts of the last hour, the longest 95th percentile first. */
  slowest_hosts: HostFigures[];
  /** The same, the most failures first; hosts without one are left out. */
  failing_hosts: HostFigures[];
  /** The most waiting first. */
  organizations: OrganizationQueue[];
}

export interface WorkerAtWork {
  worker_id: number;
  state: 'running' | 'lost';
  seen_at: string;
  /** Deliveries that it has leased, and jobs in its hands. */
  leases: number;
  jobs: number;
}

export interface HostFigures {
  host: string;
  attempts: number;
  failures: number;
  median_ms: number;
  p95_ms: number;
}

export async function queueStatus(sql: Statements): Promise<QueueStatus> {
  const figures = await hostFigures(sql);
  return {
    ...(await queueSummary(sql)),
    jobs: await countDeliveryJobs(sql),
    workers: await workersAtWork(sql),
    slowest_hosts: figures.toSorted((a, b) => b.p95_ms - a.p95_ms).slice(0, rowsShown),
    failing_hosts: figures
      .filter(({ failures }) => failures > 0)
      .toSorted((a, b) => b.failures - a.failures)
      .slice(0, rowsShown),
    organizations: await organizationQueues(sql, rowsShown),
  };
}

const workersAtWork = (sql: Statements): Promise<WorkerAtWork[]> => sql<WorkerAtWork[]>`
  select w.worker_id, case when ${isLost(sql)} then 'lost' else 'running' end as state, w.seen_at,
         coalesce(leased.count, 0)::integer as leases, coalesce(held.count, 0)::integer as jobs
  from workers w
  left join (select worker_id, count(*) from deliveries where worker_id is not null group by 1) leased
    on leased.worker_id = w.worker_id
  left join (select locked_by, count(*) from graphile_worker.jobs
             where task_identifier = ${deliverTask} and locked_by is not null group by 1) held
    on held.locked_by = w.job_pool
  order by w.worker_id`;

/** Of the hosts that webhooks go to now. Organization by organization, as the log is kept. */
async function hostFigures(sql: Statements): Promise<HostFigures[]> {
  const organizations = await idsOfOrganizations(sql);
  return sql<HostFigures[]>`
  with a as materialized (
    select ${ofAllOrganizations(sql)} organization_id, webhook_id, status, duration_ms from attempts
    where organization_id = any(${organizations}::uuid[]) and started_at > now() - interval '1 hour')
  select ${hostOfWebhook(sql)} as host, count(*)::integer as attempts,
         count(*) filter (where coalesce(a.status, 0) not between 200 and 299)::integer as failures,
         round(percentile_cont(0.5) within group (order by a.duration_ms))::integer as median_ms,
         round(percentile_cont(0.95) within group (order by a.duration_ms))::integer as p95_ms
  from a join webhooks w on w.organization_id = a.organization_id and w.id = a.webhook_id
  group by 1 order by 1`;
}

const countsOfQueue = (sql: Statements): Fragment => sql`
  count(*) filter (where worker_id is null)::integer as waiting,
  count(*) filter (where worker_id is null and due_at <= now())::integer as due,
  count(*) filter (where worker_id is not null)::integer as in_flight,
  coalesce(extract(epoch from now() - min(due_at) filter (where worker_id is null and due_at <= now())), 0)::integer
    as oldest_due_seconds`;

/** A webhook that something waits for. */
export interface QueuedWebhook {
  webhook_id: string;
  /** Slug. */
  organization: string;
  host: string;
  /**
   * `paused` by the operator; `held`: it is disabled, or paused with its key or subscription, so that what falls due
   * is held; `failing` since its last success; `paced`: what is due waits, because it takes only so many a minute;
   * else `sending`.
   */
  standing: 'paused' | 'held' | 'failing' | 'paced' | 'sending';
  paused_by: 'all' | 'organization' | 'host' | 'webhook' | null;
  reason: string | null;
  waiting: number;
  due: number;
  in_flight: number;
  oldest_due_seconds: number;
  /** Attempts that begin in a minute, at most; null for as many as it takes. */
  max_per_minute: number | null;
  /** When the first that is not due becomes so, or a paced one may begin; null when all are due. */
  next_attempt_at: string | null;
}

export interface QueueFilter {
  /** A slug. */
  organization?: string | undefined;
  host?: string | undefined;
  /** A number, as it was given. */
  limit?: string | undefined;
}

/** The webhooks that something waits for, the longest due first. Raises OperatorError. */
export async function listQueue(sql: Statements, filter: QueueFilter): Promise<QueuedWebhook[]> {
  const limit = limitOf(filter.limit);
  const organization =
    filter.organization === undefined
      ? sql``
      : sql`and w.organization_id = ${(await naming('organization', 'a slug', namedOrganization(sql, filter.organization))).id}`;
  const host = filter.host === undefined ? sql`` : sql`and ${goesTo(sql, await knownHost(sql, filter.host))}`;
  const now = new Date().toISOString();
  const isAllPaused = (await pausedSince(sql)) !== null;
  return sql<QueuedWebhook[]>`
    with listed as (
      select w.id as webhook_id, o.slug as organization, ${hostOfWebhook(sql)} as host,
             ${isAllPaused} or paused.kind is not null as is_paused,
             case when ${isAllPaused} then 'all' else paused.kind end as paused_by,
             case when ${isAllPaused} then (select deliveries_paused_reason from installation) else paused.reason end
               as reason,
             ${webhookStatus(sql, now)} <> 'active' as is_held, w.failing_since is not null as fails,
             queued.due > 0 and ${waitsForPace(sql, now)} as is_paced, w.max_per_minute, w.paced_until,
             queued.waiting, queued.due, queued.in_flight, queued.oldest_due_seconds, queued.next_attempt_at
      from (select organization_id, webhook_id, ${countsOfQueue(sql)},
                   min(due_at) filter (where worker_id is null and due_at > now()) as next_attempt_at
            from deliveries d group by 1, 2) queued
      join webhooks w on w.organization_id = queued.organization_id and w.id = queued.webhook_id
      ${webhookStatusJoins(sql)}
      left join lateral (
        select ${kindOfPause(sql)} as kind, p.reason from ${pausesOfWebhook(sql)} p order by p.paused_at limit 1) paused
        on true
      where true ${organization} ${host})
    select webhook_id, organization, host,
           case when is_paused then 'paused' when is_held then 'held' when fails then 'failing'
                when is_paced then 'paced' else 'sending' end as standing,
           paused_by, reason, waiting, due, in_flight, oldest_due_seconds, max_per_minute,
           case when is_paced then paced_until else next_attempt_at end as next_attempt_at
    from listed
    order by oldest_due_seconds desc, next_attempt_at nulls last, webhook_id
    limit ${limit}`;
}

const mostListed = 1000;

function limitOf(text = '50'): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= mostListed) return limit;
  throw new OperatorError(`takes a number from 1 to ${mostListed}, not "${text}"`, { field: 'limit' });
}
