export { possibleActivitySteps } from './activities/write.ts';
export { noteExport } from './audit/note-export.ts';
export { lastForwarded, type RequestOrigin, requestOrigin } from './audit/request-origin.ts';
export { readingBackup, sayingWhyOfFile, writingBackup } from './backup/backup-on-disk.ts';
export { moveDatabase } from './backup/move-database.ts';
export { missingKeys } from './backup/requirements.ts';
export { type RestoredBackup, type RestoreOptions, restoreBackup } from './backup/restore-backup.ts';
export {
  type BackupsStanding,
  backupsStanding,
  type RunStanding,
} from './backup/scheduled/backup-runs.ts';
export { type BackupPlan, ScheduledBackups } from './backup/scheduled/scheduled-backups.ts';
export type { Settled } from './backup/settle.ts';
export { settleRecovered } from './backup/settle-recovered.ts';
export { takeBackup } from './backup/take-backup.ts';
export { type TriedBackup, tryBackup } from './backup/try-backup.ts';
export { type VerifiedBackup, verifyBackup } from './backup/verify-backup.ts';
export { mostInCalendar } from './bookings/record.ts';
export { possibleBookingSteps } from './bookings/write.ts';
export { type Clock, systemClock } from './clock.ts';
export { type Core, type CoreOptions, createCore } from './core.ts';
export type { ApiKey } from './credentials/api-keys.ts';
export {
  createApiKey,
  listApiKeys,
  listApiKeysOf,
  listEndedApiKeysOf,
  type NewApiKey,
  revokeApiKey,
} from './credentials/api-keys.ts';
export { type AssistantReach, assistantReach, lesserReach } from './credentials/assistants.ts';
export { authorize, checkStanding } from './credentials/authorize.ts';
export type { Actor, Credential } from './credentials/credential.ts';
export type { Caller } from './credentials/credential-cache.ts';
export { callerLanguage } from './credentials/me.ts';
export { assignedEntities, permissionsFor, reachOf, reachOn, requireReach } from './credentials/reach.ts';
export { connect, type Database, isPooled, ourSchema, type Transaction } from './database/connect.ts';
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
  isLastingRefusal,
  isOfMovingOrganization,
  isReadOnly,
  isTemporaryFailure,
} from './database/failures.ts';
export { jobPool } from './database/job-pool.ts';
export {
  type MigrationStatus,
  migrate,
  migrationStatus,
  requireKnownMigrations,
} from './database/migrate.ts';
export { changeableTables, lackingInWords, RightsProof } from './database/program-rights.ts';
export { prepareProgramRole } from './database/program-role.ts';
export { type TablesByPlace, tablesByPlace } from './database/tenant-tables.ts';
export { lackOfTexts } from './database/text-support.ts';
export { deliverFlag, deliverTask, WebhookOfJob } from './deliveries/queue/delivery-jobs.ts';
export { type DeliveryTiming, DeliveryTurns } from './deliveries/queue/delivery-turns.ts';
export {
  type Delivery,
  getDelivery,
  type InspectedDelivery,
  type InspectedSummary,
  inspectEvent,
  inspectWebhook,
  type LoggedAttempt,
  type UntriedDelivery,
} from './delivery-log/inspect-deliveries.ts';
export type { DeliveryOutcome, DeliverySummary } from './delivery-log/search-deliveries.ts';
export {
  countDeliveries,
  type DeliveryCounts,
  type DeliverySearch,
  type LoggedDelivery,
  searchDeliveries,
} from './delivery-log/search-deliveries.ts';
export {
  type DeliveryRecovery,
  logKeptSince,
  previewRecovery,
  type ReplayPreview,
} from './delivery-log/send-again.ts';
export { resetTestEnvironment } from './demo/reset-test-environment.ts';
export { demoOrganization, type SeedCounts, seedDemo } from './demo/seed.ts';
export { defaultLimits, type Environment, tokenPrefix } from './environment.ts';
export { continueErasures } from './erasing/erase.ts';
export {
  type Erased,
  erasedText,
  personalFields,
  personalItemColumns,
  personalTables,
} from './erasing/personal-data.ts';
export { requireReadable } from './event-feed/readable-types.ts';
export { troubleOfFile } from './file-trouble.ts';
export type { Answer } from './idempotency/stored-answer.ts';
export { addImportJob, continueImports, ImportJob, importTask } from './imports/import-jobs.ts';
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
} from './imports/imports.ts';
export { columnOf, type ReadRow } from './imports/read-rows.ts';
export { type ImportedRow, previewRows, readImportedRows } from './imports/report.ts';
export {
  type ImportKind,
  type ImportTarget,
  importTargets,
  isImportKind,
  isRequired,
} from './imports/targets.ts';
export { workOnImport } from './imports/work-on-import.ts';
export { keysOfWebhooks } from './installation/encrypted-values.ts';
export { claimEnvironment, enterInstallation, readEnvironment } from './installation/installation.ts';
export { countDeliveryJobs, type DeliveryJobCounts, failedJobs } from './installation/job-counts.ts';
export { pauseQueue, type QueuePart, resumeQueue } from './installation/pause-queue.ts';
export { type ProcessFacts, ProcessPresence } from './installation/process-presence.ts';
export { discardQueue, type QueueStanding, queueStanding } from './installation/queue.ts';
export {
  type DeliveryHold,
  deliveryHold,
  type PartPause,
  pausedSince,
  type QueuePause,
  webhookPause,
} from './installation/queue-pauses.ts';
export {
  listQueue,
  type QueuedWebhook,
  type QueueFilter,
  type QueueStatus,
  queueStatus,
} from './installation/queue-status.ts';
export {
  forgetLostKeys,
  type KeyInUse,
  type Rotation,
  rotateSecrets,
} from './installation/rotate-secrets.ts';
export { type RunningProcess, runningProcesses } from './installation/running-processes.ts';
export { type KeyWay, knownKeys, needsNoKeyYet, WrongInstallation } from './installation/secrets-keys.ts';
export { WorkerPresence } from './installation/worker-presence.ts';
export {
  acceptAsNewUser,
  acceptAsSignedIn,
  acceptBySigningIn,
  findInvitation,
  type OpenInvitation,
} from './invitations/accept-invitation.ts';
export {
  getInvitation,
  type Invitation,
  invitationPath,
  listInvitations,
} from './invitations/invitations.ts';
export { type VatOfRate, vatByRate } from './invoices/vat-by-rate.ts';
export {
  markOverdueInvoices,
  possibleInvoiceSteps,
} from './invoices/write.ts';
export { possibleLeadSteps } from './leads/stages.ts';
export { byteOrderMark, type CsvCell, type CsvStyle, csvText } from './leaving/csv-text.ts';
export {
  type ExportedFiles,
  type ExportSummary,
  exportedKinds,
  exportOrganization,
  leftOutTables,
} from './leaving/export-organization.ts';
export type { EventStream, StreamItem } from './listening/event-stream.ts';
export type { StreamTiming } from './listening/event-streams.ts';
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
export {
  editableLookups,
  type LookupEntry,
  type LookupUsage,
  readLookup,
  readLookups,
  readLookupUsage,
  requireShown,
} from './lookups/editable-lookups.ts';
export { countLeads, type LeadCount, type LeadPlace } from './lookups/send-leads.ts';
export { freeLostMails, mailFlag, mailTask, type NotifiedUser, usersToNotify } from './mails/mail-jobs.ts';
export { type Mail, sendMail } from './mails/send-mail.ts';
export { type ForgottenOrganization, forgetOrganization } from './moving/forget-organization.ts';
export {
  type MovedOrganization,
  moveOrganization,
  type OrganizationMove,
  type OrganizationMovePreview,
  previewOrganizationMove,
} from './moving/move-organization.ts';
export type { MovedAway } from './moving/moved-away.ts';
export { endPausesOfEndedMoves } from './moving/pause-for-move.ts';
export { type TakenBackOrganization, takeBackOrganization } from './moving/take-back-organization.ts';
export { type ReadNumber, readNumber } from './numbers/read-number.ts';
export { sumAmounts, sumLines, sumOrder } from './numbers/totals.ts';
export {
  createOAuthApp,
  findOAuthApp,
  isOpenTo,
  listOAuthApps,
  type NewOAuthApp,
  type OAuthApp,
  type OAuthAppKind,
  rotateOAuthAppSecret,
} from './oauth/apps.ts';
export { type ConnectableAssistant, listAssistants } from './oauth/assistants.ts';
export {
  type AuthorizationCheck,
  type AuthorizationRequest,
  allowAuthorization,
  type ConsentingUser,
  checkAuthorizationRequest,
  denyAuthorization,
} from './oauth/authorization.ts';
export {
  disconnect,
  endIdleConnections,
  listConnections,
  type OAuthConnection,
} from './oauth/connections.ts';
export { createDocumentedApp } from './oauth/documented-apps.ts';
export { type DocumentReading, isDocumentAddress } from './oauth/metadata-document.ts';
export { authorizationServerMetadata, OAuthError } from './oauth/protocol.ts';
export { leadsToOwnMachine } from './oauth/redirect-uris.ts';
export { removeOAuthApp } from './oauth/remove-app.ts';
export {
  type ProtectedResource,
  protectedResourceAt,
  protectedResourceMetadata,
  resourceMetadataAddress,
  resourceMetadataPaths,
} from './oauth/resources.ts';
export { type ClientRequest, exchangeTokens, revokeToken } from './oauth/token-endpoint.ts';
export type { TokenAnswer } from './oauth/tokens.ts';
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
export { possibleOrderSteps } from './orders/steps.ts';
export { bytesOfMb, measureStorage, type StorageState } from './organizations/measure-storage.ts';
export type { Organization } from './organizations/organizations.ts';
export {
  createOrganization,
  findOrganization,
  getOrganization,
  listOrganizations,
  type OrganizationUse,
  updateOrganization,
} from './organizations/organizations.ts';
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
export { type LatestEvent, latestEvents, type VisibleEvents } from './overview/latest-events.ts';
export type { DayCount } from './overview/overview.ts';
export { invalidField, invalidFields, invalidParameter, notFound, Problem } from './problem.ts';
export { possibleQuoteSteps } from './quotes/write.ts';
export { countSession, type RateStanding, secondsLeft } from './rate-limits/rate-limiter.ts';
export { type Arrival, Reception, type ReceptionBounds, type Sender } from './reception/reception.ts';
export { type KeptName, removeOld, sweepOld } from './retention.ts';
export { isDistributed } from './scale-out/distribute.ts';
export { type DistributionStanding, distributionStanding } from './scale-out/distribution-standing.ts';
export { planScaleOut, type ScaleOutPlan, scaleOut } from './scale-out/scale-out.ts';
export { newSecretsKey, parseSecretsKey, type SealedPlace, Secrets } from './secrets.ts';
export { changeOwnPassword, editAccount, showGuide } from './sessions/own-account.ts';
export type { ClaimingClient } from './sessions/prove-password.ts';
export {
  hasUnchangedRole,
  problemsForUser,
  reachFor,
  runAsUser,
  type UserRequest,
} from './sessions/run-as-user.ts';
export { type DoneWithRecord, runOnManyAsUser } from './sessions/run-on-many-as-user.ts';
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
} from './sessions/sessions.ts';
export { possibleTaskSteps, tellOverdueTasks } from './tasks/write.ts';
export {
  type OpenSpan,
  type SpanOutcome,
  type SpanStart,
  type Tracing,
  traceBy,
  tracing,
} from './tracing.ts';
export { getMember, listMembers, type Member } from './users/members.ts';
export { createRole, getRole, listRoles, type Role } from './users/roles.ts';
export { createUser, type User, updateUser } from './users/users.ts';
export { type ExecuteOptions, execute, problemsIn } from './verb/execute.ts';
export { tagOf, tagOfRecord, unchanged } from './verb/locked-record.ts';
export type { Outcome } from './verb/outcome.ts';
export type { RawBody, RawRequest } from './verb/parse-request.ts';
export { isFormEncoded, openForm, receiveForm, type SentForm, signedInForm } from './verb/receive-form.ts';
export { isUpload, receiveUpload, type Upload } from './verb/receive-upload.ts';
export { run } from './verb/run.ts';
export { type Changing, type ResultOf, StoredJson, type Writing } from './verb/verb.ts';
export type { VerbId } from './verbs.ts';
export { dropAllExcessHeldEvents, releaseHeldEvents } from './webhooks/held-events.ts';
export { listWebhooksOf, replayWebhook } from './webhooks/operate-webhooks.ts';
export {
  getWebhookWithHealth,
  listWebhooksWithHealth,
  type Webhook,
  type WebhookInFull,
} from './webhooks/show-webhooks.ts';
export { deliveryHeaders, type SigningKeys, signingKeys } from './webhooks/signed-headers.ts';
export { placeOfSecret } from './webhooks/signing-keys.ts';
export { endHooksOfDeadKeys } from './webhooks/withdraw-deliveries.ts';
