export { type Clock, systemClock } from './clock.ts';
export { severalServers } from './database/citus.ts';
export {
  connect,
  type Database,
  isPooled,
  ourSchema,
  type Transaction,
} from './database/connect.ts';
export {
  connectPools,
  firstSchema,
  isTransactionPooler,
  refusesSettings,
  requireServer,
} from './database/connect-pools.ts';
export { connectQueue } from './database/connect-queue.ts';
export { parseDatabaseAddress, requireOfferedTls } from './database/database-address.ts';
export {
  type DistributionStatus,
  distributionStatus,
} from './database/distribution-status.ts';
export {
  isLastingRefusal,
  isOfMovingOrganization,
  isReadOnly,
  isTemporaryFailure,
} from './database/failures.ts';
export { findPlacement } from './database/find-placement.ts';
export { jobPool } from './database/job-pool.ts';
export {
  type MigrationStatus,
  migrate,
  migrationStatus,
  requireKnownMigrations,
} from './database/migrate.ts';
export { oneServer, type Placement } from './database/placement.ts';
export { changeableTables, lackingInWords, RightsProof } from './database/program-rights.ts';
export { prepareProgramRole } from './database/program-role.ts';
export { type TablesByPlace, tablesByPlace } from './database/tenant-tables.ts';
export { lackOfTexts } from './database/text-support.ts';
export { defaultLimits, type Environment, tokenPrefix } from './environment.ts';
export { troubleOfFile } from './file-trouble.ts';
export {
  addDays,
  clockTime,
  type Day,
  dayMs,
  dayOf,
  localTime,
  momentOfLocal,
  nextHour,
} from './local-time.ts';
export type { Log } from './log.ts';
export { type ReadNumber, readNumber } from './numbers/read-number.ts';
export { sumAmounts, sumLines, sumOrder } from './numbers/totals.ts';
export {
  backupBounds,
  clockDifferenceMs,
  connectionsOfWorker,
  databaseAwaitedMs,
  deadRows,
  directConnections,
  droppedBodyBytes,
  examinedWithinMs,
  forgottenPauseMs,
  invitationDays,
  jobRunnerRestart,
  jobsAtOnce,
  jobsPolledEveryMs,
  knownBrowserSeconds,
  lateDeliverySeconds,
  leastFreeShare,
  lockAwaitedMs,
  longTransactionMs,
  mailServerLimits,
  noLimits,
  oldBackupSeconds,
  oldTrialSeconds,
  otherConnections,
  queueAskedAgain,
  queueLimits,
  type Retention,
  retentionBounds,
  stopLimitMs,
  storageQuotaBoundsMb,
  type TimeLimits,
  tasksAtOnce,
  unavailableRetryAfterSeconds,
  usualRetention,
  workerConnections,
} from './operating-limits.ts';
export { OperatorError, type OperatorHelp, operatorMoment } from './operator.ts';
export {
  type AllowedTargets,
  checkProxy,
  checkTarget,
  createGuardedAgent,
  type OutboundProxy,
  parseAllowedTargets,
  parseOutboundProxy,
  type RequestOutcome,
  type Resolve,
  requestFailure,
  sendRequest,
} from './outgoing/index.ts';
export { invalidField, invalidFields, invalidParameter, notFound, Problem } from './problem.ts';
export {
  type Arrival,
  Reception,
  type ReceptionBounds,
  type Sender,
} from './reception/reception.ts';
export { newSecretsKey, parseSecretsKey, type SealedPlace, Secrets } from './secrets.ts';
export {
  type OpenSpan,
  type SpanOutcome,
  type SpanStart,
  type Tracing,
  traceBy,
  tracing,
} from './tracing.ts';
