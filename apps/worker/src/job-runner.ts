import { type Core, jobPool, type Mail } from '@dealkeep/core';
import {
  type CronItem,
  Logger,
  type LogLevel,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
} from 'graphile-worker';
import { heldFlags, mailTaskList } from './mail-task.ts';
import { eachMinute, type ScheduledTask, scheduledTasks, type Workplace } from './tasks.ts';

const restartAfterMs = 5000;
/** Connections of graphile-worker: one listens, the others run what is due. */
const jobConnections = 3;

/**
 * Runs the tasks by the clock and sends mails, each by one of the workers. graphile-worker ends itself when it cannot write what became
 * of a task, as when the database restarts; it is then started again.
 */
export class JobRunner {
  readonly #core: Core;
  readonly #databaseUrl: string;
  readonly #post: (mail: Mail) => Promise<void>;
  #pool: Awaited<ReturnType<typeof jobPool>> | undefined;
  #runner: Runner | undefined;
  #restart: NodeJS.Timeout | undefined;
  #stopping = false;

  /**
   * @param databaseUrl a direct address of the database: graphile-worker listens on it
   * @param post sends one mail
   */
  constructor(core: Core, databaseUrl: string, post: (mail: Mail) => Promise<void>) {
    this.#core = core;
    this.#databaseUrl = databaseUrl;
    this.#post = post;
  }

  async start(): Promise<void> {
    const core = this.#core;
    const pool = await jobPool(this.#databaseUrl, jobConnections);
    if (this.#stopping) return pool.end();
    this.#pool = pool;
    const tasks = scheduledTasks.filter(
      ({ environment }) => environment === undefined || environment === core.environment,
    );
    this.#runner = await run({
      pgPool: pool,
      logger: new Logger(() => (level, message, meta) => core.log[logLevel(level)]({ ...meta }, message)),
      noHandleSignals: true,
      // Two at a time, so that a long removal keeps no sweep waiting.
      concurrency: 2,
      pollInterval: 2000,
      // Results in batches: without them, a result that cannot be written would end the whole process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList: { ...taskListOf(tasks, { core, pool }), ...mailTaskList({ core, post: this.#post }) },
      forbiddenFlags: heldFlags(core),
      parsedCronItems: parseCronItems(tasks.map(cronItemOf)),
    });
    this.#runner.promise.catch((error) => this.#startAgain(error));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    await this.#runner?.stop();
    await this.#pool?.end();
  }

  #startAgain(error: unknown): void {
    if (this.#stopping) return;
    this.#runner = undefined;
    this.#pool
      ?.end()
      .catch((failure) => this.#core.log.warn({ error: failure }, 'A pool could not be closed'));
    this.#pool = undefined;
    this.#core.log.warn({ error }, 'Tasks by the clock have stopped; they are started again');
    this.#restart = setTimeout(() => {
      this.start().catch((failure) => this.#startAgain(failure));
    }, restartAfterMs);
  }
}

const taskListOf = (tasks: readonly ScheduledTask[], workplace: Workplace): TaskList =>
  Object.fromEntries(tasks.map((task) => [task.name, () => runTask(task, workplace)]));

async function runTask({ run: work, said }: ScheduledTask, workplace: Workplace): Promise<void> {
  const counts = await work(workplace);
  if (said !== undefined && Object.values(counts).some((count) => count > 0)) {
    workplace.core.log.info(counts, said);
  }
}

const cronItemOf = ({ name, schedule, madeUpForMs = 0 }: ScheduledTask): CronItem => ({
  task: name,
  match: schedule,
  options: {
    backfillPeriod: madeUpForMs,
    ...(schedule === eachMinute ? { jobKey: name, maxAttempts: 1 } : {}),
  },
});

/** What graphile-worker tells as `info` is told as `debug` here. */
const logLevel = (level: LogLevel): 'debug' | 'warn' | 'error' =>
  level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug';
