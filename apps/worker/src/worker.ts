import {
  type Core,
  connect,
  connectQueue,
  createGuardedAgent,
  DeliveryDispatcher,
  type DispatchTiming,
  noLimits,
  queueLimits,
  type Resolve,
  WorkerPresence,
  wakeUpChannel,
} from '@dealkeep/core';
import { JobRunner } from './job-runner.ts';
import { createMailer, type MailSettings } from './mailer.ts';

/** Connections for the tasks by the clock: one for each that runs at the same time. */
const upkeepConnections = 2;

export interface WorkerOptions {
  core: Core;
  /** A direct address of the database: the worker listens on it. */
  databaseUrl: string;
  /** Deliveries in flight that are younger than a second. */
  concurrency: number;
  timing?: Partial<DispatchTiming>;
  /** Where mail goes; to the log when absent. */
  mail?: MailSettings | undefined;
  /** How the names of targets are resolved; the system's way when absent. */
  resolve?: Resolve;
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
}: WorkerOptions): Promise<RunningWorker> {
  const { secrets, clock, log, metrics, allowedTargets: allowed, deliveryWakeUp } = core;
  const { outboundProxy: proxy } = core;
  const queue = connectQueue(databaseUrl);
  const presenceSql = connect(databaseUrl, {
    connections: 1,
    name: 'dealkeep worker presence',
    limits: queueLimits,
  });
  const upkeepSql = connect(databaseUrl, {
    connections: upkeepConnections,
    name: 'dealkeep upkeep',
    limits: noLimits,
  });
  const agent = createGuardedAgent({ allowed, proxy, ...(resolve ? { resolve } : {}) });
  const dispatcher = new DeliveryDispatcher({
    queue,
    presence: await WorkerPresence.announce(presenceSql),
    agent,
    secrets,
    clock,
    log,
    metrics,
    held: core.deliveriesHeld,
    concurrency,
    ...(timing ? { timing } : {}),
  });
  const wake = (): boolean => dispatcher.wake();
  // The last function is called whenever the connection is made anew, because what was notified meanwhile is lost.
  await presenceSql.listen(wakeUpChannel, wake, () => dispatcher.reconnected());
  const tasks = new JobRunner({ ...core, sql: upkeepSql }, databaseUrl, createMailer(mail, log));
  await tasks.start();
  deliveryWakeUp.setLocalWorker(wake);
  dispatcher.start();
  if (core.deliveriesHeld) log.warn({}, 'Nothing is sent, neither webhooks nor mails: DELIVERIES=held');

  return {
    async stop(limitMs) {
      deliveryWakeUp.setLocalWorker(undefined);
      const ended = await Promise.allSettled([tasks.stop(), dispatcher.stop(limitMs)]);
      await agent.destroy();
      const pools = [queue.claims, queue.results, queue.log, presenceSql, upkeepSql];
      await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
      for (const each of ended) if (each.status === 'rejected') throw each.reason;
    },
  };
}
