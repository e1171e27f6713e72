import { randomUUID } from 'node:crypto';
import type { OperationDeclaration } from '@dealkeep/contract';
import type { Bundle, HttpResponse, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import type { FormField } from '../forms/form-field.ts';
import { isApiRecord, valueAt } from '../records/api-record.ts';
import type { Answer } from './answer.ts';
import { attempt, isServerError, isStale, type Outcome, type Request } from './attempt.ts';
import { cleanError } from './clean-error.ts';
import { persistently } from './persistently.ts';
import { notTheApi, refusal } from './refusal.ts';
import { slowDown } from './slow-down.ts';
import { isPassing, unreachable } from './unreachable.ts';

export interface Call {
  readonly operation: OperationDeclaration;
  /** Values of the braces in the operation's path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The form that the values came from: an error about a value names its field as the person sees it. */
  readonly fields?: readonly FormField[];
  /** The field that chose the record of the path: one that is gone is told by its label. */
  readonly subject?: string;
  /** Statuses besides 2xx that are as good as success: 404 when something is to be removed, or looked for. */
  readonly accept?: readonly number[];
}

/**
 * Calls an operation. 5xx, network errors and a key still in use are tried again with the same Idempotency-Key, as long
 * as the run's time allows; every other refusal is thrown as the platform's error with the API's own message.
 */
export async function callApi(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
  call: Call,
): Promise<Answer> {
  const request = requestFor(variant, z, bundle, call);
  const outcome = await persistently(z, () => attempt(z, request), isTemporary);
  if (isStale(outcome)) throw cleanError(variant.refused(z, 'The access of this connection has ended.'));
  if (outcome instanceof Error) throw unreachable(z, request.url, variant.addressAdvice, outcome);
  if (!isWelcome(outcome.status, call.accept)) throw cleanError(refusal(variant, z, outcome, call));
  const isOurs = isSuccess(outcome.status)
    ? isAnswer(call.operation, outcome.data)
    : isRefusal(call.operation, outcome.data);
  if (!isOurs) throw cleanError(notTheApi(variant, z, outcome));
  await slowDown(z, outcome);
  return { status: outcome.status, content: outcome.data };
}

/** The same for every attempt: what is sent again must carry the same Idempotency-Key. */
function requestFor(variant: AuthenticationVariant, z: ZObject, bundle: Bundle, call: Call): Request {
  const { operation } = call;
  const hasBody = operation.body !== undefined;
  return {
    url: `${variant.apiRoot(z, bundle)}${filledPath(operation.path, call.path)}${queryText(call.query)}`,
    method: operation.method,
    headers: {
      Accept: 'application/json',
      // Zapier tells an integration nothing of the user's language, and its editor is English.
      'Accept-Language': 'en',
      Authorization: variant.authorization(bundle),
      ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      ...(operation.method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(call.body ?? {}) } : {}),
  };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const isWelcome = (status: number, accepted: readonly number[] = []): boolean =>
  isSuccess(status) || accepted.includes(status);

/** Whether a success is the operation's: a page that says hello, or another service's JSON, is not. */
function isAnswer({ shape }: OperationDeclaration, content: unknown): boolean {
  if (shape === 'nothing') return true;
  if (shape === 'bare') return isApiRecord(content);
  const data = valueAt(content, ['data']);
  return shape === 'list' ? Array.isArray(data) : isApiRecord(data);
}

/** Whether a status that is as good as success comes from the API: a page that is not found does not. */
const isRefusal = ({ shape }: OperationDeclaration, content: unknown): boolean =>
  shape === 'nothing' || isApiRecord(valueAt(content, ['error']));

const isTemporary = (outcome: Outcome): boolean =>
  outcome instanceof Error ? isPassing(outcome) : isServerError(outcome) || isStillRunning(outcome);

const isStillRunning = (response: HttpResponse<unknown>): boolean =>
  valueAt(response.data, ['error', 'code']) === 'IDEMPOTENCY_IN_PROGRESS';

function filledPath(path: string, values: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && !isApiRecord(value));
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
