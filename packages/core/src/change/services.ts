import type { Clock } from '../foundations/clock.ts';
import type { RequestPools } from '../foundations/database/connect-pools.ts';
import type { Placement } from '../foundations/database/placement.ts';
import type { Environment } from '../foundations/environment.ts';
import type { Log } from '../foundations/log.ts';
import type { Metrics } from '../foundations/metrics/metrics.ts';
import type { Retention } from '../foundations/operating-limits.ts';
import type { AllowedTargets, OutboundProxy, Resolve } from '../foundations/outgoing/index.ts';
import type { TargetNames } from '../foundations/outgoing/target-names.ts';
import type { Reception, ReceptionBounds } from '../foundations/reception/reception.ts';
import type { Secrets } from '../foundations/secrets.ts';
import type { CredentialCache } from '../identity/credentials/credential-cache.ts';
import type { BatchTurns } from '../identity/rate-limits/batch-turns.ts';
import type { RateLimiter, RequestCeilings } from '../identity/rate-limits/rate-limiter.ts';
import type { ReferenceDataCache } from '../identity/reference-data/reference-data.ts';
import type { WaitingReaders } from './events/waiting-readers.ts';
import type { DayCounts } from './overview/overview.ts';
import type { PipelineWeeks } from './overview/pipeline-weeks.ts';
import type { DeliveryJobs } from './queue/delivery-jobs.ts';

/** What an application gives them. */
export interface ServiceOptions extends RequestPools {
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
  placement: Placement;
  secrets: Secrets;
  /** `WEBHOOK_ALLOWED_TARGETS` */
  allowedTargets: AllowedTargets;
  /** `OUTBOUND_PROXY`: what deliveries and test events go through; directly when absent. */
  outboundProxy?: OutboundProxy | undefined;
  /** Whether `SMTP_URL` is set: invitations then go by mail. Else their links are handed over. */
  mailIsSetUp?: boolean;
  /** How names of targets are resolved when they are given; the system's way when absent. */
  resolve?: Resolve;
  /** Requests a minute of a session of the console and of an application; those of the contract when absent. */
  requestCeilings?: RequestCeilings | undefined;
  /** How much of bodies is held at once; as is usual where it says nothing. */
  receptionBounds?: Partial<ReceptionBounds> | undefined;
  /** What is kept how long; as is usual when absent. */
  retention?: Retention | undefined;
  /** What the rows of an organization may take that has no quota of its own; as much as they want when absent. */
  storageQuotaMb?: number | undefined;
}

/** What reads and changes work with: the connections of a process, and what it keeps in memory. */
export interface Services extends ServiceOptions {
  retention: Retention;
  credentials: CredentialCache;
  rateLimiter: RateLimiter;
  batchTurns: BatchTurns;
  reception: Reception;
  referenceDataCache: ReferenceDataCache;
  dayCounts: DayCounts;
  pipelineWeeks: PipelineWeeks;
  deliveryJobs: DeliveryJobs;
  waitingReaders: WaitingReaders;
  metrics: Metrics;
  targetNames: TargetNames;
}
