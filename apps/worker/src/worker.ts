import {
  type Core,
  connect,
  createGuardedAgent,
  DeliveryDispatcher,
  type DispatchTiming,
  dispatchTask,
  markOverdueInvoices,
  removeOldAnswers,
  removeOldWindows,
  resetTestEnvironment,
  tellOverdueTasks,
  WorkerPresence,
} from '@dealkeep/core';
import { type CronItem, Logger, type LogLevel, parseCronItems, type Runner, run } from 'graphile-worker';

export interface WorkerOptions {
  core: Core;
  /** A direct address of the database: the worker listens on it. */
  databaseUrl: string;
  /** Deliveries in flight that are younger than a second. */
  concurrency: number;
  timing?: Partial<DispatchTiming>;
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
}: WorkerOptions): Promise<RunningWorker> {
  const { sql, secrets, clock, log } = core;
  const presenceSql = connect(databaseUrl, { connections: 1, name: 'dealkeep worker presence' });
  const presence = await WorkerPresence.announce(presenceSql);
  const agent = createGuardedAgent({ allowed: core.allowedTargets });
  const dispatcher = new DeliveryDispatcher({
    sql,
    presence,
    agent,
    secrets,
    clock,
    log,
    concurrency,
    ...(timing ? { timing } : {}),
  });
  const runner = await run({
    connectionString: databaseUrl,
    logger: new Logger(() => (level, message, meta) => core.log[logLevel(level)]({ ...meta }, message)),
    noHandleSignals: true,
    concurrency: 4,
    maxPoolSize: 5,
    pollInterval: 2000,
    taskList: {
      [dispatchTask]: async () => dispatcher.wake(),
      remove_old_answers: async () => {
        const answers = await removeOldAnswers(sql, clock);
        log.info({ answers }, 'Removed idempotent answers older than a day');
      },
      remove_old_rate_windows: async () => {
        await removeOldWindows(sql, clock);
      },
      reset_test_environment: async () => {
        const organizations = await resetTestEnvironment(core);
        log.info({ organizations }, 'Reset the test environment');
      },
      tell_overdue_tasks: async () => {
        const tasks = await tellOverdueTasks(core);
        if (tasks > 0) log.info({ tasks }, 'Told of overdue tasks');
      },
      mark_overdue_invoices: async () => {
        const invoices = await markOverdueInvoices(core);
        if (invoices > 0) log.info({ invoices }, 'Marked overdue invoices');
      },
    },
    parsedCronItems: parseCronItems([
      { task: 'remove_old_answers', match: '17 * * * *' },
      everyMinute('remove_old_rate_windows'),
      // 02:00 UTC, or within the hour when no worker was there (specification, Test environment).
      ...(core.environment === 'test'
        ? [{ task: 'reset_test_environment', match: '0 2 * * *', options: { backfillPeriod: 3600_000 } }]
        : []),
      everyMinute('tell_overdue_tasks'),
      everyMinute('mark_overdue_invoices'),
    ]),
  });
  dispatcher.start();
  return { stop: (limitMs) => stop(runner, dispatcher, agent, presenceSql, limitMs) };
}

/** A sweep; one that failed is not repeated but replaced by the next, so that failures do not pile up. */
const everyMinute = (task: string): CronItem => ({
  task,
  match: '* * * * *',
  options: { jobKey: task, maxAttempts: 1 },
});

/** graphile-worker's own news is for those who look for it. */
const logLevel = (level: LogLevel): 'debug' | 'warn' | 'error' =>
  level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug';

async function stop(
  runner: Runner,
  dispatcher: DeliveryDispatcher,
  agent: ReturnType<typeof createGuardedAgent>,
  presenceSql: ReturnType<typeof connect>,
  limitMs: number,
): Promise<void> {
  await Promise.all([runner.stop(), dispatcher.stop(limitMs)]);
  await agent.destroy();
  await presenceSql.end({ timeout: 5 });
}
