import { randomUUIDv7 } from 'node:crypto';
import type { Scope } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import { randomToken, tokenHash } from '../credentials/credential.ts';
import { authorizationCodeSeconds } from '../operating-limits.ts';
import { findOAuthApp, isRegisteredRedirectUri, type OAuthApp } from './apps.ts';
import { later, OAuthError, repeatedOf, withValues } from './protocol.ts';

/** What an application asks a person for (RFC 6749, 4.1.1; RFC 7636, 4.3), checked. */
export interface AuthorizationRequest {
  readonly app: OAuthApp;
  readonly redirectUri: string;
  /** Whether the request named it; then the token request must as well (RFC 6749, 4.1.3). */
  readonly redirectUriGiven: boolean;
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string;
  /** Given back as it came. */
  readonly state: string | undefined;
}

/**
 * What a request to the authorization endpoint means. `refused`: nobody may be sent anywhere, as the application or
 * its address is not known. `redirect`: the error goes back to the application. Everything is judged before the person
 * is asked to sign in (rule oauth 6).
 */
export type AuthorizationCheck =
  | { readonly request: AuthorizationRequest }
  | { readonly refused: 'client_id' | 'redirect_uri' | 'repeated' }
  | { readonly redirect: string; readonly error: OAuthError };

export async function checkAuthorizationRequest(
  core: Core,
  given: URLSearchParams,
): Promise<AuthorizationCheck> {
  const parameters = withValues(given);
  if (repeatedOf(parameters, ['client_id', 'redirect_uri'])) return { refused: 'repeated' };
  const app = await findOAuthApp(core.sql, parameters.get('client_id') ?? '');
  if (!app) return { refused: 'client_id' };
  const redirectUri = redirectUriOf(app, parameters.get('redirect_uri'));
  if (redirectUri === undefined) return { refused: 'redirect_uri' };
  try {
    const redirectUriGiven = parameters.has('redirect_uri');
    return { request: { app, redirectUri, redirectUriGiven, ...checkParameters(app, parameters) } };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const states = parameters.getAll('state');
    return {
      redirect: errorRedirect(core, redirectUri, error, states.length === 1 ? states[0] : undefined),
      error,
    };
  }
}

/**
 * The redirect address may be left out where only one is registered (RFC 6749, 3.1.2.3); then it is that one, with the
 * port that it was registered with.
 */
function redirectUriOf(app: OAuthApp, asked: string | null): string | undefined {
  if (asked !== null) return isRegisteredRedirectUri(app.redirect_uris, asked) ? asked : undefined;
  return app.redirect_uris.length === 1 ? app.redirect_uris[0] : undefined;
}

const onceAtMost = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'];

function checkParameters(
  app: OAuthApp,
  parameters: URLSearchParams,
): Pick<AuthorizationRequest, 'scopes' | 'codeChallenge' | 'state'> {
  const repeated = repeatedOf(parameters, onceAtMost);
  if (repeated) throw new OAuthError('invalid_request', `The parameter ${repeated} is given more than once`);
  const responseType = parameters.get('response_type');
  if (!responseType) throw new OAuthError('invalid_request', 'The parameter response_type is missing');
  if (responseType !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only response_type is code');
  }
  const codeChallenge = parameters.get('code_challenge');
  if (!codeChallenge) {
    throw new OAuthError('invalid_request', 'PKCE is required: the parameter code_challenge is missing');
  }
  // RFC 7636, 4.3: without a method it would be plain, which is not offered.
  if (parameters.get('code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'The only code_challenge_method is S256');
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw new OAuthError('invalid_request', 'The code_challenge is no SHA-256 in base64url without padding');
  }
  return {
    scopes: scopesWithin(app.scopes, parameters.get('scope')),
    codeChallenge,
    state: parameters.get('state') ?? undefined,
  };
}

/** The scopes that a request names, all that may be had when it names none. Raises invalid_scope. */
export function scopesWithin(allowed: readonly Scope[], asked: string | null): Scope[] {
  const names = [...new Set((asked ?? '').split(' ').filter((name) => name !== ''))];
  if (names.length === 0) return [...allowed];
  return names.map((name) => {
    const scope = allowed.find((each) => each === name);
    if (scope) return scope;
    // RFC 6749, 4.1.2.1: a description holds no quotation mark, backslash or control character.
    const shown = name.replace(/[^\w:.-]/g, '?').slice(0, 50);
    throw new OAuthError('invalid_scope', `The scope ${shown} may not be had by this application`);
  });
}

/** Where the person is sent with an error (RFC 6749, 4.1.2.1; RFC 9207). */
const errorRedirect = (
  core: Core,
  redirectUri: string,
  { code, message }: OAuthError,
  state: string | undefined,
): string => responseRedirect(core, redirectUri, { error: code, error_description: message, state });

/** The redirect address with the response's parameters and the issuer. */
function responseRedirect(
  core: Core,
  redirectUri: string,
  response: Readonly<Record<string, string | undefined>>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...response, iss: core.origin })) {
    if (value !== undefined) parameters.set(name, value);
  }
  // The registered address stays to the letter; a query of its own is kept (RFC 6749, 3.1.2).
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}

/** The person who is asked. */
export interface ConsentingUser {
  readonly id: string;
  readonly organization: string;
}

/** The person allows it. Answers where to send them: the application's address with a code (RFC 6749, 4.1.2). */
export async function allowAuthorization(
  core: Core,
  request: AuthorizationRequest,
  user: ConsentingUser,
): Promise<string> {
  const code = randomToken('dk_oac_');
  await core.sql`
    insert into oauth_codes (code_hash, organization_id, connection_id, client_id, user_id, scopes, redirect_uri,
                             redirect_uri_given, code_challenge, expires_at)
    values (${tokenHash(code)}, ${user.organization}, ${randomUUIDv7()}, ${request.app.client_id}, ${user.id},
            ${[...request.scopes]}, ${request.redirectUri}, ${request.redirectUriGiven}, ${request.codeChallenge},
            ${later(core.clock.now(), authorizationCodeSeconds)})`;
  return responseRedirect(core, request.redirectUri, { code, state: request.state });
}

/** The person denies it. Answers where to send them. */
export const denyAuthorization = (core: Core, { redirectUri, state }: AuthorizationRequest): string =>
  errorRedirect(core, redirectUri, new OAuthError('access_denied', 'The person did not agree'), state);
