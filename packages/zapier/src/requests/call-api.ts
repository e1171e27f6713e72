import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationDeclaration } from '@dealkeep/contract';
import type { Bundle, HttpResponse, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import type { FormField } from '../forms/form-field.ts';
import { isApiRecord, valueAt } from '../records/api-record.ts';
import type { Answer } from './answer.ts';
import { cleanError } from './clean-error.ts';
import { refusal } from './refusal.ts';
import { attemptTimeoutMilliseconds, nextDelay } from './retry-plan.ts';

export interface Call {
  readonly operation: OperationDeclaration;
  /** Values of the braces in the operation's path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The form that the values came from: an error about a value names its field as the person sees it. */
  readonly fields?: readonly FormField[];
  /** Statuses besides 2xx that are as good as success: 404 when something is to be removed. */
  readonly accept?: readonly number[];
}

/**
 * Calls an operation. 5xx, network errors and a key still in use are tried again with the same Idempotency-Key, as long
 * as the step's time allows; every other refusal is thrown as the platform's error with the API's own message.
 */
export async function callApi(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
  call: Call,
): Promise<Answer> {
  const send = sender(variant, z, bundle, call);
  const startedAt = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send();
    if (outcome instanceof Error ? !isRedirect(outcome) : isTemporary(outcome)) {
      const wait = nextDelay(attempt, startedAt, Date.now(), retryAfterOf(outcome));
      if (wait !== undefined) {
        await sleep(wait);
        continue;
      }
    }
    if (outcome instanceof Error) throw cleanError(unreachable(variant, z, bundle, outcome));
    if (isWelcome(outcome.status, call.accept)) return { status: outcome.status, content: outcome.data };
    throw cleanError(refusal(variant, z, outcome, call));
  }
}

/** One attempt; a connection that failed is returned as an error, so that it can be tried again. */
function sender(variant: AuthenticationVariant, z: ZObject, bundle: Bundle, call: Call) {
  const { operation } = call;
  const hasBody = operation.body !== undefined;
  const options = {
    url: `${variant.apiRoot(z, bundle)}${filledPath(operation.path, call.path)}${queryText(call.query)}`,
    method: operation.method,
    headers: {
      Accept: 'application/json',
      'Accept-Language': 'en',
      Authorization: variant.authorization(bundle),
      'User-Agent': 'Zapier',
      ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      ...(operation.method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(call.body ?? {}) } : {}),
    timeout: attemptTimeoutMilliseconds,
    redirect: 'error' as const,
    skipThrowForStatus: true,
    throwForThrottlingEarly: false,
    // Otherwise a text of the user that holds {{bundle…}} would be refused or replaced.
    merge: false,
  };
  return async (): Promise<HttpResponse<unknown> | Error> => {
    try {
      return await z.request<unknown>(options);
    } catch (error) {
      if (error instanceof Error && connectionErrors.has(error.name)) return error;
      throw error;
    }
  };
}

const isWelcome = (status: number, accepted: readonly number[] = []): boolean =>
  (status >= 200 && status < 300) || accepted.includes(status);

const connectionErrors = new Set(['FetchError', 'AbortError']);

function isTemporary(response: HttpResponse<unknown>): boolean {
  if (response.status >= 500) return true;
  return valueAt(response.data, ['error', 'code']) === 'IDEMPOTENCY_IN_PROGRESS';
}

function retryAfterOf(outcome: HttpResponse<unknown> | Error): number | undefined {
  if (outcome instanceof Error) return undefined;
  const seconds = Number(outcome.getHeader('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** Followed nowhere: the key would go along. */
const isRedirect = (error: Error): boolean => 'type' in error && error.type === 'no-redirect';

function unreachable(variant: AuthenticationVariant, z: ZObject, bundle: Bundle, cause: Error): Error {
  const { host } = new URL(variant.apiRoot(z, bundle));
  z.console.error(`No answer from ${host}: ${cause.message}`);
  if (isRedirect(cause)) {
    return new z.errors.Error(
      `${host} sends requests on to another address. Reconnect the account with the address where they end.`,
      'REDIRECTED',
    );
  }
  return new z.errors.Error(
    `${host} did not answer. Check that the service runs and that its address is right, then try again.`,
    'UNREACHABLE',
  );
}

function filledPath(path: string, values: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && !isApiRecord(value));
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
