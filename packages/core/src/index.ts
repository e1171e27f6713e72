export { possibleActivitySteps } from './activities/activity-steps.ts';
export { cancelActivity } from './activities/cancel-activity.ts';
export { type BookingStep, possibleBookingSteps } from './bookings/booking-steps.ts';
export { completeBooking, confirmBooking, markNoShow } from './bookings/decide-booking.ts';
export { type Clock, systemClock } from './clock.ts';
export { type CompanyLabels, editCompanyLabels, labelProblems } from './companies/edit-company-labels.ts';
export { type ContactAddresses, editContactAddresses } from './contacts/edit-contact-addresses.ts';
export { type Core, type CoreOptions, createCore, type Environment } from './core.ts';
export type { ApiKey } from './credentials/api-key-rows.ts';
export { createApiKey, listApiKeys, type NewApiKey, revokeApiKey } from './credentials/api-keys.ts';
export { createApiKeyOf, listApiKeysOf, revokeApiKeyOf } from './credentials/api-keys-of-organization.ts';
export { checkStanding } from './credentials/authorize.ts';
export type { Credential } from './credentials/credential.ts';
export type { Caller } from './credentials/credential-cache.ts';
export { tokenPrefix } from './credentials/token.ts';
export { requireServer } from './database/choose-server.ts';
export { connect, type Database, isPooled, ourSchema, type Transaction } from './database/connect.ts';
export { connectPools } from './database/connect-pools.ts';
export { parseDatabaseAddress } from './database/database-address.ts';
export { firstSchema, isTransactionPooler, refusesSettings } from './database/detect-pooler.ts';
export { isTemporaryFailure } from './database/failures.ts';
export { jobPool } from './database/job-pool.ts';
export {
  type MigrationStatus,
  migrate,
  migrationStatus,
  requireKnownMigrations,
} from './database/migrate.ts';
export { prepareProgramRole } from './database/program-role.ts';
export { noLimits, queueLimits, type TimeLimits } from './database/time-limits.ts';
export { requireOfferedTls } from './database/tls-offer.ts';
export { DeliveryDispatcher, type DispatchTiming } from './deliveries/dispatcher.ts';
export { dropAllExcessHeldEvents } from './deliveries/drop-excess-held-events.ts';
export { endHooksOfDeadKeys } from './deliveries/end-rest-hooks.ts';
export type { DeliveryOutcome, DeliverySummary } from './deliveries/log/delivery-summary.ts';
export {
  type InspectedDelivery,
  type InspectedSummary,
  inspectEvent,
  inspectWebhook,
  type UntriedDelivery,
} from './deliveries/log/inspect-deliveries.ts';
export { type Delivery, getDelivery, type LoggedAttempt } from './deliveries/log/read-delivery.ts';
export { removeOldAttempts } from './deliveries/log/remove-old-attempts.ts';
export {
  type DeliveryReplay,
  previewReplay,
  type ReplayPreview,
  replayDeliveries,
} from './deliveries/log/replay-deliveries.ts';
export { resendDelivery } from './deliveries/log/resend-delivery.ts';
export { type DeliverySearch, searchDeliveries } from './deliveries/log/search-deliveries.ts';
export { connectQueue } from './deliveries/queue-connection.ts';
export { releaseHeldEvents } from './deliveries/release-held-events.ts';
export { deliveryHeaders, type SigningKeys, signingKeys } from './deliveries/sign.ts';
export { wakeUpChannel } from './deliveries/wake-up.ts';
export { WorkerPresence } from './deliveries/worker-presence.ts';
export { resetTestEnvironment } from './demo/reset-test-environment.ts';
export { type SeedCounts, seedDemo } from './demo/seed.ts';
export { removeOldEvents } from './events/remove-old-events.ts';
export { isFormEncoded, openForm, receiveForm, signedInForm } from './forms/receive-form.ts';
export { removeOldAnswers } from './idempotency/remove-old-answers.ts';
export type { Answer } from './idempotency/stored-answer.ts';
export { type DeliveryHold, deliveryHold } from './installation/delivery-hold.ts';
export { keysOfWebhooks } from './installation/encrypted-values.ts';
export { enterInstallation } from './installation/enter-installation.ts';
export { claimEnvironment, readEnvironment } from './installation/environment.ts';
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
export { knownKeys, needsNoKeyYet } from './installation/secrets-keys.ts';
export { WrongInstallation } from './installation/wrong-installation.ts';
export {
  acceptAsNewPerson,
  acceptAsSignedIn,
  acceptBySigningIn,
  findInvitation,
  type OpenInvitation,
} from './invitations/accept-invitation.ts';
export { invitationPath } from './invitations/invitation-link.ts';
export {
  getInvitation,
  type Invitation,
  invitationDays,
  listInvitations,
  removeOldInvitations,
} from './invitations/invitations.ts';
export { invitePerson, sendInvitationAgain, withdrawInvitation } from './invitations/invite-person.ts';
export { cancelInvoice } from './invoices/cancel-invoice.ts';
export { possibleInvoiceSteps } from './invoices/invoice-steps.ts';
export { markOverdueInvoices } from './invoices/mark-overdue-invoices.ts';
export { type Payment, payInvoice } from './invoices/pay-invoice.ts';
export { editLeadTags } from './leads/edit-lead-tags.ts';
export { type LeadStep, possibleLeadSteps } from './leads/lead-steps.ts';
export { type StageTotal, stageTotals } from './leads/stage-totals.ts';
export type { EventStream, StreamItem } from './listening/event-stream.ts';
export type { StreamTiming } from './listening/event-streams.ts';
export type { Log } from './log.ts';
export { type EditableLookupName, editableLookups } from './lookup-edits/editable-lookups.ts';
export type { LookupEntry } from './lookup-edits/lookup-rules.ts';
export { moveLookup } from './lookup-edits/order-lookups.ts';
export { type LookupUsage, readLookup, readLookups, readLookupUsage } from './lookup-edits/read-lookups.ts';
export { removeLookup, restoreLookup } from './lookup-edits/remove-lookup.ts';
export { createLookup, lookupProblems, updateLookup } from './lookup-edits/save-lookup.ts';
export { countLeads, type LeadCount, type LeadPlace } from './lookup-edits/send-leads.ts';
export { type PersonToTell, peopleToTell } from './mails/people-to-tell.ts';
export { removeOldMails } from './mails/remove-old-mails.ts';
export { type Mail, MailRefused, sendMails } from './mails/send-mails.ts';
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
  checkAuthorizationRequest,
} from './oauth/authorization-request.ts';
export {
  disconnect,
  endIdleConnections,
  listConnections,
  type OAuthConnection,
  removeExpiredTokens,
} from './oauth/connections.ts';
export { allowAuthorization, type ConsentingUser, denyAuthorization } from './oauth/decide-authorization.ts';
export { type ClientRequest, exchangeTokens } from './oauth/exchange-tokens.ts';
export type { TokenAnswer } from './oauth/issue-tokens.ts';
export { authorizationServerMetadata, protectedResourceMetadata } from './oauth/metadata.ts';
export { OAuthError } from './oauth/oauth-error.ts';
export { revokeToken } from './oauth/revoke-token.ts';
export { OperatorError } from './operator-error.ts';
export { type PaymentStep, possiblePaymentSteps, setPaymentStatus } from './orders/set-payment-status.ts';
export { type OrderStep, possibleOrderSteps, stepOrder } from './orders/step-order.ts';
export {
  editOrganization,
  getOrganization,
  type OrganizationUse,
  organizationProblems,
} from './organizations/edit-organization.ts';
export type { Organization } from './organizations/organization-rows.ts';
export {
  createOrganization,
  findOrganization,
  listOrganizations,
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
export type { DayCount } from './overview/day-counts.ts';
export { type LatestEvent, latestEvents, type VisibleEvents } from './overview/latest-events.ts';
export { invalidParameter, notFound, Problem } from './problem.ts';
export { createProduct, type NewProduct } from './products/create-product.ts';
export { problemsOfProduct } from './products/edit-product.ts';
export { type ProductChanges, updateProduct } from './products/update-product.ts';
export { createQuote, type NewQuote, quoteProblems } from './quotes/create-quote.ts';
export {
  acceptQuote,
  possibleQuoteSteps,
  type QuoteStep,
  rejectQuote,
  sendQuote,
} from './quotes/decide-quote.ts';
export { listQuotes } from './quotes/list-quotes.ts';
export { readQuote } from './quotes/quote-record.ts';
export { countSession } from './rate-limits/count-requests.ts';
export { defaultLimits } from './rate-limits/default-limits.ts';
export { type RateStanding, secondsLeft } from './rate-limits/rate-limiter.ts';
export { removeOldWindows } from './rate-limits/remove-old-windows.ts';
export { newSecretsKey, parseSecretsKey, type SealedPlace, Secrets } from './secrets.ts';
export { assignedEntities, permissionsFor } from './sessions/assigned-records.ts';
export { knownBrowserSeconds } from './sessions/known-browser.ts';
export { changeOwnPassword, editAccount } from './sessions/own-account.ts';
export { endOtherSessions, listOwnSessions, type OwnSession } from './sessions/own-sessions.ts';
export type { ClaimingClient } from './sessions/prove-password.ts';
export {
  actAsPerson,
  type PersonChange,
  type PersonRequest,
  problemsForPerson,
  reachFor,
  reachOf,
  reachOn,
  requireReach,
  runAsPerson,
} from './sessions/run-as-person.ts';
export {
  endSession,
  findSession,
  removeOldSessions,
  type Session,
  type SignedIn,
  signIn,
} from './sessions/sessions.ts';
export { switchOrganization } from './sessions/switch-organization.ts';
export { archiveTask } from './tasks/archive-task.ts';
export { possibleTaskSteps, type TaskStep } from './tasks/task-steps.ts';
export { tellOverdueTasks } from './tasks/tell-overdue-tasks.ts';
export { activatePerson, deactivatePerson, editPerson, personProblems } from './users/edit-people.ts';
export {
  addRole,
  editRole,
  getRole,
  listRoles,
  type Role,
  removeRole,
  roleProblems,
} from './users/edit-roles.ts';
export { getPerson, listPeople, type Person } from './users/people.ts';
export { createRole } from './users/roles.ts';
export { createUser, type User, updateUser } from './users/users.ts';
export { execute, type Outcome } from './verb/execute.ts';
export type { RawBody, RawRequest } from './verb/parse-request.ts';
export type { Once } from './verb/transact.ts';
export { readingOf } from './verb/verb.ts';
export type { VerbId } from './verbs.ts';
export { webhookProblems } from './webhooks/hand-made/check-webhook.ts';
export { createHandMadeWebhook } from './webhooks/hand-made/create-hand-made-webhook.ts';
export { disableWebhook } from './webhooks/hand-made/disable-webhook.ts';
export { enableWebhook } from './webhooks/hand-made/enable-webhook.ts';
export { removeWebhook } from './webhooks/hand-made/remove-webhook.ts';
export { forgetPreviousSecrets, rotateWebhookSecret } from './webhooks/hand-made/rotate-webhook-secret.ts';
export { sendTestEvent, type TestResult } from './webhooks/hand-made/send-test-event.ts';
export { updateHandMadeWebhook, type WebhookChanges } from './webhooks/hand-made/update-hand-made-webhook.ts';
export { listWebhooksOf, replayWebhook } from './webhooks/operate-webhooks.ts';
export { getWebhookWithHealth, listWebhooksWithHealth, type Webhook } from './webhooks/show-webhooks.ts';
export { placeOfSecret } from './webhooks/webhook-secret.ts';
