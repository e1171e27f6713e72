import {
  type Core,
  connect,
  createGuardedAgent,
  DeliveryDispatcher,
  type DispatchTiming,
  dispatchTask,
  jobPool,
  removeOldAnswers,
  WorkerPresence,
} from '@dealkeep/core';
import { Logger, type LogLevel, parseCronItems, run } from 'graphile-worker';

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

/** One listens, the others run what is due. */
const jobConnections = 5;

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
  const pool = jobPool(databaseUrl, jobConnections);
  const runner = await run({
    pgPool: pool,
    logger: new Logger(() => (level, message, meta) => core.log[logLevel(level)]({ ...meta }, message)),
    noHandleSignals: true,
    concurrency: 4,
    pollInterval: 2000,
    taskList: {
      [dispatchTask]: async () => dispatcher.wake(),
      remove_old_answers: async () => {
        const answers = await removeOldAnswers(sql, clock);
        log.info({ answers }, 'Removed idempotent answers older than a day');
      },
    },
    parsedCronItems: parseCronItems([{ task: 'remove_old_answers', match: '17 * * * *' }]),
  });
  dispatcher.start();
  return {
    async stop(limitMs) {
      await Promise.all([runner.stop(), dispatcher.stop(limitMs)]);
      await Promise.all([pool.end(), agent.destroy(), presenceSql.end({ timeout: 5 })]);
    },
  };
}

/** graphile-worker's own news is for those who look for it. */
const logLevel = (level: LogLevel): 'debug' | 'warn' | 'error' =>
  level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug';
