import { EventEmitter } from 'node:events';
import type { Core } from '@dealkeep/core';
import { jobPool, jobRunnerRestart, queueAskedAgain } from '@dealkeep/core/foundations';
import {
  Logger,
  type LogLevel,
  type Runner,
  type RunnerOptions,
  run,
  type Worker,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';

/** A timer may be early by less. */
const clockDifferenceMs = 60_000;

export type JobPool = Awaited<ReturnType<typeof jobPool>>;

export interface JobRunnerOptions extends Pick<RunnerOptions, 'parsedCronItems' | 'forbiddenFlags'> {
  log: Core['log'];
  /** What does not run while it has stopped. */
  what: string;
  /** A direct address of the database: graphile-worker listens on it. */
  databaseUrl: string;
  /** Connections: one listens, the others take jobs and write what became of them. */
  connections: number;
  /** Settings of PostgreSQL for these connections. */
  settings?: Readonly<Record<string, string>>;
  /** Jobs at once. */
  slots: number;
  /** A job whose moment comes, or that a dead worker had, is taken this much later at most. */
  pollMs: number;
  /** So many jobs are taken with one statement; one by one when absent. */
  takenAtOnce?: number;
  taskList: NonNullable<RunnerOptions['taskList']>;
  /** Told whenever a pool of workers begins. */
  onPool?: (pool: WorkerPool) => void;
  /** Told whenever it listens anew: the database is there. */
  onListening?: () => void;
  /** Told when the pool takes no more jobs; those that run are to end. */
  onEnding?: () => void;
}

/**
 * Runs jobs. graphile-worker ends itself when it cannot write what became of a job, as when the database restarts;
 * another is then started at once, while the jobs that run end by themselves, and after a pause when that happens
 * again.
 *
 * One whose database was away is replaced in the same way: that may be another one now, as a standby that took over,
 * where jobs that had ended stand in its name. Once it has ended, they are given back.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  #running: Running | undefined;
  #ended: Promise<unknown>[] = [];
  /** What has ended, and may still have jobs in its name. */
  readonly #endedPools = new Set<string>();
  #restart: NodeJS.Timeout | undefined;
  #pauseMs: number = jobRunnerRestart.firstMs;
  #stopping = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const started = performance.now();
    const running = await this.#run();
    if (this.#stopping) return this.#end(running);
    this.#running = running;
    const again = (error: unknown): void => {
      if (this.#running !== running) return;
      this.#running = undefined;
      this.#ended = [...this.#ended, this.#end(running)];
      if (performance.now() - started > jobRunnerRestart.didWellMs) this.#pauseMs = jobRunnerRestart.firstMs;
      this.#startAgain(error);
    };
    const { runner, pool } = running;
    runner.events.on('pool:gracefulShutdown', ({ message }) => again(message));
    let wasAway = false;
    runner.events.on('pool:listen:error', () => {
      wasAway = true;
    });
    runner.events.on('pool:listen:success', () => {
      if (wasAway) again(new Error('The database was away'));
    });
    // Until the time comes again that it waits for, it would begin no task by the clock.
    runner.events.on('cron:prematureTimer', ({ currentTimestamp, expectedTimestamp }) => {
      if (expectedTimestamp - currentTimestamp > clockDifferenceMs)
        again(new Error('The clock was set back'));
    });
    runner.promise.catch(again);
    await this.#giveBack(pool);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const running = this.#running;
    this.#running = undefined;
    if (running) await this.#end(running);
    await Promise.all(this.#ended);
  }

  async #run(): Promise<Running> {
    const {
      log,
      databaseUrl,
      connections,
      slots,
      takenAtOnce,
      pollMs,
      settings = {},
      ...told
    } = this.#options;
    const pool = await jobPool(databaseUrl, connections, { settings });
    const events: WorkerEvents = new EventEmitter();
    askAgainForQueues(events);
    let id = '';
    events.on('pool:create', ({ workerPool }) => {
      id = workerPool.id;
      told.onPool?.(workerPool);
    });
    events.on('pool:listen:success', () => told.onListening?.());
    try {
      const runner = await run({
        pgPool: pool,
        events,
        logger: new Logger(
          () => (level, message, meta) => log[logLevel(level, message)]({ ...meta }, message),
        ),
        noHandleSignals: true,
        concurrency: slots,
        pollInterval: pollMs,
        preset: {
          worker: {
            // Results in batches: without them, a result that cannot be written would end the whole process.
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0,
            ...(takenAtOnce === undefined ? {} : { localQueue: { size: takenAtOnce } }),
          },
        },
        taskList: told.taskList,
        ...(told.forbiddenFlags === undefined ? {} : { forbiddenFlags: told.forbiddenFlags }),
        parsedCronItems: told.parsedCronItems ?? [],
      });
      return { id, runner, pool };
    } catch (error) {
      await pool.end();
      throw error;
    }
  }

  async #end({ id, runner, pool }: Running): Promise<void> {
    // One that ends itself cannot be stopped, and raises why it ends.
    await runner.stop().catch(() => runner.promise.catch(() => {}));
    this.#endedPools.add(id);
    await this.#giveBack(pool);
    await pool.end();
  }

  /** While the database is away, it is left to the next one that starts. */
  async #giveBack(pool: JobPool): Promise<void> {
    const ended = [...this.#endedPools];
    if (ended.length === 0) return;
    try {
      await pool.query('select graphile_worker.force_unlock_workers($1)', [ended]);
      for (const id of ended) this.#endedPools.delete(id);
    } catch (error) {
      this.#options.log.debug({ error }, 'Jobs could not be given back; it is tried again');
    }
  }

  #startAgain(error: unknown): void {
    const { log, what, onEnding } = this.#options;
    onEnding?.();
    if (this.#stopping) return;
    // An outage is told when it begins, not each time that something is tried.
    const level = this.#pauseMs < jobRunnerRestart.longestMs ? 'warn' : 'debug';
    log[level]({ error }, `${what} have stopped; they are started again`);
    this.#restart = setTimeout(() => {
      this.start().catch((failure) => this.#startAgain(failure));
    }, this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, jobRunnerRestart.longestMs);
  }
}

