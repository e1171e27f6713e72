export { createClient } from './client.ts';
export type { Dealkeep } from './dealkeep.ts';
export type { Envelope, EnvelopeOf } from './envelope.ts';
export { type ClientErrorCode, DealkeepError, type DealkeepErrorCode } from './error.ts';
export { type BatchedResult, inBatches } from './in-batches.ts';
export type {
  CallOptions,
  ClientOptions,
  ErrorLanguage,
  Fetch,
  Patience,
  PostOptions,
  Timing,
} from './options.ts';
export { ListRequest, Page } from './page.ts';
export { etagOf } from './record-tags.ts';
export type * from './records.ts';
export type { ErrorCode, EventType, FieldError } from './registry.ts';
export type { VerifyOptions, WebhookRefusal } from './transport/index.ts';
export { type DeliveryHeaders, verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';
