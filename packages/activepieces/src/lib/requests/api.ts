import {
  type Answer,
  type Api,
  describeElsewhere,
  describeMatches,
  describeTrouble,
  type Failure,
  failureIn,
  isOurs,
  isWelcome,
  matchesIn,
  requestOf,
} from '@dealkeep/connectors';
import { apiRootOf, authorizationOf, type Credentials } from './connection.ts';
import { keysOf, type Step } from './idempotency-key.ts';
import { patience, persistently, slowDown } from './patience.ts';
import { send } from './send.ts';

/** What a person reads where a step failed. */
export class DealkeepError extends Error {
  override readonly name = 'DealkeepError';
  /** The API's code: `FORBIDDEN`. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

export interface ApiOptions {
  /** Milliseconds that may be waited altogether. */
  readonly waits?: number;
  /** The step whose run sends the same Idempotency-Keys when it is run again. */
  readonly step?: Step;
}

/** The API behind a connection. What passes is tried again with the same Idempotency-Key; every other refusal is thrown. */
export function apiOf(credentials: Credentials, { waits = patience.editor, step }: ApiOptions = {}): Api {
  const keys = keysOf(step);
  const api: Api = {
    call: async (call): Promise<Answer> => {
      const request = requestOf(call, {
        root: apiRootOf(credentials),
        authorization: authorizationOf(credentials),
        idempotencyKey: keys.keyOf(call),
      });
      const outcome = await persistently(() => send(request), waits);
      const address = new URL(request.url);
      if ('trouble' in outcome) {
        throw new DealkeepError(describeTrouble(address, addressAdvice, outcome.trouble), 'UNREACHABLE');
      }
      const { status, content, header } = outcome;
      if (!isWelcome(call, status)) {
        const failure = failureIn({ status, content, retryAfter: header('retry-after') }, call);
        const matches = failure.kind === 'conflict' ? matchesIn(call, content) : [];
        if (matches.length > 0) {
          throw new DealkeepError(await describeMatches(api, call, matches), 'CONFLICT');
        }
        throw errorOf(failure, address);
      }
      if (!isOurs(call, status, content)) throw errorOf({ kind: 'elsewhere' }, address);
      keys.isAnswered(call);
      await slowDown(outcome);
      return { status, content };
    },
  };
  return api;
}

export const addressAdvice = 'Open the connection and set the right Service Address.';

function errorOf(failure: Failure, address: URL): DealkeepError {
  switch (failure.kind) {
    case 'busy':
      return new DealkeepError(
        `${failure.message} Run it again in ${failure.seconds} seconds.`,
        'RATE_LIMITED',
      );
    case 'elsewhere':
      return new DealkeepError(describeElsewhere(address, addressAdvice), 'NOT_THE_API');
    case 'unauthorized':
      return new DealkeepError(
        `${failure.message} Open the connection and set a valid API Key.`,
        failure.code,
      );
    case 'conflict':
    case 'refused':
      return new DealkeepError(failure.message, failure.code);
  }
}
