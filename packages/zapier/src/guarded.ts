import { InputProblem } from '@dealkeep/connectors';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { cleanError } from './requests/clean-error.ts';

/**
 * Lets no error leave with what Zapier's core would add to it (see `cleanError`), wherever it came from.
 * Each call makes a function of its own: Zapier's tools find a method by the identity of its function.
 */
export function guarded<Result>(
  perform: (z: ZObject, bundle: Bundle) => Result | Promise<Result>,
): (z: ZObject, bundle: Bundle) => Promise<Result> {
  return async (z, bundle) => {
    try {
      return await perform(z, bundle);
    } catch (error) {
      const told =
        error instanceof InputProblem ? new z.errors.Error(error.message, 'VALIDATION_ERROR', 422) : error;
      throw told instanceof Error ? cleanError(told) : told;
    }
  };
}
