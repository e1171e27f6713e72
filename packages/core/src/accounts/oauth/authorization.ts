import { randomUUIDv7 } from 'node:crypto';
import type { Scope } from '@dealkeep/contract';
import { insertEntries, rowOf } from '../../change/audit/audit-log.ts';
import { changedValues } from '../../change/audit/changed-values.ts';
import type { Services } from '../../change/services.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { authorizationCodeSeconds } from '../../foundations/operating-limits.ts';
import { notFound } from '../../foundations/problem.ts';
import { randomToken, tokenHash } from '../../identity/credentials/credential.ts';
import type { RequestOrigin } from '../../identity/credentials/request-origin.ts';
import type { ProtectedResource } from '../../identity/credentials/resources.ts';
import { isOpenTo, type OAuthApp } from './apps.ts';
import { findCurrentApp } from './documented-apps.ts';
import { later, OAuthError, repeatedOf, withValues } from './protocol.ts';
import { isRegisteredRedirectUri } from './redirect-uris.ts';
import { requestedResources } from './requested-resources.ts';

/** What an application asks a user for (RFC 6749, 4.1.1; RFC 7636, 4.3), checked. */
export interface AuthorizationRequest {
  readonly app: OAuthApp;
  readonly redirectUri: string;
  /** Whether the request named it; then the token request must as well (RFC 6749, 4.1.3). */
  readonly redirectUriGiven: boolean;
  readonly scopes: readonly Scope[];
  /** What its tokens will be for. */
  readonly resources: readonly ProtectedResource[];
  readonly codeChallenge: string;
  /** Given back as it came. */
  readonly state: string | undefined;
}

/**
 * What a request to the authorization endpoint means. `refused`: nobody may be sent anywhere, as the application or
 * its address is not known. `redirect`: where the error goes, of a user to whose organization the application is
 * open and of nobody else (RFC 9700, 4.11.2). Everything is judged before the user is asked to sign in (rule oauth
 * 6).
 */
export type AuthorizationCheck =
  | { readonly request: AuthorizationRequest }
  | { readonly refused: 'redirect_uri' | 'repeated' }
  /** Of the application, what it called itself; its document cannot be read. */
  | { readonly refused: 'client_id' | 'unreadable'; readonly clientId: string }
  | { readonly redirect: string; readonly app: OAuthApp; readonly error: OAuthError };

export async function checkAuthorizationRequest(
  core: Services,
  given: URLSearchParams,
): Promise<AuthorizationCheck> {
  const parameters = withValues(given);
  if (repeatedOf(parameters, ['client_id', 'redirect_uri'])) return { refused: 'repeated' };
  const clientId = parameters.get('client_id') ?? '';
  const app = await findCurrentApp(core, clientId);
  if (!app) return { refused: 'client_id', clientId };
  if (app === 'unreadable') return { refused: 'unreadable', clientId };
  const redirectUri = redirectUriOf(app, parameters.get('redirect_uri'));
  if (redirectUri === undefined) return { refused: 'redirect_uri' };
  try {
    const redirectUriGiven = parameters.has('redirect_uri');
    return { request: { app, redirectUri, redirectUriGiven, ...checkParameters(core, app, parameters) } };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const states = parameters.getAll('state');
    return {
      redirect: errorRedirect(core, redirectUri, error, states.length === 1 ? states[0] : undefined),
      app,
      error,
    };
  }
}

/**
 * The redirect address may be left out where only one is registered (RFC 6749, 3.1.2.3); then it is that one, with
 * the port that it was registered with.
 */
function redirectUriOf(app: OAuthApp, asked: string | null): string | undefined {
  if (asked !== null) return isRegisteredRedirectUri(app, asked) ? asked : undefined;
  return app.redirect_uris.length === 1 ? app.redirect_uris[0] : undefined;
}

const onceAtMost = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'];

