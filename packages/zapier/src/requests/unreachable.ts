import { describeTrouble, type Trouble, troubleOf } from '@dealkeep/connectors';
import type { ZObject } from 'zapier-platform-core';
import { isStale, type Outcome } from './attempt.ts';
import { cleanError } from './clean-error.ts';

/** Why there was no answer: the platform follows no redirect, and says so with a type of its own. */
export function troubleIn(error: Error): Trouble {
  const { type, code } = error as { type?: unknown; code?: unknown };
  return type === 'no-redirect' ? 'redirected' : troubleOf(code);
}

/** True for a connection that failed and may succeed when it is tried again. */
export const isPassing = (outcome: Outcome): boolean =>
  outcome instanceof Error && !isStale(outcome) && troubleIn(outcome) === 'no answer';

/** The platform's error for an address that gives no answer. */
export function unreachable(z: ZObject, address: string, advice: string, cause: Error): Error {
  const url = new URL(address);
  z.console.error(`No answer from ${url.host}: ${cause.message}`);
  return cleanError(new z.errors.Error(describeTrouble(url, advice, troubleIn(cause)), 'UNREACHABLE'));
}
