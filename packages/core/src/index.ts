export {
  acceptAsNewUser,
  acceptAsSignedIn,
  acceptBySigningIn,
  findInvitation,
  type OpenInvitation,
} from './accounts/invitations/accept-invitation.ts';
export {
  getInvitation,
  type Invitation,
  invitationPath,
  listInvitations,
} from './accounts/invitations/invitations.ts';
export type { ApiKey } from './accounts/keys/api-keys.ts';
export {
  createApiKey,
  listApiKeys,
  listApiKeysOf,
  listEndedApiKeysOf,
  type NewApiKey,
  revokeApiKey,
} from './accounts/keys/api-keys.ts';
export { callerLanguage } from './accounts/keys/me.ts';
export {
  createOAuthApp,
  findOAuthApp,
  isOpenTo,
  listOAuthApps,
  type NewOAuthApp,
  type OAuthApp,
  type OAuthAppKind,
  rotateOAuthAppSecret,
} from './accounts/oauth/apps.ts';
export { type ConnectableAssistant, listAssistants } from './accounts/oauth/assistants.ts';
export {
  type AuthorizationCheck,
  type AuthorizationRequest,
  allowAuthorization,
  type ConsentingUser,
  checkAuthorizationRequest,
  denyAuthorization,
} from './accounts/oauth/authorization.ts';
export {
  disconnect,
  endIdleConnections,
  listConnections,
  type OAuthConnection,
} from './accounts/oauth/connections.ts';
export { createDocumentedApp } from './accounts/oauth/documented-apps.ts';
export { type DocumentReading, isDocumentAddress } from './accounts/oauth/metadata-document.ts';
export { authorizationServerMetadata, OAuthError } from './accounts/oauth/protocol.ts';
export { leadsToOwnMachine } from './accounts/oauth/redirect-uris.ts';
export { removeOAuthApp } from './accounts/oauth/remove-app.ts';
export { type ClientRequest, exchangeTokens, revokeToken } from './accounts/oauth/token-endpoint.ts';
export type { TokenAnswer } from './accounts/oauth/tokens.ts';
export type { Organization } from './accounts/organizations/organizations.ts';
export {
  createOrganization,
  findOrganization,
  getOrganization,
  listOrganizations,
  type OrganizationUse,
  updateOrganization,
} from './accounts/organizations/organizations.ts';
export type { ClaimingClient } from './accounts/sessions/prove-password.ts';
export {
  endOtherSessions,
  endSession,
  findSession,
  listOwnSessions,
  type OwnSession,
  type Session,
  type SignedIn,
  signIn,
  switchOrganization,
} from './accounts/sessions/sessions.ts';
export { getMember, listMembers, type Member } from './accounts/users/members.ts';
export { changeOwnPassword, editAccount, showGuide } from './accounts/users/own-account.ts';
export { createRole, getRole, listRoles, type Role } from './accounts/users/roles.ts';
export { createUser, type User, updateUser } from './accounts/users/users.ts';
export { noteExport } from './change/audit/note-export.ts';
export type { Answer } from './change/idempotency/stored-answer.ts';
export type { DayCount } from './change/overview/overview.ts';
export { deliverFlag, deliverTask, WebhookOfJob } from './change/queue/delivery-jobs.ts';
export { countDeliveryJobs, type DeliveryJobCounts, failedJobs } from './change/queue/job-counts.ts';
export {
  freeLostMails,
  mailFlag,
  mailTask,
  type NotifiedUser,
  usersToNotify,
} from './change/queue/mail-jobs.ts';
export {
  type DeliveryHold,
  deliveryHold,
  type PartPause,
  pausedSince,
  type QueuePause,
  webhookPause,
} from './change/queue/queue-pauses.ts';
export { WorkerPresence } from './change/queue/worker-presence.ts';
export type { Outcome } from './change/verb/outcome.ts';
export type { RawBody, RawRequest } from './change/verb/parse-request.ts';
export {
  isFormEncoded,
  openForm,
  receiveForm,
  type SentForm,
  signedInForm,
} from './change/verb/receive-form.ts';
export { isUpload, receiveUpload, type Upload } from './change/verb/receive-upload.ts';
export { type Changing, type ResultOf, StoredJson, type Writing } from './change/verb/verb.ts';
export { type Core, type CoreOptions, createCore } from './core.ts';
export { type DeliveryTiming, DeliveryTurns } from './delivering/deliveries/queue/delivery-turns.ts';
export {
  type Delivery,
  getDelivery,
  type InspectedDelivery,
  type InspectedSummary,
  inspectEvent,
  inspectWebhook,
  type LoggedAttempt,
  type UntriedDelivery,
} from './delivering/delivery-log/inspect-deliveries.ts';
export { listWebhooksOf, replayWebhook } from './delivering/delivery-log/operate-webhooks.ts';
export type { DeliveryOutcome, DeliverySummary } from './delivering/delivery-log/search-deliveries.ts';
export {
  countDeliveries,
  type DeliveryCounts,
  type DeliverySearch,
  type LoggedDelivery,
  searchDeliveries,
} from './delivering/delivery-log/search-deliveries.ts';
export {
  type DeliveryRecovery,
  logKeptSince,
  previewRecovery,
  type ReplayPreview,
} from './delivering/delivery-log/send-again.ts';
export { requireReadable } from './delivering/event-feed/readable-types.ts';
export type { EventStream, StreamItem } from './delivering/listening/event-stream.ts';
export type { StreamTiming } from './delivering/listening/event-streams.ts';
export { dropAllExcessHeldEvents, releaseHeldEvents } from './delivering/webhooks/held-events.ts';
export {
  getWebhookWithHealth,
  listWebhooksWithHealth,
  type Webhook,
  type WebhookInFull,
} from './delivering/webhooks/show-webhooks.ts';
export { deliveryHeaders, type SigningKeys, signingKeys } from './delivering/webhooks/signed-headers.ts';
export { placeOfSecret } from './delivering/webhooks/signing-keys.ts';
export { endHooksOfDeadKeys } from './delivering/webhooks/withdraw-deliveries.ts';
export { type Clock, systemClock } from './foundations/clock.ts';
export {
  connect,
  type Database,
  isPooled,
  ourSchema,
  type Transaction,
} from './foundations/database/connect.ts';
export {
  connectPools,
  firstSchema,
  isTransactionPooler,
  refusesSettings,
  requireServer,
} from './foundations/database/connect-pools.ts';
export { connectQueue } from './foundations/database/connect-queue.ts';
export { parseDatabaseAddress, requireOfferedTls } from './foundations/database/database-address.ts';
export { isDistributed } from './foundations/database/distribute.ts';
export {
  type DistributionStanding,
  distributionStanding,
} from './foundations/database/distribution-standing.ts';
export {
  isLastingRefusal,
  isOfMovingOrganization,
  isReadOnly,
  isTemporaryFailure,
} from './foundations/database/failures.ts';
export { jobPool } from './foundations/database/job-pool.ts';
export {
  type MigrationStatus,
  migrate,
  migrationStatus,
  requireKnownMigrations,
} from './foundations/database/migrate.ts';
export { changeableTables, lackingInWords, RightsProof } from './foundations/database/program-rights.ts';
export { prepareProgramRole } from './foundations/database/program-role.ts';
export { type TablesByPlace, tablesByPlace } from './foundations/database/tenant-tables.ts';
export { lackOfTexts } from './foundations/database/text-support.ts';
export { defaultLimits, type Environment, tokenPrefix } from './foundations/environment.ts';
export { troubleOfFile } from './foundations/file-trouble.ts';
export {
  addDays,
  clockTime,
  type Day,
  dayMs,
  dayOf,
  localTime,
  momentOfLocal,
  nextHour,
} from './foundations/local-time.ts';
export type { Log } from './foundations/log.ts';
export { type ReadNumber, readNumber } from './foundations/numbers/read-number.ts';
export { sumAmounts, sumLines, sumOrder } from './foundations/numbers/totals.ts';
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
} from './foundations/operating-limits.ts';
export { OperatorError, type OperatorHelp, operatorMoment } from './foundations/operator.ts';
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
} from './foundations/outgoing/index.ts';
export { invalidField, invalidFields, invalidParameter, notFound, Problem } from './foundations/problem.ts';
export {
  type Arrival,
  Reception,
  type ReceptionBounds,
  type Sender,
} from './foundations/reception/reception.ts';
export { newSecretsKey, parseSecretsKey, type SealedPlace, Secrets } from './foundations/secrets.ts';
export {
  type OpenSpan,
  type SpanOutcome,
  type SpanStart,
  type Tracing,
  traceBy,
  tracing,
} from './foundations/tracing.ts';
export { type AssistantReach, assistantReach, lesserReach } from './identity/credentials/assistants.ts';
export { authorize, checkStanding } from './identity/credentials/authorize.ts';
export type { Actor, Credential } from './identity/credentials/credential.ts';
export type { Caller } from './identity/credentials/credential-cache.ts';
export {
  assignedEntities,
  permissionsFor,
  reachOf,
  reachOn,
  requireReach,
} from './identity/credentials/reach.ts';
export { lastForwarded, type RequestOrigin, requestOrigin } from './identity/credentials/request-origin.ts';
export {
  type ProtectedResource,
  protectedResourceAt,
  protectedResourceMetadata,
  resourceMetadataAddress,
  resourceMetadataPaths,
} from './identity/credentials/resources.ts';
export { countSession, type RateStanding, secondsLeft } from './identity/rate-limits/rate-limiter.ts';
export { bytesOfMb, measureStorage, type StorageState } from './identity/tenancy/measure-storage.ts';
export { readingBackup, sayingWhyOfFile, writingBackup } from './installation/backup/backup-on-disk.ts';
export { moveDatabase } from './installation/backup/move-database.ts';
export { missingKeys } from './installation/backup/requirements.ts';
export {
  type RestoredBackup,
  type RestoreOptions,
  restoreBackup,
} from './installation/backup/restore-backup.ts';
export {
  type BackupsStanding,
  backupsStanding,
  type RunStanding,
} from './installation/backup/scheduled/backup-runs.ts';
export { type BackupPlan, ScheduledBackups } from './installation/backup/scheduled/scheduled-backups.ts';
export type { Settled } from './installation/backup/settle.ts';
export { settleRecovered } from './installation/backup/settle-recovered.ts';
export { takeBackup } from './installation/backup/take-backup.ts';
export { type TriedBackup, tryBackup } from './installation/backup/try-backup.ts';
export { type VerifiedBackup, verifyBackup } from './installation/backup/verify-backup.ts';
export { resetTestEnvironment } from './installation/demo/reset-test-environment.ts';
export { demoOrganization, type SeedCounts, seedDemo } from './installation/demo/seed.ts';
export { keysOfWebhooks } from './installation/installation/encrypted-values.ts';
export {
  claimEnvironment,
  enterInstallation,
  readEnvironment,
} from './installation/installation/installation.ts';
export { pauseQueue, type QueuePart, resumeQueue } from './installation/installation/pause-queue.ts';
export { type ProcessFacts, ProcessPresence } from './installation/installation/process-presence.ts';
export { discardQueue, type QueueStanding, queueStanding } from './installation/installation/queue.ts';
export {
  listQueue,
  type QueuedWebhook,
  type QueueFilter,
  type QueueStatus,
  queueStatus,
} from './installation/installation/queue-status.ts';
export {
  forgetLostKeys,
  type KeyInUse,
  type Rotation,
  rotateSecrets,
} from './installation/installation/rotate-secrets.ts';
export { type RunningProcess, runningProcesses } from './installation/installation/running-processes.ts';
export {
  type KeyWay,
  knownKeys,
  needsNoKeyYet,
  WrongInstallation,
} from './installation/installation/secrets-keys.ts';
export { byteOrderMark, type CsvCell, type CsvStyle, csvText } from './installation/leaving/csv-text.ts';
export {
  type ExportedFiles,
  type ExportSummary,
  exportedKinds,
  exportOrganization,
  leftOutTables,
} from './installation/leaving/export-organization.ts';
export { type Mail, sendMail } from './installation/mails/send-mail.ts';
export { type ForgottenOrganization, forgetOrganization } from './installation/moving/forget-organization.ts';
export {
  type MovedOrganization,
  moveOrganization,
  type OrganizationMove,
  type OrganizationMovePreview,
  previewOrganizationMove,
} from './installation/moving/move-organization.ts';
export type { MovedAway } from './installation/moving/moved-away.ts';
export { endPausesOfEndedMoves } from './installation/moving/pause-for-move.ts';
export {
  type TakenBackOrganization,
  takeBackOrganization,
} from './installation/moving/take-back-organization.ts';
export { type KeptName, removeOld, sweepOld } from './installation/retention/retention.ts';
export { planScaleOut, type ScaleOutPlan, scaleOut } from './installation/scale-out/scale-out.ts';
export { type ExecuteOptions, execute, problemsIn } from './operations/execute.ts';
export { addImportJob, continueImports, ImportJob, importTask } from './operations/imports/import-jobs.ts';
export {
  chooseMapping,
  countRows,
  countShortRows,
  createImport,
  discardImport,
  getImport,
  type Import,
  type ImportChoice,
  type ImportStatus,
  listImports,
  permittedMatches,
  type RowState,
  requireImporting,
  startImport,
  stopImport,
  undoImport,
  undoUntil,
} from './operations/imports/imports.ts';
export { columnOf, type ReadRow } from './operations/imports/read-rows.ts';
export { type ImportedRow, previewRows, readImportedRows } from './operations/imports/report.ts';
export {
  type ImportKind,
  type ImportTarget,
  importTargets,
  isImportKind,
  isRequired,
} from './operations/imports/targets.ts';
export { workOnImport } from './operations/imports/work-on-import.ts';
export { type LatestEvent, latestEvents, type VisibleEvents } from './operations/latest-events.ts';
export { tagOf, tagOfRecord, unchanged } from './operations/locked-record.ts';
export { run } from './operations/run.ts';
export {
  hasUnchangedRole,
  problemsForUser,
  reachFor,
  runAsUser,
  type UserRequest,
} from './operations/run-as-user.ts';
export { type DoneWithRecord, runOnManyAsUser } from './operations/run-on-many-as-user.ts';
export type { VerbId } from './operations/verbs.ts';
export { possibleActivitySteps } from './records/activities/write.ts';
export { mostInCalendar } from './records/bookings/record.ts';
export { possibleBookingSteps } from './records/bookings/write.ts';
export { continueErasures } from './records/erasing/erase.ts';
export {
  type Erased,
  erasedText,
  personalFields,
  personalItemColumns,
  personalTables,
} from './records/erasing/personal-data.ts';
export { type VatOfRate, vatByRate } from './records/invoices/vat-by-rate.ts';
export {
  markOverdueInvoices,
  possibleInvoiceSteps,
} from './records/invoices/write.ts';
export { possibleLeadSteps } from './records/leads/stages.ts';
export {
  editableLookups,
  type LookupEntry,
  type LookupUsage,
  readLookup,
  readLookups,
  readLookupUsage,
  requireShown,
} from './records/lookups/editable-lookups.ts';
export { countLeads, type LeadCount, type LeadPlace } from './records/lookups/send-leads.ts';
export { possibleOrderSteps } from './records/orders/steps.ts';
export { possibleQuoteSteps } from './records/quotes/write.ts';
export { possibleTaskSteps, tellOverdueTasks } from './records/tasks/write.ts';
