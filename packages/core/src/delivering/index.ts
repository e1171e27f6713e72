export { DeliveryRuns, type DeliveryTiming } from './deliveries/deliver.ts';
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
export { listWebhooksOf, replayWebhook } from './delivery-log/operate-webhooks.ts';
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
export { requireReadable } from './event-feed/readable-types.ts';
export type { EventStream, StreamItem } from './event-streams/event-stream.ts';
export type { StreamTiming } from './event-streams/event-streams.ts';
export { dropAllExcessHeldEvents, releaseHeldEvents } from './webhooks/held-events.ts';
export {
  getWebhookWithHealth,
  listWebhooksWithHealth,
  type Webhook,
  type WebhookInFull,
} from './webhooks/show-webhooks.ts';
export { deliveryHeaders, type SigningKeys, signingKeys } from './webhooks/signed-headers.ts';
export { placeOfSecret } from './webhooks/signing-keys.ts';
export { endHooksOfDeadKeys } from './webhooks/withdraw-deliveries.ts';
