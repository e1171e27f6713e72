export { cancelActivity, possibleActivitySteps } from './activities/write.ts';
export {
  type BookingStep,
  completeBooking,
  confirmBooking,
  markNoShow,
  possibleBookingSteps,
} from './bookings/steps.ts';
export { type Clock, systemClock } from './clock.ts';
export { type CompanyLabels, editCompanyLabels, labelProblems } from './companies/labels.ts';
export { type ContactAddresses, editContactAddresses } from './contacts/write.ts';
export { type Core, type CoreOptions, createCore, type Environment } from './core.ts';
export type { ApiKey } from './credentials/api-keys.ts';
export {
  createApiKey,
  createApiKeyOf,
  listApiKeys,
  listApiKeysOf,
  type NewApiKey,
  revokeApiKey,
  revokeApiKeyOf,
} from './credentials/api-keys.ts';
export { checkStanding } from './credentials/authorize.ts';
export type { Credential } from './credentials/credential.ts';
export { tokenPrefix } from './credentials/credential.ts';
export type { Caller } from './credentials/credential-cache.ts';
export { connect, type Database, isPooled, ourSchema, type Transaction } from './database/connect.ts';
export { connectPools, requireServer } from './database/connect-pools.ts';
export { parseDatabaseAddress, requireOfferedTls } from './database/database-address.ts';
export { firstSchema, isTransactionPooler, refusesSettings } from './database/detect-pooler.ts';
export { isTemporaryFailure } from './database/failures.ts';
export { jobPool } from './database/job-pool.ts';
export {
  type MigrationStatus,
  migrate,
  migrationStatus,
  requireKnownMigrations,
} from './database/migrate.ts';
export type { TimeLimits } from './database/pool-watch.ts';
export { prepareProgramRole } from './database/program-role.ts';
export { DeliveryDispatcher, type DispatchTiming } from './deliveries/dispatcher.ts';
export { connectQueue, wakeUpChannel } from './deliveries/due-deliveries.ts';
export { dropAllExcessHeldEvents, releaseHeldEvents } from './deliveries/held-events.ts';
export {
  type Delivery,
  getDelivery,
  type InspectedDelivery,
  type InspectedSummary,
  inspectEvent,
  inspectWebhook,
  type LoggedAttempt,
  type UntriedDelivery,
} from './deliveries/log/inspect-deliveries.ts';
export type { DeliveryOutcome, DeliverySummary } from './deliveries/log/search-deliveries.ts';
export { type DeliverySearch, searchDeliveries } from './deliveries/log/search-deliveries.ts';
export {
  type DeliveryReplay,
  previewReplay,
  type ReplayPreview,
  replayDeliveries,
  resendDelivery,
} from './deliveries/log/send-again.ts';
export { deliveryHeaders, type SigningKeys, signingKeys } from './deliveries/send-attempt.ts';
export { endHooksOfDeadKeys } from './deliveries/withdraw-deliveries.ts';
export { WorkerPresence } from './deliveries/worker-presence.ts';
export { resetTestEnvironment } from './demo/reset-test-environment.ts';
export { type SeedCounts, seedDemo } from './demo/seed.ts';
export type { Answer } from './idempotency/stored-answer.ts';
export { type DeliveryHold, deliveryHold } from './installation/delivery-hold.ts';
export { keysOfWebhooks } from './installation/encrypted-values.ts';
export { claimEnvironment, enterInstallation, readEnvironment } from './installation/installation.ts';
export {
  type ProcessFacts,
  ProcessPresence,
  type RunningProcess,
  runningProcesses,
} from './installation/process-presence.ts';
export {
  discardQueue,
  pausedSince,
  pauseQueue,
  type QueueStanding,
  queueStanding,
  resumeQueue,
} from './installation/queue.ts';
export {
  forgetLostKeys,
  type KeyInUse,
  type Rotation,
  rotateSecrets,
} from './installation/rotate-secrets.ts';
export { knownKeys, needsNoKeyYet, WrongInstallation } from './installation/secrets-keys.ts';
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
  inviteMember,
  listInvitations,
  sendInvitationAgain,
  withdrawInvitation,
} from './invitations/invitations.ts';
export {
  cancelInvoice,
  markOverdueInvoices,
  type Payment,
  payInvoice,
  possibleInvoiceSteps,
} from './invoices/write.ts';
export { type StageTotal, stageTotals } from './leads/read.ts';
export { type LeadStep, possibleLeadSteps } from './leads/stages.ts';
export { editLeadTags } from './leads/update.ts';
export type { EventStream, StreamItem } from './listening/event-stream.ts';
export type { StreamTiming } from './listening/event-streams.ts';
export type { Log } from './log.ts';
export {
  type EditableLookupName,
  editableLookups,
  type LookupUsage,
  readLookup,
  readLookups,
  readLookupUsage,
} from './lookups/editable-lookups.ts';
export { removeLookup, restoreLookup } from './lookups/remove.ts';
export type { LookupEntry } from './lookups/rules.ts';
export { createLookup, lookupProblems, moveLookup, updateLookup } from './lookups/save.ts';
export { countLeads, type LeadCount, type LeadPlace } from './lookups/send-leads.ts';
export { freeLostMails, mailFlag, mailTask } from './mails/mail-jobs.ts';
export { type Mail, sendMail } from './mails/send-mail.ts';
export { type NotifiedUser, usersToNotify } from './mails/webhook-mails.ts';
export {
  createOAuthApp,
  findOAuthApp,
  listOAuthApps,
  type NewOAuthApp,
  type OAuthApp,
  rotateOAuthAppSecret,
} from './oauth/apps.ts';
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
export { authorizationServerMetadata, OAuthError, protectedResourceMetadata } from './oauth/protocol.ts';
export { type ClientRequest, exchangeTokens, revokeToken } from './oauth/token-endpoint.ts';
export type { TokenAnswer } from './oauth/tokens.ts';
export {
  droppedBodyBytes,
  invitationDays,
  knownBrowserSeconds,
  noLimits,
  queueLimits,
} from './operating-limits.ts';
export { OperatorError } from './operator.ts';
export {
  type OrderStep,
  type PaymentStep,
  possibleOrderSteps,
  possiblePaymentSteps,
  setPaymentStatus,
  stepOrder,
} from './orders/steps.ts';
export type { Organization } from './organizations/organizations.ts';
export {
  createOrganization,
  editOrganization,
  findOrganization,
  getOrganization,
  listOrganizations,
  type OrganizationUse,
  organizationProblems,
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
export type { DayCount } from './overview/overview.ts';
export { type LatestEvent, latestEvents, type VisibleEvents } from './overview/overview.ts';
export { invalidParameter, notFound, Problem } from './problem.ts';
export {
  createProduct,
  type NewProduct,
  type ProductChanges,
  problemsOfProduct,
  updateProduct,
} from './products/write.ts';
export { listQuotes, readQuote } from './quotes/record.ts';
export {
  acceptQuote,
  createQuote,
  type NewQuote,
  possibleQuoteSteps,
  type QuoteStep,
  quoteProblems,
  rejectQuote,
  sendQuote,
} from './quotes/write.ts';
export { countSession, type RateStanding, secondsLeft } from './rate-limits/rate-limiter.ts';
export { defaultLimits } from './rate-limits/take-tokens.ts';
export { type KeptName, removeOld } from './retention.ts';
export { newSecretsKey, parseSecretsKey, type SealedPlace, Secrets } from './secrets.ts';
export { changeOwnPassword, editAccount } from './sessions/own-account.ts';
export type { ClaimingClient } from './sessions/prove-password.ts';
export { assignedEntities, permissionsFor } from './sessions/role-permissions.ts';
export {
  actAsUser,
  problemsForUser,
  reachFor,
  reachOf,
  reachOn,
  requireReach,
  runAsUser,
  type UserAction,
  type UserRequest,
} from './sessions/run-as-user.ts';
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
export { archiveTask, possibleTaskSteps, type TaskStep, tellOverdueTasks } from './tasks/steps.ts';
export {
  activateMember,
  deactivateMember,
  editMember,
  getMember,
  listMembers,
  type Member,
  memberProblems,
} from './users/members.ts';
export {
  addRole,
  createRole,
  editRole,
  getRole,
  listRoles,
  type Role,
  removeRole,
  roleProblems,
} from './users/roles.ts';
export { createUser, type User, updateUser } from './users/users.ts';
export { execute, type Outcome } from './verb/execute.ts';
export type { RawBody, RawRequest } from './verb/parse-request.ts';
export { isFormEncoded, openForm, receiveForm, signedInForm } from './verb/receive-form.ts';
export type { Once } from './verb/transact.ts';
export { readingOf } from './verb/verb.ts';
export type { VerbId } from './verbs.ts';
export {
  disableWebhook,
  enableWebhook,
  removeWebhook,
  rotateWebhookSecret,
} from './webhooks/manual-webhook-steps.ts';
export {
  createManualWebhook,
  updateManualWebhook,
  type WebhookChanges,
  webhookProblems,
} from './webhooks/manual-webhooks.ts';
export { listWebhooksOf, replayWebhook } from './webhooks/operate-webhooks.ts';
export { sendTestEvent, type TestResult } from './webhooks/send-test-event.ts';
export { getWebhookWithHealth, listWebhooksWithHealth, type Webhook } from './webhooks/show-webhooks.ts';
export { placeOfSecret } from './webhooks/targets.ts';
