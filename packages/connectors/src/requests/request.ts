import * as z from 'zod';
import { type ApiRecord, isApiRecord, valueAt } from '../records/api-record.ts';
import type { Call } from './api.ts';

/** A request to the API, as HTTP sends it. */
export interface Request {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Where the API is, and how a connection proves itself there. */
export interface Target {
  /** The address of the API root, without a trailing slash. */
  readonly root: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
  /** The same for every attempt: what is sent again must make nothing twice. */
  readonly idempotencyKey: string;
}

/** The request of a call: the same for every attempt. */
export function requestOf({ operation, path, query, body }: Call, target: Target): Request {
  const hasBody = operation.body !== undefined;
  return {
    url: `${target.root}${filledPath(operation.path, path)}${queryText(query)}`,
    method: operation.method,
    headers: {
      Accept: 'application/json',
      // Platforms tell a connector nothing of the user's language, and their editors are English.
      'Accept-Language': 'en',
      Authorization: target.authorization,
      ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      ...(operation.method === 'POST' ? { 'Idempotency-Key': target.idempotencyKey } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(body ?? {}) } : {}),
  };
}

function filledPath(path: string, values: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query)
    .flatMap(([name, value]): [string, unknown][] =>
      isApiRecord(value) ? below(name, value) : [[name, value]],
    )
    .filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

/** `custom_field[Segment]=Retail` */
const below = (name: string, values: ApiRecord): [string, unknown][] =>
  Object.entries(values).map(([inner, value]) => [`${name}[${inner}]`, value]);

/** Whether an answer is what the call may have: a page that says hello, or another service's JSON, is not. */
export function isOurs({ operation: { shape, answer } }: Call, status: number, content: unknown): boolean {
  if (shape === 'nothing') return true;
  if (!isSuccess(status)) return isApiRecord(valueAt(content, ['error']));
  if (shape === 'bare') return isApiRecord(content);
  const data = valueAt(content, ['data']);
  return shape === 'list' || answer instanceof z.ZodArray ? Array.isArray(data) : isApiRecord(data);
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** True for 2xx and for what the call takes for as good. */
export const isWelcome = ({ accept = [] }: Call, status: number): boolean =>
  isSuccess(status) || accept.includes(status);

/** True for an answer that may be another one when the same request is sent again. */
export const isTemporary = (status: number, content: unknown): boolean =>
  status >= 500 || valueAt(content, ['error', 'code']) === 'IDEMPOTENCY_IN_PROGRESS';
