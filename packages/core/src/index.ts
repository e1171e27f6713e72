export { possibleActivitySteps } from './activities/activity-steps.ts';
export { cancelActivity } from './activities/cancel-activity.ts';
export { type BookingStep, possibleBookingSteps } from './bookings/booking-steps.ts';
export { completeBooking, confirmBooking, markNoShow } from './bookings/decide-booking.ts';
export { type Clock, systemClock } from './clock.ts';
export { type CompanyLabels, editCompanyLabels } from './companies/edit-company-labels.ts';
export { type ContactAddresses, editContactAddresses } from './contacts/edit-contact-addresses.ts';
export { type Core, type CoreOptions, createCore, type Environment } from './core.ts';
export {
  type ApiKey,
  createApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
} from './credentials/api-keys.ts';
export { checkStanding } from './credentials/authorize.ts';
export type { Credential } from './credentials/credential.ts';
export { tokenPrefix } from './credentials/token.ts';
export { connect, type Database, type Transaction } from './database/connect.ts';
export { isTemporaryFailure } from './database/failures.ts';
export { jobPool } from './database/job-pool.ts';
export { type MigrationStatus, migrate, migrationStatus } from './database/migrate.ts';
export { DeliveryDispatcher, type DispatchTiming } from './deliveries/dispatcher.ts';
export { endHooksOfDeadKeys } from './deliveries/end-rest-hooks.ts';
export { connectQueue } from './deliveries/queue-connection.ts';
export { wakeUpChannel } from './deliveries/wake-up.ts';
export { WorkerPresence } from './deliveries/worker-presence.ts';
export { resetTestEnvironment } from './demo/reset-test-environment.ts';
export { type SeedCounts, seedDemo } from './demo/seed.ts';
export type { Answer } from './idempotency/answer-once.ts';
export { removeOldAnswers } from './idempotency/remove-old-answers.ts';
export { cancelInvoice } from './invoices/cancel-invoice.ts';
export { possibleInvoiceSteps } from './invoices/invoice-steps.ts';
export { markOverdueInvoices } from './invoices/mark-overdue-invoices.ts';
export { type Payment, payInvoice } from './invoices/pay-invoice.ts';
export { possibleLeadSteps } from './leads/lead-steps.ts';
export { type StageTotal, stageTotals } from './leads/stage-totals.ts';
export type { Log } from './log.ts';
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
export { authorizationServerMetadata, oauthPaths, protectedResourceMetadata } from './oauth/metadata.ts';
export { OAuthError } from './oauth/oauth-error.ts';
export { revokeToken } from './oauth/revoke-token.ts';
export { OperatorError } from './operator-error.ts';
export { type PaymentStep, possiblePaymentSteps, setPaymentStatus } from './orders/set-payment-status.ts';
export { type OrderStep, possibleOrderSteps, stepOrder } from './orders/step-order.ts';
export {
  createOrganization,
  findOrganization,
  listOrganizations,
  type Organization,
  updateOrganization,
} from './organizations/organizations.ts';
export {
  type AllowedTargets,
  checkTarget,
  createGuardedAgent,
  parseAllowedTargets,
  type Resolve,
} from './outgoing/index.ts';
export { invalidParameter, Problem } from './problem.ts';
export { createProduct, type NewProduct } from './products/create-product.ts';
export { type ProductChanges, updateProduct } from './products/update-product.ts';
export { createQuote, type NewQuote } from './quotes/create-quote.ts';
export {
  acceptQuote,
  possibleQuoteSteps,
  type QuoteStep,
  rejectQuote,
  sendQuote,
} from './quotes/decide-quote.ts';
export { listQuotes } from './quotes/list-quotes.ts';
export { readQuote } from './quotes/quote-record.ts';
export { defaultLimits } from './rate-limits/default-limits.ts';
export { type RateStanding, secondsLeft } from './rate-limits/rate-limiter.ts';
export { removeOldWindows } from './rate-limits/remove-old-windows.ts';
export { newSecretsKey, parseSecretsKey, Secrets } from './secrets.ts';
export {
  actAsPerson,
  type PersonChange,
  type PersonRequest,
  permissionsFor,
  reachFor,
  reachOf,
  reachOn,
  requireReach,
  runAsPerson,
} from './sessions/run-as-person.ts';
export { endSession, findSession, removeOldSessions, type Session, signIn } from './sessions/sessions.ts';
export { archiveTask } from './tasks/archive-task.ts';
export { possibleTaskSteps, type TaskStep } from './tasks/task-steps.ts';
export { tellOverdueTasks } from './tasks/tell-overdue-tasks.ts';
export { createRole } from './users/roles.ts';
export { createUser, type User, updateUser } from './users/users.ts';
export { execute, type Outcome } from './verb/execute.ts';
export type { RawBody, RawRequest } from './verb/parse-request.ts';
export type { Once } from './verb/transact.ts';
export type { VerbId } from './verbs.ts';
export { countUnreadableSecrets } from './webhooks/count-unreadable-secrets.ts';
