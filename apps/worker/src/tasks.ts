import type { Core } from '@dealkeep/core';
import { endIdleConnections } from '@dealkeep/core/accounts';
import { freeLostMails } from '@dealkeep/core/change';
import { dropAllExcessHeldEvents, endHooksOfDeadKeys, releaseHeldEvents } from '@dealkeep/core/delivering';
import type { Environment } from '@dealkeep/core/foundations';
import { measureStorage } from '@dealkeep/core/identity';
import {
  endPausesOfEndedMoves,
  resetTestEnvironment,
  type ScheduledBackups,
  sweepOld,
} from '@dealkeep/core/installation';
import { continueImports } from '@dealkeep/core/operations';
import { continueErasures, markOverdueInvoices, tellOverdueTasks } from '@dealkeep/core/records';
import type { CronItem, TaskList } from 'graphile-worker';

/** A task by the clock. */
export interface ScheduledTask {
  name: string;
  /** As crontab(5) writes it, in UTC. */
  schedule: string;
  /** A time that no worker was there for is made up for, if it is so many milliseconds ago at most. */
  madeUpForMs?: number;
  /** In this environment alone; in every one when absent. */
  environment?: Environment;
  /** Answers how many there were of what. */
  run: (core: Core) => Promise<Readonly<Record<string, number>>>;
  /** Told with what `run` answered, unless there was none of anything; nothing when absent. */
  said?: string;
}

/** A sweep. One that failed is not repeated but replaced by the next, so that failures do not pile up. */
export const eachMinute = '* * * * *';

/** Everything that happens by the clock; each is run by one of the workers. */
export const scheduledTasks: readonly ScheduledTask[] = [
  {
    name: 'remove_old_each_minute',
    schedule: eachMinute,
    run: (core) => sweepOld(core, 'minute'),
  },
  {
    name: 'remove_old_each_hour',
    schedule: '17 * * * *',
    run: (core) => sweepOld(core, 'hour'),
    said: 'Removed what is kept no longer',
  },
  {
    name: 'measure_storage',
    schedule: '7 * * * *',
    run: async (core) => ({ organizations: await measureStorage(core) }),
  },
  {
    name: 'free_lost_mails',
    schedule: eachMinute,
    run: async (core) => ({ workers: await freeLostMails(core) }),
    said: 'Took over the mails of workers that have died',
  },
  {
    name: 'continue_imports',
    schedule: eachMinute,
    run: async (core) => ({ imports: await continueImports(core) }),
    said: 'Went on with imports of workers that have died',
  },
  {
    name: 'end_hooks_of_dead_keys',
    schedule: eachMinute,
    run: async (core) => ({ hooks: await endHooksOfDeadKeys(core) }),
    said: 'Removed REST hooks of keys that have ended',
  },
  {
    name: 'end_idle_connections',
    schedule: eachMinute,
    run: async (core) => ({ connections: await endIdleConnections(core) }),
    said: 'Ended OAuth connections that nobody used',
  },
  {
    name: 'end_pauses_of_ended_moves',
    schedule: eachMinute,
    run: async (core) => ({ organizations: await endPausesOfEndedMoves(core) }),
    said: 'Ended pauses of moves that were broken off',
  },
  {
    name: 'release_held_events',
    schedule: eachMinute,
    run: async (core) => ({ webhooks: await releaseHeldEvents(core) }),
    said: 'Began to deliver what was held',
  },
  {
    name: 'drop_excess_held_events',
    schedule: eachMinute,
    run: async (core) => ({ events: await dropAllExcessHeldEvents(core) }),
    said: 'Dropped held events beyond 30 days or 1,000 per webhook',
  },
  {
    name: 'tell_overdue_tasks',
    schedule: eachMinute,
    run: async (core) => ({ tasks: await tellOverdueTasks(core) }),
    said: 'Told of overdue tasks',
  },
  {
    name: 'continue_erasures',
    schedule: eachMinute,
    run: async (core) => ({ erasures: await continueErasures(core) }),
    said: 'Went on with erasures',
  },
  {
    name: 'mark_overdue_invoices',
    schedule: eachMinute,
    run: async (core) => ({ invoices: await markOverdueInvoices(core) }),
    said: 'Marked overdue invoices',
  },
  {
    // At 02:00 UTC, or within the hour when no worker was there (rule test-environment 4).
    name: 'reset_test_environment',
    schedule: '0 2 * * *',
    madeUpForMs: 3_600_000,
    environment: 'test',
    run: async (core) => ({ organizations: await resetTestEnvironment(core) }),
    said: 'Reset the test environment',
  },
];

/** Those of this environment. */
export const tasksOf = ({ environment: here }: Pick<Core, 'environment'>): ScheduledTask[] =>
  scheduledTasks.filter(({ environment }) => environment === undefined || environment === here);

/**
 * Of a worker that knows a folder for backups. As at its start, it asks each hour whether one is due, and waits for
 * none: a backup would keep the place of other tasks for minutes.
 */
export const backupTask = (backups: ScheduledBackups): ScheduledTask => ({
  name: 'back_up',
  schedule: '7 * * * *',
  run: async () => {
    backups.begin();
    return {};
  },
});

export const taskListOf = (tasks: readonly ScheduledTask[], core: Core): TaskList =>
  Object.fromEntries(tasks.map((task) => [task.name, () => runTask(task, core)]));

async function runTask({ run: work, said }: ScheduledTask, core: Core): Promise<void> {
  const counts = await work(core);
  if (said !== undefined && Object.values(counts).some((count) => count > 0)) {
    core.log.info(counts, said);
  }
}

export const cronItemOf = ({ name, schedule, madeUpForMs = 0 }: ScheduledTask): CronItem => ({
  task: name,
  match: schedule,
  options: {
    backfillPeriod: madeUpForMs,
    ...(schedule === eachMinute ? { jobKey: name, maxAttempts: 1 } : {}),
  },
});
