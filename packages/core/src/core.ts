import { WaitingReaders } from './change/events/waiting-readers.ts';
import { DayCounts } from './change/overview/overview.ts';
import { PipelineWeeks } from './change/overview/pipeline-weeks.ts';
import { DeliveryJobs } from './change/queue/delivery-jobs.ts';
import type { ServiceOptions, Services } from './change/services.ts';
import { EventStreams, type StreamTiming } from './delivering/event-streams/event-streams.ts';
import { waitingIn } from './foundations/database/connect.ts';
import { Metrics } from './foundations/metrics/metrics.ts';
import { usualRetention } from './foundations/operating-limits.ts';
import { createResolve } from './foundations/outgoing/index.ts';
import { TargetNames } from './foundations/outgoing/target-names.ts';
import { Reception } from './foundations/reception/reception.ts';
import { CredentialCache } from './identity/credentials/credential-cache.ts';
import { BatchTurns } from './identity/rate-limits/batch-turns.ts';
import { RateLimiter } from './identity/rate-limits/rate-limiter.ts';
import { ReferenceDataCache } from './identity/reference-data/reference-data.ts';
import { DatabaseGauges } from './installation/metrics/database-gauges.ts';

/** What an application gives core to work with. */
export interface CoreOptions extends ServiceOptions {
  streamTiming?: Partial<StreamTiming>;
}

/** One process's core: what reads and changes work with, and what only applications use. */
export interface Core extends Services {
  eventStreams: EventStreams;
  databaseGauges: DatabaseGauges;
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
    referenceDataCache: new ReferenceDataCache(options),
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
