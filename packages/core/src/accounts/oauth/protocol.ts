import { oauthPaths, oauthScopes } from '@dealkeep/contract';
import { dayMs } from '../../foundations/local-time.ts';
import { idleConnectionDays } from '../../foundations/operating-limits.ts';

/** The error codes of RFC 6749 (4.1.2.1 and 5.2) and RFC 8707 (2) that occur here. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** An error that an application is told as RFC 6749 says. The description is for its developer, in English. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
  }
}

/** The parameters without those that have no value, which count as left out (RFC 6749, 3.1 and 3.2). */
export const withValues = (parameters: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...parameters].filter(([, value]) => value !== ''));

/**
 * The one of these names that is given more than once (RFC 6749, 3.1 and 3.2). Names that are not known are ignored,
 * however often they come; `resource` may be repeated (RFC 8707, 2).
 */
export const repeatedOf = (parameters: URLSearchParams, names: readonly string[]): string | undefined =>
  names.find((name) => parameters.getAll(name).length > 1);

/** The parameters of a request to the token or revocation endpoint. Raises invalid_request for one given twice. */
export function formParameters(given: URLSearchParams, names: readonly string[]): URLSearchParams {
  const parameters = withValues(given);
  const repeated = repeatedOf(parameters, ['client_id', 'client_secret', ...names]);
  if (repeated) throw new OAuthError('invalid_request', `The parameter ${repeated} is given more than once`);
  return parameters;
}

/** The value of a parameter. Raises invalid_request where it is missing. */
export function required(parameters: URLSearchParams, name: string): string {
  const value = parameters.get(name);
  if (!value) throw new OAuthError('invalid_request', `The parameter ${name} is missing`);
  return value;
}

const secondMs = 1000;

export const later = (moment: Date, seconds: number): string =>
  new Date(moment.getTime() + seconds * secondMs).toISOString();

/** A connection last used before this moment has ended. */
export const idleSince = (now: Date): string =>
  new Date(now.getTime() - idleConnectionDays * dayMs).toISOString();

const clientAuthentication = ['client_secret_basic', 'client_secret_post', 'none'];

/** RFC 8414. */
export const authorizationServerMetadata = (origin: string): Record<string, unknown> => ({
  issuer: origin,
  authorization_endpoint: `${origin}${oauthPaths.authorize}`,
  token_endpoint: `${origin}${oauthPaths.token}`,
  revocation_endpoint: `${origin}${oauthPaths.revoke}`,
  scopes_supported: oauthScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: clientAuthentication,
  revocation_endpoint_auth_methods_supported: clientAuthentication,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  // draft-ietf-oauth-client-id-metadata-document, 5: of applications that were registered; others are told whom to
  // ask.
  client_id_metadata_document_supported: true,
  service_documentation: `${origin}/docs`,
});