interface Running {
  /** The name in which its jobs stand. */
  id: string;
  runner: Runner;
  pool: JobPool;
}

/**
 * graphile-worker asks for the next job before it has written that the last one is done. Where both are of one
 * queue, the answer is that there is none, and the next one would wait to be polled for: mails would go every two
 * seconds.
 */
function askAgainForQueues(events: WorkerEvents): void {
  /** When a job of a queue has last ended, for each worker that takes jobs: no other may be asked. */
  const ended = new Map<Worker, number>();
  events.on('worker:create', ({ worker }) => ended.set(worker, Number.NEGATIVE_INFINITY));
  events.on('worker:release', ({ worker }) => ended.delete(worker));
  events.on('job:complete', ({ worker, job }) => {
    if (job.job_queue_id !== null && ended.has(worker)) ended.set(worker, performance.now());
  });
  events.on('worker:getJob:empty', ({ worker }) => {
    if (performance.now() - (ended.get(worker) ?? Number.NEGATIVE_INFINITY) > queueAskedAgain.forMs) return;
    setTimeout(() => {
      if (ended.has(worker)) worker.nudge();
    }, queueAskedAgain.everyMs).unref();
  });
}

/**
 * What graphile-worker tells as `info` is told as `debug` here, and so is that it would like a connection for each
 * slot: with jobs and results in batches a few do.
 */
const logLevel = (level: LogLevel, message: string): 'debug' | 'warn' | 'error' => {
  if (level === 'error') return 'error';
  return level === 'warning' && !message.includes('maxPoolSize') ? 'warn' : 'debug';
};
