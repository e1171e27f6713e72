import { createClient, DealkeepError } from '@dealkeep/client';
import { instant } from './instant.ts';
import { type Script, scriptedApi } from './servers/scripted-api.ts';

export const apiKey = 'dk_test_key';

/** A client of an API that follows the scripts, and what can be seen of both. */
export async function client(...scripts: readonly [Script, ...Script[]]) {
  const { baseUrl, seen } = await scriptedApi(...scripts);
  const { timing, waits } = instant();
  return { dealkeep: createClient({ baseUrl, apiKey, timing }), baseUrl, seen, timing, waits };
}

/** The error that a call must end with. */
export const failure = (call: PromiseLike<unknown>): Promise<DealkeepError> =>
  Promise.resolve(call).then(
    () => Promise.reject(new Error('The call succeeded.')),
    (error: unknown) => (error instanceof DealkeepError ? error : Promise.reject(error)),
  );
