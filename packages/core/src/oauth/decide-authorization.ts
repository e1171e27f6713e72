import { randomUUIDv7 } from 'node:crypto';
import type { Core } from '../core.ts';
import { randomToken, tokenHash } from '../credentials/token.ts';
import { type AuthorizationRequest, errorRedirect, responseRedirect } from './authorization-request.ts';
import { codeSeconds, later } from './lifetimes.ts';
import { OAuthError } from './oauth-error.ts';

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
            ${later(core.clock.now(), codeSeconds)})`;
  return responseRedirect(core, request.redirectUri, { code, state: request.state });
}

/** The person does not. Answers where to send them. */
export const denyAuthorization = (core: Core, { redirectUri, state }: AuthorizationRequest): string =>
  errorRedirect(core, redirectUri, new OAuthError('access_denied', 'The person did not agree'), state);
