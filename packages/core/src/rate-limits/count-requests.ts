import { limits } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import { derivedId } from '../organizations/derived-id.ts';
import { Problem } from '../problem.ts';

/** Counts a request of a session of the console; its form token stays while its cookie changes. Raises RATE_LIMITED. */
export const countSession = (core: Core, { csrfToken }: { readonly csrfToken: string }): Promise<void> =>
  requireTurn(core, derivedId('sessions', csrfToken), ceilingsOf(core).session);

/** Counts a request of an application that has proved who it is. Raises RATE_LIMITED. */
export const countApplication = (core: Core, clientId: string): Promise<void> =>
  requireTurn(core, derivedId('oauth_apps', clientId), ceilingsOf(core).application);

const usual = {
  session: limits.sessionRequestsPerMinute,
  application: limits.applicationRequestsPerMinute,
} as const;

const ceilingsOf = ({ requestCeilings }: Core): Record<keyof typeof usual, number> =>
  requestCeilings ?? usual;

async function requireTurn(core: Core, bucket: string, ceiling: number): Promise<void> {
  const { passed, secondsLeft } = await core.rateLimiter.countAlone(bucket, ceiling);
  if (passed) return;
  core.metrics.countRefusal();
  throw new Problem('rate.limited', { seconds: secondsLeft });
}
