import {
  type Core,
  dropAllExcessHeldEvents,
  endHooksOfDeadKeys,
  endIdleConnections,
  forgetPreviousSecrets,
  jobPool,
  type Mail,
  markOverdueInvoices,
  releaseHeldEvents,
  removeExpiredTokens,
  removeOldAnswers,
  removeOldAttempts,
  removeOldEvents,
  removeOldInvitations,
  removeOldMails,
  removeOldSessions,
  removeOldWindows,
  resetTestEnvironment,
  sendMails,
  tellOverdueTasks,
} from '@dealkeep/core';
import {
  type CronItem,
  Logger,
  type LogLevel,
  makeWorkerUtils,
  parseCronItems,
  type Runner,
  run,
} from 'graphile-worker';

const restartAfterMs = 5000;
/** One listens, the others run what is due. */
const jobConnections = 3;

/**
 * Tasks by the clock, each run by one of the workers. graphile-worker ends itself when it cannot write what became of
 * a task, as when the database restarts; it is then started again.
 */
export class ScheduledTasks {
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
    this.#runner = await run({
      pgPool: pool,
      logger: new Logger(() => (level, message, meta) => core.log[logLevel(level)]({ ...meta }, message)),
      noHandleSignals: true,
      // A long removal keeps no sweep waiting.
      concurrency: 2,
      pollInterval: 2000,
      // Results in batches: without them, a result that cannot be written would end the whole process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList: {
        remove_old_answers: async () => {
          const answers = await removeOldAnswers(core.sql, core.clock);
          core.log.info({ answers }, 'Removed idempotent answers older than a day');
        },
        remove_old_attempts: async () => {
          const attempts = await removeOldAttempts(core);
          core.log.info({ attempts }, 'Removed attempts of deliveries older than 30 days');
        },
        remove_old_events: async () => {
          const events = await removeOldEvents(core);
          core.log.info({ events }, 'Removed events older than the delivery log');
        },
        remove_old_mails: async () => {
          await removeOldMails(core);
        },
        remove_failed_jobs: async () => {
          const jobs = await makeWorkerUtils({ pgPool: pool });
          await jobs.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] });
        },
        forget_previous_secrets: async () => {
          const webhooks = await forgetPreviousSecrets(core);
          if (webhooks > 0) core.log.info({ webhooks }, 'Forgot former secrets of webhooks');
        },
        end_hooks_of_dead_keys: async () => {
          const hooks = await endHooksOfDeadKeys(core);
          if (hooks > 0) core.log.info({ hooks }, 'Removed REST hooks of keys that have ended');
        },
        end_idle_connections: async () => {
          const connections = await endIdleConnections(core);
          if (connections > 0) core.log.info({ connections }, 'Ended OAuth connections that nobody used');
        },
        remove_expired_tokens: async () => {
          await removeExpiredTokens(core);
        },
        remove_old_sessions: async () => {
          await removeOldSessions(core);
          await removeOldInvitations(core);
        },
        release_held_events: async () => {
          const webhooks = await releaseHeldEvents(core);
          if (webhooks > 0) core.log.info({ webhooks }, 'Began to deliver what was held');
        },
        drop_excess_held_events: async () => {
          const events = await dropAllExcessHeldEvents(core);
          if (events > 0)
            core.log.info({ events }, 'Dropped held events beyond 30 days or 1,000 per webhook');
        },
        remove_old_rate_windows: async () => {
          await removeOldWindows(core.sql, core.clock);
        },
        send_mails: async () => {
          if (core.deliveriesHeld !== true) await sendMails(core, this.#post);
        },
        reset_test_environment: async () => {
          const organizations = await resetTestEnvironment(core);
          core.log.info({ organizations }, 'Reset the test environment');
        },
        tell_overdue_tasks: async () => {
          const tasks = await tellOverdueTasks(core);
          if (tasks > 0) core.log.info({ tasks }, 'Told of overdue tasks');
        },
        mark_overdue_invoices: async () => {
          const invoices = await markOverdueInvoices(core);
          if (invoices > 0) core.log.info({ invoices }, 'Marked overdue invoices');
        },
      },
      parsedCronItems: parseCronItems([
        { task: 'remove_old_answers', match: '17 * * * *' },
        { task: 'remove_old_attempts', match: '22 * * * *' },
        { task: 'remove_old_events', match: '27 * * * *' },
        { task: 'remove_old_mails', match: '37 3 * * *' },
        { task: 'remove_failed_jobs', match: '47 3 * * *' },
        { task: 'forget_previous_secrets', match: '7 * * * *' },
        everyMinute('end_hooks_of_dead_keys'),
        everyMinute('end_idle_connections'),
        everyMinute('remove_expired_tokens'),
        everyMinute('remove_old_sessions'),
        everyMinute('release_held_events'),
        everyMinute('drop_excess_held_events'),
        everyMinute('remove_old_rate_windows'),
        everyMinute('send_mails'),
        everyMinute('tell_overdue_tasks'),
        everyMinute('mark_overdue_invoices'),
        // 02:00 UTC, or within the hour when no worker was there (rule test-environment 4).
        ...(core.environment === 'test'
          ? [{ task: 'reset_test_environment', match: '0 2 * * *', options: { backfillPeriod: 3600_000 } }]
          : []),
      ]),
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

/** A sweep; one that failed is not repeated but replaced by the next, so that failures do not pile up. */
const everyMinute = (task: string): CronItem => ({
  task,
  match: '* * * * *',
  options: { jobKey: task, maxAttempts: 1 },
});

/** graphile-worker's own news is for those who look for it. */
const logLevel = (level: LogLevel): 'debug' | 'warn' | 'error' =>
  level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug';
