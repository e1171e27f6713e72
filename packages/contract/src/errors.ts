import type { Text } from './text.ts';

/** Every error code with its HTTP status (rule errors 3). */
export const errorStatus = {
  BAD_REQUEST: 400,
  INVALID_PARAMETER: 400,
  INVALID_CURSOR: 400,
  UNSUPPORTED_FILTER: 400,
  UNAUTHORIZED: 401,
  WRONG_ENVIRONMENT: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  LEGACY_KEY_NOT_ALLOWED: 403,
  ROLE_PERMISSION_MISSING: 403,
  ROLE_SCOPE_LIMITED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  LIMIT_EXCEEDED: 409,
  PRECONDITION_FAILED: 412,
  VALIDATION_ERROR: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOKEN_OWNER_INACTIVE: 422,
  WEBHOOK_URL_INVALID: 422,
  WEBHOOK_URL_BLOCKED: 422,
  UNKNOWN_EVENT: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Messages by their keys; the compiler refuses one without both languages. */
export type Catalogue = Readonly<Record<string, { readonly code: ErrorCode } & Text>>;

/** One failing field of a 422 `VALIDATION_ERROR`. */
export interface FieldError {
  /** `items[0].unit_price`; empty for the body as a whole. */
  path: string;
  /** Stable: `required`, `too_long`, `not_found`, … */
  code: string;
  message: string;
}

/** The body of every answer that is not a success. */
export interface ErrorBody {
  error: {
    code: ErrorCode;
    message: string;
    detail?: unknown;
    /** Of the request that was refused: the header `X-Request-Id` of its answer. */
    request_id: string;
    /** Where people read what the code means. */
    doc_url: string;
  };
}
