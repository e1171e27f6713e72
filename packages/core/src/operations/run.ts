import type { EveryOperationId } from '@dealkeep/contract';
import type { Services } from '../change/services.ts';
import type { ResultOf } from '../change/verb/verb.ts';
import type { Actor } from '../identity/credentials/credential.ts';
import { type ExecuteOptions, execute } from './execute.ts';

/** What an operation is run with, where no program sent a request. */
export interface Given {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * Runs an operation for whoever acts without a request of the API, such as somebody in the console. Answers what a
 * program would be answered, and raises what the operation does.
 *
 * @param once of a session: the operation runs once with this key, unless it was refused
 */
export async function run<Id extends EveryOperationId>(
  core: Services,
  actor: Actor,
  id: Id,
  { path = {}, query = [], body = {} }: Given,
  {
    once,
    ...options
  }: Pick<ExecuteOptions, 'precondition' | 'from'> & { readonly once?: string | undefined } = {},
): Promise<ResultOf<Id>> {
  const bytes = Buffer.from(JSON.stringify(body));
  const raw = { path, query, receive: async () => ({ bytes, parse: () => body }) };
  const address = `${id} ${Object.values(path).join()}`;
  const { body: answer } = await execute(core, actor, id, raw, {
    ...options,
    // What was refused is not stored: the form can be sent again.
    encode: (outcome) => {
      if ('problem' in outcome) throw outcome.problem;
      return { status: 200, body: JSON.stringify(outcome.result ?? null), noStore: false };
    },
    ...(once === undefined ? {} : { idempotency: { key: once, method: 'console', path: address } }),
  });
  // The verb's own result, by way of the text that is stored for a repeat.
  return JSON.parse(answer) ?? undefined;
}
