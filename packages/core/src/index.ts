export { cancelActivity } from './activities/cancel-activity.ts';
export { completeBooking, confirmBooking, markNoShow } from './bookings/decide-booking.ts';
export { type Clock, systemClock } from './clock.ts';
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
export { type DeliveryReplay, replayDeliveries } from './deliveries/log/replay-deliveries.ts';
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
export type { Answer } from './idempotency/answer-once.ts';
export { removeOldAnswers } from './idempotency/remove-old-answers.ts';
export { cancelInvoice } from './invoices/cancel-invoice.ts';
export { markOverdueInvoices } from './invoices/mark-overdue-invoices.ts';
export { type Payment, payInvoice } from './invoices/pay-invoice.ts';
export type { EventStream, StreamItem } from './listening/event-stream.ts';
export type { StreamTiming } from './listening/event-streams.ts';
export type { PageAnswer } from './lists/remembered-pages.ts';
export type { Log } from './log.ts';
export { removeOldMails } from './mails/remove-old-mails.ts';
export { type Mail, MailRefused, sendMails } from './mails/send-mails.ts';
export { OperatorError } from './operator-error.ts';
export { type PaymentStep, setPaymentStatus } from './orders/set-payment-status.ts';
export { type OrderStep, stepOrder } from './orders/step-order.ts';
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
  type OutboundProxy,
  parseAllowedTargets,
  parseOutboundProxy,
  type RequestOutcome,
  type Resolve,
  requestFailure,
  sendRequest,
} from './outgoing/index.ts';
export { invalidParameter, Problem } from './problem.ts';
export { createProduct, type NewProduct } from './products/create-product.ts';
export { type ProductChanges, updateProduct } from './products/update-product.ts';
export { createQuote, type NewQuote } from './quotes/create-quote.ts';
export { acceptQuote, rejectQuote, sendQuote } from './quotes/decide-quote.ts';
export { defaultLimits } from './rate-limits/default-limits.ts';
export { type RateStanding, secondsLeft } from './rate-limits/rate-limiter.ts';
export { removeOldWindows } from './rate-limits/remove-old-windows.ts';
export { newSecretsKey, parseSecretsKey, Secrets } from './secrets.ts';
export { archiveTask } from './tasks/archive-task.ts';
export { tellOverdueTasks } from './tasks/tell-overdue-tasks.ts';
export { createRole } from './users/roles.ts';
export { createUser, type User, updateUser } from './users/users.ts';
export { execute, type Outcome } from './verb/execute.ts';
export type { RawBody, RawRequest } from './verb/parse-request.ts';
export type { VerbId } from './verbs.ts';
export { countUnreadableSecrets } from './webhooks/count-unreadable-secrets.ts';
export { createHandMadeWebhook } from './webhooks/hand-made/create-hand-made-webhook.ts';
export { disableWebhook } from './webhooks/hand-made/disable-webhook.ts';
export { enableWebhook } from './webhooks/hand-made/enable-webhook.ts';
export { removeWebhook } from './webhooks/hand-made/remove-webhook.ts';
export { forgetPreviousSecrets, rotateWebhookSecret } from './webhooks/hand-made/rotate-webhook-secret.ts';
export { sendTestEvent, type TestResult } from './webhooks/hand-made/send-test-event.ts';
export { updateHandMadeWebhook, type WebhookChanges } from './webhooks/hand-made/update-hand-made-webhook.ts';
export { listWebhooksOf, replayWebhook } from './webhooks/operate-webhooks.ts';
export { getWebhookWithHealth, listWebhooksWithHealth, type Webhook } from './webhooks/show-webhooks.ts';
