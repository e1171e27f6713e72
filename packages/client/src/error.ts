import type { ErrorCode, FieldError } from './registry.ts';

/**
 * What the client itself can find wrong, beside the API's codes:
 * - `CONNECTION_FAILED`: no answer, or only a part of it, came back.
 * - `TIMED_OUT`: no complete answer within the time of an attempt.
 * - `NOT_MODIFIED`: the record is still the one that `ifNoneMatch` names (304).
 * - `UNEXPECTED_ANSWER`: an answer that is none of the API's, such as the page of a proxy or of another program.
 */
export type ClientErrorCode = 'CONNECTION_FAILED' | 'TIMED_OUT' | 'NOT_MODIFIED' | 'UNEXPECTED_ANSWER';

/** The known codes; a newer API may answer others, so it stays open. */
export type DealkeepErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>);

/** What is known of a failed call. */
export interface ErrorFacts {
  readonly status?: number | undefined;
  readonly code: DealkeepErrorCode;
  readonly message: string;
  readonly detail?: unknown;
  readonly fields?: readonly FieldError[];
  readonly requestId?: string | undefined;
  readonly docUrl?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Thrown when a call does not succeed, after all attempts that the client rules allow. Branch on `status` and
 * `code`, never on `message`, which is written for people in the language of the client.
 */
export class DealkeepError extends Error {
  override readonly name = 'DealkeepError';
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  readonly code: DealkeepErrorCode;
  /** What else the API says, such as `{ parameter: 'limit' }`. */
  readonly detail: unknown;
  /** The failing fields of a 422 `VALIDATION_ERROR`; empty for every other error. */
  readonly fields: readonly FieldError[];
  /** Name it when asking the operator; their log holds the same. */
  readonly requestId: string | undefined;
  /** Where people read what the code means. */
  readonly docUrl: string | undefined;
  /** Seconds after which the API wants to be asked again. */
  readonly retryAfter: number | undefined;

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail;
    this.fields = facts.fields ?? [];
    this.requestId = facts.requestId;
    this.docUrl = facts.docUrl;
    this.retryAfter = facts.retryAfter;
  }
}
