import { isBusy as isBusyStatus, type Request } from '@dealkeep/connectors';
import { userAgentOf } from '@dealkeep/contract';
import type { HttpResponse, ZObject } from 'zapier-platform-core';
import manifest from '../../package.json' with { type: 'json' };
import { attemptTimeout, timeLeft } from './run-time.ts';

/** What came of one attempt: an answer of whatever status, or the error of a connection that failed. */
export type Outcome = HttpResponse<unknown> | Error;

/** The integration's own name, before the one that every request of Zapier carries. */
const userAgent = `${userAgentOf('zapier', manifest.version)} Zapier`;

/**
 * Compressed answers are not asked for: the core writes such a one into its log only once it is unpacked, and when the run has
 * ended by then, in the name of the next one, whose secrets alone it strikes out.
 */
const uncompressed = { 'Accept-Encoding': 'identity' };

/** Sends a request once. A redirect is followed nowhere, because credentials would go along. */
export async function attempt(z: ZObject, { headers, ...request }: Request): Promise<Outcome> {
  const options = {
    ...request,
    headers: { ...headers, 'User-Agent': userAgent, ...uncompressed },
    timeout: attemptTimeout(timeLeft(z)),
    redirect: 'error' as const,
    skipThrowForStatus: true,
    throwForThrottlingEarly: false,
    // Otherwise a text of the user that holds {{bundle…}} would be refused or replaced.
    merge: false,
  };
  try {
    return await z.request<unknown>(options);
  } catch (error) {
    if (error instanceof Error && returnedErrors.has(error.name)) return error;
    throw error;
  }
}

/** The core keeps every 401 to itself where tokens can be refreshed, and throws this without the answer. */
const staleError = 'RefreshAuthError';
const returnedErrors = new Set(['FetchError', 'AbortError', staleError]);

/** True when the answer was 401 and the core did not hand it on. */
export const isStale = (outcome: Outcome): boolean => outcome instanceof Error && outcome.name === staleError;

export const isServerError = (outcome: Outcome): boolean =>
  !(outcome instanceof Error) && outcome.status >= 500;

/** True when the service did nothing with the request, and takes it later. */
export const isBusy = (outcome: Outcome): boolean =>
  !(outcome instanceof Error) && isBusyStatus(outcome.status);
