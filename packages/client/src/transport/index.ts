// What every client of the API does alike, over whatever transport its platform has: this client's fetch, Zapier's
// z.request, n8n's httpRequestWithAuthentication. It knows neither the contract nor the rest of this package, so
// that n8n's package can hold it: what is not imported from here, such as fetch-once.ts with its timers, is not
// bundled there.
export { type FetchLoss, fetchOnce, longestTimer } from './fetch-once.ts';
export { isObject, valueAt } from './json.ts';
export {
  type AnswerShape,
  type ApiError,
  type ApiFieldError,
  apiErrorIn,
  isAnswer,
  isJson,
  isLost,
  isPassingFailure,
  isSuccess,
  type Lost,
  type Outcome,
  type Received,
  retryAfterSeconds,
} from './outcome.ts';
export { paceDelay } from './pace.ts';
export { filledPath, type PreparedRequest, prepareRequest, type RequestParts } from './request.ts';
export {
  type Cause,
  causeOf,
  type RetryClock,
  type RetryPlan,
  type Sending,
  sendPersistently,
} from './retry.ts';
export {
  type RefusedDelivery,
  type SignedDelivery,
  secretKey,
  type VerifyOptions,
  verifyDelivery,
  type WebhookKey,
  type WebhookRefusal,
} from './verify-delivery.ts';