function checkParameters(
  { origin }: Pick<Services, 'origin'>,
  app: OAuthApp,
  parameters: URLSearchParams,
): Pick<AuthorizationRequest, 'scopes' | 'resources' | 'codeChallenge' | 'state'> {
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
    scopes: scopesWithin(app, app.scopes, parameters.get('scope')),
    // Whoever names none means what there was before assistants could connect.
    resources: requestedResources(origin, parameters.getAll('resource')) ?? ['api'],
    codeChallenge,
    state: parameters.get('state') ?? undefined,
  };
}

/**
 * The scopes that a request names, all that may be had when it names none. A public client asks for whatever the
 * metadata of the resource lists, and gets what it may have of that (RFC 6749, 3.3). Raises invalid_scope.
 */
export function scopesWithin(
  { kind }: Pick<OAuthApp, 'kind'>,
  allowed: readonly Scope[],
  asked: string | null,
): Scope[] {
  const names = [...new Set((asked ?? '').split(' ').filter((name) => name !== ''))];
  if (names.length === 0) return [...allowed];
  const had = allowed.filter((scope) => names.includes(scope));
  if (kind !== 'confidential' && had.length > 0) return had;
  return names.map((name) => {
    const scope = allowed.find((each) => each === name);
    if (scope) return scope;
    // RFC 6749, 4.1.2.1: a description holds no quotation mark, backslash or control character.
    const shown = name.replace(/[^\w:.-]/g, '?').slice(0, 50);
    throw new OAuthError('invalid_scope', `The scope ${shown} may not be had by this application`);
  });
}

/** Where the user is sent with an error (RFC 6749, 4.1.2.1; RFC 9207). */
const errorRedirect = (
  core: Services,
  redirectUri: string,
  { code, message }: OAuthError,
  state: string | undefined,
): string => responseRedirect(core, redirectUri, { error: code, error_description: message, state });

/** The redirect address with the response's parameters and the issuer. */
function responseRedirect(
  core: Services,
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

/** The user who is asked. */
export interface ConsentingUser {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly from?: RequestOrigin | undefined;
}

/**
 * The user allows it. Answers where to send them: the application's address with a code (RFC 6749, 4.1.2). Raises
 * NOT_FOUND where the application is not open to their organization.
 */
export async function allowAuthorization(
  core: Services,
  request: AuthorizationRequest,
  user: ConsentingUser,
): Promise<string> {
  if (!(await isOpenTo(core.sql, request.app, user.organization))) throw notFound();
  const code = randomToken('dk_oac_');
  const connection = randomUUIDv7();
  const { app, scopes } = request;
  const now = core.clock.now().toISOString();
  const allowed = rowOf(
    {
      operation: 'connections.allow',
      resource: 'me',
      recordId: connection,
      recordName: app.name,
      detail: { changes: changedValues({}, { scopes }) },
      by: { kind: 'user', user, via: 'console', from: user.from },
    },
    now,
  );
  await inTransaction(core.sql, async (tx) => {
    await tx`${insertEntries(tx, user.organization, [allowed])}`;
    await tx`
    insert into oauth_codes (code_hash, organization_id, connection_id, client_id, user_id, scopes, resources,
                             redirect_uri, redirect_uri_given, code_challenge, expires_at)
    values (${tokenHash(code)}, ${user.organization}, ${connection}, ${request.app.client_id}, ${user.id},
            ${[...request.scopes]}, ${[...request.resources]}, ${request.redirectUri}, ${request.redirectUriGiven}, ${request.codeChallenge},
            ${later(core.clock.now(), authorizationCodeSeconds)})`;
  });
  return responseRedirect(core, request.redirectUri, { code, state: request.state });
}

/** The user denies it. Answers where to send them. */
export const denyAuthorization = (core: Services, { redirectUri, state }: AuthorizationRequest): string =>
  errorRedirect(core, redirectUri, new OAuthError('access_denied', 'The person did not agree'), state);
