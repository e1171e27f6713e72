export { createClient, type Dealkeep, type Method } from './client.ts';
export type { Envelope, EnvelopeOf } from './envelope.ts';
export { type ClientErrorCode, DealkeepError, type DealkeepErrorCode } from './error.ts';
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
export type * from './records.ts';
export type { ErrorCode, EventType, FieldError, Registry } from './registry.ts';
export {
  type DeliveryHeaders,
  type VerifyOptions,
  verifyWebhook,
  type WebhookRefusal,
  WebhookVerificationError,
} from './verify-webhook.ts';
