import { isLost, isPassingFailure, type Outcome, type PreparedRequest } from '@dealkeep/client/transport';
import { isBusy as isBusyStatus, type Trouble, troubleOf } from '@dealkeep/connectors';
import { userAgentOf } from '@dealkeep/contract';
import type { ZObject } from 'zapier-platform-core';
import manifest from '../../package.json' with { type: 'json' };
import { attemptTimeout, timeLeft } from './run-time.ts';

/** The integration's own name, before the one that every request of Zapier carries. */
const userAgent = `${userAgentOf('zapier', manifest.version)} Zapier`;

/**
 * Compressed answers are not asked for: the core writes such a one into its log only once it is unpacked, and when
 * the run has ended by then, in the name of the next one, whose secrets alone it strikes out.
 */
const uncompressed = { 'Accept-Encoding': 'identity' };

/** Sends a request once. A redirect is followed nowhere, because credentials would go along. */
export async function attempt(z: ZObject, { headers, ...request }: PreparedRequest): Promise<Outcome<Error>> {
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
    const response = await z.request<unknown>(options);
    return {
      status: response.status,
      header: (name) => response.getHeader(name),
      content: response.data,
    };
  } catch (error) {
    if (!(error instanceof Error) || !returnedErrors.has(error.name)) throw error;
    return { lost: error, isPassing: isPassing(error) };
  }
}

/** The core keeps every 401 to itself where tokens can be refreshed, and throws this without the answer. */
const staleError = 'RefreshAuthError';
const returnedErrors = new Set(['FetchError', 'AbortError', staleError]);

/** True when the answer was 401 and the core did not hand it on. */
export const isStale = (error: Error): boolean => error.name === staleError;

/** True when the service did nothing with the request, and takes it later. */
export const isBusy = (outcome: Outcome<Error>): boolean => !isLost(outcome) && isBusyStatus(outcome.status);

/** Why there was no answer: the platform follows no redirect, and says so with a type of its own. */
export function troubleIn(error: Error): Trouble {
  const { type, code } = error as { type?: unknown; code?: unknown };
  return type === 'no-redirect' ? 'redirected' : troubleOf(code);
}

/** True for a connection that failed and may succeed when it is tried again. */
export const isPassing = (error: Error): boolean =>
  !isStale(error) && troubleIn(error) !== 'redirected' && isPassingFailure(Reflect.get(error, 'code'));
