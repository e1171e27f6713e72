import type { Core } from '@dealkeep/core';
import { deliverTask, WebhookOfJob, WorkerPresence } from '@dealkeep/core/change';
import { DeliveryRuns, type DeliveryTiming } from '@dealkeep/core/delivering';
import {
  connect,
  connectQueue,
  createGuardedAgent,
  jobsAtOnce,
  jobsPolledEveryMs,
  type Log,
  noLimits,
  queueLimits,
  type Resolve,
  tasksAtOnce,
  workerConnections,
} from '@dealkeep/core/foundations';
import { type BackupPlan, type Mail, ScheduledBackups } from '@dealkeep/core/installation';
import { ImportJob, importTask, workOnImport } from '@dealkeep/core/operations';
import { parseCronItems, type TaskList } from 'graphile-worker';
import { JobRunner } from './job-runner.ts';
import { heldFlags, mailTaskList } from './mail-task.ts';
import { createMailer, type MailSettings } from './mailer.ts';
import { backupTask, cronItemOf, taskListOf, tasksOf } from './tasks.ts';

/** The task that works on an import for a while; graphile-worker repeats one that failed. */
const importTaskList = (core: Core): TaskList => ({
  [importTask]: async (payload) => {
    const place = ImportJob.parse(payload);
    try {
      await workOnImport(core, place);
    } catch (error) {
      core.log.error({ error, organization: place.organization, import: place.id }, 'An import has failed');
      throw error;
    }
  },
});

export interface WorkerOptions {
  core: Core;
  /** A direct address of the database: graphile-worker listens on it. */
  databaseUrl: string;
  /** Deliveries in flight that do not take long. */
  concurrency: number;
  timing?: Partial<DeliveryTiming>;
  /** Where mail goes; to the log when absent. */
  mail?: MailSettings | undefined;
  /** How the names of targets are resolved; the system's way when absent. */
  resolve?: Resolve;
  /** Where and when backups are made by the clock; there are none when absent. */
  backups?: BackupPlan | undefined;
}

export interface RunningWorker {
  /** Stops claiming, lets what runs finish within the limit, hands the rest back. */
  stop(limitMs: number): Promise<void>;
}

/**
 * Starts what happens in the background: deliveries, and tasks by the clock. Any number of workers share one
 * database, on one machine or many.
 */
export async function startWorker({
  core,
  databaseUrl,
  concurrency,
  timing,
  mail,
  resolve,
  backups: plan,
}: WorkerOptions): Promise<RunningWorker> {
  const { secrets, clock, log, metrics, allowedTargets: allowed, deliveryJobs: jobs } = core;
  const { outboundProxy: proxy, deliveriesHeld: held } = core;
  const queue = connectQueue(databaseUrl, core);
  const presenceSql = connect(databaseUrl, {
    connections: workerConnections.presence,
    name: 'dealkeep worker presence',
    limits: queueLimits,
  });
  const upkeepSql = connect(databaseUrl, {
    connections: workerConnections.tasks,
    name: 'dealkeep upkeep',
    limits: noLimits,
  });
  const agent = createGuardedAgent({ allowed, proxy, ...(resolve ? { resolve } : {}) });
  const presence = await WorkerPresence.announce(presenceSql);
  const slots = Math.min(concurrency, jobsAtOnce);
  const runs = new DeliveryRuns({
    queue,
    placement: core.placement,
    presence,
    jobs,
    agent,
    secrets,
    clock,
    log,
    metrics,
    held,
    concurrency,
    slots,
    ...(timing ? { timing } : {}),
  });
  const backups = plan && new ScheduledBackups({ ...core, plan, databaseUrl });
  const runners = [
    ...(held ? [] : [deliveryRunner({ log, databaseUrl, slots, runs, presence })]),
    taskRunner({ ...core, sql: upkeepSql }, databaseUrl, createMailer(mail, log), backups),
  ];
  runs.start();
  await Promise.all(runners.map((runner) => runner.start()));
  // Whoever has just named a folder sees at once whether it will do.
  backups?.begin();
  if (held) log.warn({}, 'Nothing is sent, neither webhooks nor mails: DELIVERIES=held');

  return {
    async stop(limitMs) {
      // First, so that the jobs of deliveries end.
      const sent = runs.stop(limitMs);
      const stopped = [backups?.stop(), ...runners.map((runner) => runner.stop())];
      const ended = await Promise.allSettled([sent, ...stopped]);
      await agent.destroy();
      const pools = [queue.claims, queue.results, queue.log, presenceSql, upkeepSql];
      await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
      for (const each of ended) if (each.status === 'rejected') throw each.reason;
    },
  };
}

/** Tasks by the clock, mails and imports. */
function taskRunner(
  core: Core,
  databaseUrl: string,
  post: (mail: Mail) => Promise<void>,
  backups: ScheduledBackups | undefined,
): JobRunner {
  const tasks = [...tasksOf(core), ...(backups ? [backupTask(backups)] : [])];
  return new JobRunner({
    log: core.log,
    what: 'Tasks by the clock',
    databaseUrl,
    connections: workerConnections.taskJobs,
    slots: tasksAtOnce,
    pollMs: jobsPolledEveryMs.tasks,
    taskList: {
      ...taskListOf(tasks, core),
      ...mailTaskList({ core, post }),
      ...importTaskList(core),
    },
    forbiddenFlags: heldFlags(core),
    parsedCronItems: parseCronItems(tasks.map(cronItemOf)),
  });
}

interface DeliveryRunnerOptions {
  log: Log;
  databaseUrl: string;
  slots: number;
  runs: DeliveryRuns;
  presence: WorkerPresence;
}

/**
 * Jobs of deliveries. What a crash of the server undoes of them is found again, so they do not wait for the disk. A
 * plan is made for each statement: one that was made while the queue was idle reads all jobs for each that it takes.
 */
const deliveryRunner = ({ log, databaseUrl, slots, runs, presence }: DeliveryRunnerOptions): JobRunner =>
  new JobRunner({
    log,
    what: 'Jobs of deliveries',
    databaseUrl,
    connections: workerConnections.deliveryJobs,
    settings: { synchronous_commit: 'off', plan_cache_mode: 'force_custom_plan' },
    slots,
    takenAtOnce: slots,
    pollMs: jobsPolledEveryMs.deliveries,
    taskList: { [deliverTask]: (payload) => runs.take(WebhookOfJob.parse(payload)) },
    onPool: ({ id }) => {
      presence
        .takesJobsAs(id)
        // What the pool before had in its hands can be told from now on.
        .then(() => runs.reconnected())
        .catch((error) => log.warn({ error }, 'A worker could not say which jobs it has; it tries again'));
    },
    onListening: () => runs.reconnected(),
    onEnding: () => runs.endRuns(),
  });
