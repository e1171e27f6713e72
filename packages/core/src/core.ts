import type { Clock } from './clock.ts';
import { CredentialCache } from './credentials/credential-cache.ts';
import { waitingIn } from './database/connect.ts';
import type { RequestPools } from './database/connect-pools.ts';
import { DeliveryJobs } from './deliveries/queue/delivery-jobs.ts';
import { DirectoryCache } from './directory/directory.ts';
import type { Environment } from './environment.ts';
import { WaitingReaders } from './event-feed/waiting-readers.ts';
import { EventStreams, type StreamTiming } from './listening/event-streams.ts';
import type { Log } from './log.ts';
import { DatabaseGauges } from './metrics/database-gauges.ts';
import { Metrics } from './metrics/metrics.ts';
import { type Retention, usualRetention } from './operating-limits.ts';
import { type AllowedTargets, createResolve, type OutboundProxy, type Resolve } from './outgoing/index.ts';
import { DayCounts } from './overview/overview.ts';
import { PipelineWeeks } from './overview/pipeline-weeks.ts';
import { RateLimiter, type RequestCeilings } from './rate-limits/rate-limiter.ts';
import { Reception, type ReceptionBounds } from './reception/reception.ts';
import type { Secrets } from './secrets.ts';
import { BatchTurns } from './verb/batch-turns.ts';
import { TargetNames } from './webhooks/targets.ts';

/** What an application gives core to work with. */
export interface CoreOptions extends RequestPools {
  /** A direct address of the database, for locks that last as long as their connection. */
  databaseUrl: string;
  clock: Clock;
  log: Log;
  /** Public address without a trailing slash; links to records are built from it. */
  origin: string;
  environment: Environment;
  /** `TRUST_PROXY`: whether `X-Forwarded-For` is believed; not when absent. */
  trustProxy?: boolean | undefined;
  /** `ACCESS_LOG`: every request is told in the log, not only what is refused. */
  accessLog?: boolean | undefined;
  /** `DELIVERIES=held`: this process sends neither webhooks nor mails. */
  deliveriesHeld?: boolean | undefined;
  /** Records stand on other servers than what is on its way (`isDistributed`). */
  distributed: boolean;
  secrets: Secrets;
  /** `WEBHOOK_ALLOWED_TARGETS` */
  allowedTargets: AllowedTargets;
  /** `OUTBOUND_PROXY`: what deliveries and test events go through; directly when absent. */
  outboundProxy?: OutboundProxy | undefined;
  /** Whether `SMTP_URL` is set: invitations then go by mail. Else their links are handed over. */
  mailIsSetUp?: boolean;
  /** How names of targets are resolved when they are given; the system's way when absent. */
  resolve?: Resolve;
  streamTiming?: Partial<StreamTiming>;
  /** Requests a minute of a session of the console and of an application; those of the contract when absent. */
  requestCeilings?: RequestCeilings | undefined;
  /** How much of bodies is held at once; as is usual where it says nothing. */
  receptionBounds?: Partial<ReceptionBounds> | undefined;
  /** What is kept how long; as is usual when absent. */
  retention?: Retention | undefined;
  /** What the rows of an organization may take that has no quota of its own; as much as they want when absent. */
  storageQuotaMb?: number | undefined;
}

/** One process's core: its connections and what it keeps in memory. */
export interface Core extends CoreOptions {
  retention: Retention;
  credentials: CredentialCache;
  rateLimiter: RateLimiter;
  batchTurns: BatchTurns;
  reception: Reception;
  directories: DirectoryCache;
  dayCounts: DayCounts;
  pipelineWeeks: PipelineWeeks;
  deliveryJobs: DeliveryJobs;
  eventStreams: EventStreams;
  waitingReaders: WaitingReaders;
  metrics: Metrics;
  databaseGauges: DatabaseGauges;
  targetNames: TargetNames;
}

export function createCore(options: CoreOptions): Core {
  const metrics = new Metrics();
  const { registry } = metrics;
  const { sql, slowSql } = options;
  metrics.observePools({ requests: () => waitingIn(sql), slow: () => waitingIn(slowSql) });
  const credentials = new CredentialCache(options);
  return {
    ...options,
    retention: options.retention ?? usualRetention,
    credentials,
    rateLimiter: new RateLimiter(options),
    batchTurns: new BatchTurns(),
    reception: new Reception(options.receptionBounds),
    directories: new DirectoryCache(options),
    dayCounts: new DayCounts(),
    pipelineWeeks: new PipelineWeeks(),
    deliveryJobs: new DeliveryJobs(options),
    eventStreams: new EventStreams({ ...options, credentials }),
    waitingReaders: new WaitingReaders(options),
    metrics,
    targetNames: new TargetNames(options.resolve ?? createResolve(options.allowedTargets)),
    databaseGauges: new DatabaseGauges({ ...options, sql: options.gaugesSql, registry }),
  };
}
