import { apiRootFrom } from '@dealkeep/connectors';
import type { ZObject } from 'zapier-platform-core';
import { cleanError } from '../requests/clean-error.ts';

/** What the publisher sets with `zapier-platform env:set`: the API root and the registration as an application. */
export type EnvironmentName = 'BASE_URL' | 'CLIENT_ID' | 'CLIENT_SECRET';

/** Users of the published integration cannot mend its address. */
export const tryAgainLater = 'Try again in a while.';

/** Read at each run: what is read when a module loads would be frozen into the build. */
export function environmentValue(z: ZObject, name: EnvironmentName): string {
  const value = process.env[name]?.trim();
  if (value) return value;
  throw notSetUp(z, `${name} is missing`);
}

/** The API root of the published integration, without a trailing slash. */
export function apiRootOf(z: ZObject): string {
  const root = apiRootFrom(environmentValue(z, 'BASE_URL'));
  if (root === undefined) throw notSetUp(z, 'BASE_URL is not an https address');
  return root;
}

const notSetUp = (z: ZObject, problem: string): Error =>
  cleanError(
    new z.errors.Error(
      `The integration is not set up: ${problem} in its environment. Its publisher can set it.`,
      'NOT_SET_UP',
    ),
  );
