import { type Api, apiOver, describeElsewhere, describeTrouble, type Failure } from '@dealkeep/connectors';
import { apiRootOf, authorizationOf, type Credentials } from './connection.ts';
import { keysOf, type Step } from './idempotency-key.ts';
import { patience, waitingFor } from './patience.ts';
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

/** The API behind a connection. */
export function apiOf(credentials: Credentials, { waits = patience.editor, step }: ApiOptions = {}): Api {
  const keys = keysOf(step);
  return apiOver({
    target: () => ({ root: apiRootOf(credentials), authorization: authorizationOf(credentials) }),
    idempotencyKey: keys.keyOf,
    send,
    waiting: () => waitingFor(waits),
    lost: (trouble, address) =>
      new DealkeepError(describeTrouble(address, addressAdvice, trouble), 'UNREACHABLE'),
    refused: errorOf,
    answered: keys.isAnswered,
  });
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
