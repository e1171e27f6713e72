import { causeOf, isLost, type Outcome } from '@dealkeep/client/transport';
import { busySeconds, persistently, valueAt } from '@dealkeep/connectors';
import { oauthPaths } from '@dealkeep/contract';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { attempt, isBusy, isStale } from '../requests/attempt.ts';
import { cleanError } from '../requests/clean-error.ts';
import { runClock } from '../requests/run-clock.ts';
import { waitingOf } from '../requests/run-time.ts';
import { unreachable } from '../requests/unreachable.ts';
import { apiRootOf, environmentValue, tryAgainLater } from './zapier-environment.ts';

/** What Zapier keeps of a connection, and hands to every run as `authData`. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Exchanges the code of an agreement for tokens (RFC 6749, 4.1.3; RFC 7636, 4.5). */
export async function redeemCode(z: ZObject, bundle: Bundle): Promise<Tokens> {
  const { code, redirect_uri, code_verifier } = bundle.inputData;
  // What stands in authData is censored wherever the core logs it; the code is a secret as long as it lives.
  Object.assign(bundle.authData, { code, code_verifier });
  const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier };
  // Sent again after a lost answer, a code counts as stolen. What is busy says that it was not used.
  const outcome = await postPersistently(z, form, isBusy);
  return tokensIn(
    z,
    outcome,
    () => new z.errors.Error('The sign-in has expired. Connect the account again.'),
  );
}

/**
 * Exchanges the refresh token for new tokens (RFC 6749, 6). The old one ends with it, so Zapier keeps both new ones.
 * When the answer is lost, the service gives the very same again for a minute, so asking again is safe.
 */
export async function refreshTokens(z: ZObject, bundle: Bundle): Promise<Tokens> {
  const form = { grant_type: 'refresh_token', refresh_token: bundle.authData['refresh_token'] };
  const outcome = await postPersistently(z, form, (last) => causeOf(last) !== undefined);
  return tokensIn(
    z,
    outcome,
    () => new z.errors.ExpiredAuthError('This connection has ended. Reconnect the account.'),
  );
}

/** No step stands behind these that Zapier could run again after a 429, so that one is waited for here. */
const postPersistently = (
  z: ZObject,
  form: Readonly<Record<string, unknown>>,
  isPassing: (outcome: Outcome<Error>) => boolean,
): Promise<Outcome<Error>> =>
  persistently(
    () => post(z, form),
    'POST',
    waitingOf(z),
    (outcome) => (isPassing(outcome) ? 'failure' : undefined),
  );

function post(z: ZObject, form: Readonly<Record<string, unknown>>): Promise<Outcome<Error>> {
  const body = new URLSearchParams({
    ...Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value ?? '')])),
    client_id: environmentValue(z, 'CLIENT_ID'),
    client_secret: environmentValue(z, 'CLIENT_SECRET'),
  });
  return attempt(z, {
    url: tokenAddress(z).href,
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: String(body),
  });
}

const tokenAddress = (z: ZObject): URL => new URL(oauthPaths.token, apiRootOf(z));

/**
 * The tokens of an answer. Throws what tells the user, or the publisher, what to do about any other (RFC 6749, 5.2).
 */
function tokensIn(z: ZObject, outcome: Outcome<Error>, ended: () => Error): Tokens {
  if (isLost(outcome)) {
    if (isStale(outcome.lost)) throw cleanError(new z.errors.Error(notAccepted, 'NOT_ACCEPTED', 401));
    throw unreachable(z, tokenAddress(z), tryAgainLater, outcome.lost);
  }
  const { status, content } = outcome;
  const [access, refresh] = ['access_token', 'refresh_token'].map((name) => valueAt(content, [name]));
  if (status === 200 && typeof access === 'string' && typeof refresh === 'string') {
    return { access_token: access, refresh_token: refresh };
  }
  z.console.error(
    `The token endpoint answered ${status}: ${String(valueAt(content, ['error_description']))}`,
  );
  if (valueAt(content, ['error']) === 'invalid_grant') throw cleanError(ended());
  const message = `Dealkeep cannot connect the account. ${tryAgainLater}`;
  // Zapier then runs by itself, when that time is over, what needed the tokens.
  if (isBusy(outcome)) {
    throw cleanError(new z.errors.ThrottledError(message, busySeconds(outcome, runClock.now())));
  }
  throw cleanError(new z.errors.Error(message, 'NO_TOKENS'));
}

const notAccepted =
  'Dealkeep does not accept this integration: its client ID or secret is not valid. Its publisher can set them anew.';
