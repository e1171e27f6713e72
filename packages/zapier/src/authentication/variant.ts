import type { Scope } from '@dealkeep/contract';
import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';

/**
 * How a connection proves itself. The integration is built once for each: everything else is the same source.
 */
export interface AuthenticationVariant {
  /** What Zapier shows and stores of a connection that needs these scopes. */
  readonly definition: (scopes: readonly Scope[]) => Authentication;
  /** Whether a connection can be given a scope. What needs another one is not offered. */
  readonly reaches: (scope: Scope | null) => boolean;
  /** The address of the API root, without a trailing slash. */
  readonly apiRoot: (z: ZObject, bundle: Bundle) => string;
  /** The value of the Authorization header. */
  readonly authorization: (bundle: Bundle) => string;
  /** What Zapier is to do when the API answers 401. */
  readonly refused: (z: ZObject, message: string) => Error;
  /** What the user can do when nothing, or something else than the API, answers at the address. */
  readonly addressAdvice: string;
}
