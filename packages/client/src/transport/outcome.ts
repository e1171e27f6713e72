import { isObject, valueAt } from './json.ts';

/** What came back, whatever its status. */
export interface Received {
  readonly status: number;
  /** A header by its name in small letters. */
  readonly header: (name: string) => string | null | undefined;
  /** The parsed JSON; undefined when there is none. */
  readonly content: unknown;
}

/** No answer, or only a part of it. */
export interface Lost<Loss> {
  /** Why, as the platform tells it. */
  readonly lost: Loss;
  /** Whether it may succeed when it is sent again. */
  readonly isPassing: boolean;
}

/** What came of one attempt. */
export type Outcome<Loss> = Received | Lost<Loss>;

export const isLost = <Loss>(outcome: Outcome<Loss>): outcome is Lost<Loss> => 'lost' in outcome;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** What stands in the form of an error of the API (rule errors 1). */
export interface ApiError {
  readonly code: string;
  readonly message: string;
  readonly detail: unknown;
  /** The failing fields of a `VALIDATION_ERROR`; none of any other. */
  readonly fields: readonly ApiFieldError[];
}

export interface ApiFieldError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The error that the API answered; undefined in the answer of anybody else. */
export function apiErrorIn(content: unknown): ApiError | undefined {
  const error = valueAt(content, 'error');
  if (!isObject(error) || typeof error['code'] !== 'string') return undefined;
  const { code, message, detail } = error;
  const fields = valueAt(detail, 'fields');
  return {
    code,
    message: typeof message === 'string' && message !== '' ? message : code,
    detail,
    fields: Array.isArray(fields) ? fields.filter(isFieldError) : [],
  };
}

const isFieldError = (value: unknown): value is ApiFieldError =>
  ['path', 'code', 'message'].every((name) => typeof valueAt(value, name) === 'string');

/** Whether an answer holds anything that only a program sends. */
export const isJson = (content: unknown): boolean => isObject(content) || Array.isArray(content);

/**
 * What a success holds: a `record` in `data`, `several` in `data`, a page of a `list`, something that stands `bare`,
 * or `nothing`.
 */
export type AnswerShape = 'record' | 'several' | 'list' | 'bare' | 'nothing';

/** Whether a success holds what it has to: a page that says hello, or another service's JSON, does not. */
export function isAnswer(shape: AnswerShape, content: unknown): boolean {
  const data = valueAt(content, 'data');
  switch (shape) {
    case 'nothing':
      return true;
    case 'bare':
      return isJson(content);
    case 'record':
      return isObject(data);
    case 'several':
      return Array.isArray(data);
    case 'list': {
      const cursor = valueAt(content, 'next_cursor');
      const isPlaced = typeof cursor === 'string' || cursor === null;
      return Array.isArray(data) && isPlaced && typeof valueAt(content, 'has_more') === 'boolean';
    }
  }
}

/** The header `Retry-After` in seconds: a number, or a date (RFC 9110, 10.2.3). Undefined when absent or neither. */
export function retryAfterSeconds(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * Why a connection fails until somebody mends something: there is no such name, no TLS, or no certificate to trust.
 */
const lasting = /^ENOTFOUND$|^EPROTO$|CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|^ERR_(SSL|TLS|INVALID|BAD|FR)_/;

/** Whether a connection that failed with this code of Node may succeed when it is tried again. */
export const isPassingFailure = (code: unknown): boolean => !lasting.test(String(code));
