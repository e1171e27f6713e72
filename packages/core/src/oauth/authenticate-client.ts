import type { Core } from '../core.ts';
import { countApplication } from '../rate-limits/count-requests.ts';
import { findOAuthApp, isSecretOf, type OAuthApp } from './apps.ts';
import { OAuthError } from './oauth-error.ts';

/**
 * The application that a request to the token or revocation endpoint comes from, by `client_secret_basic` or
 * `client_secret_post`, never both (RFC 6749, 2.3). Its requests are counted. Raises invalid_client, invalid_request, RATE_LIMITED.
 */
export async function authenticateClient(
  core: Core,
  authorization: string | undefined,
  parameters: URLSearchParams,
): Promise<OAuthApp> {
  const { id, secret } = credentialsOf(authorization, parameters);
  if (!(await isSecretOf(core.sql, id, secret))) {
    throw new OAuthError('invalid_client', 'The client_id or the client_secret is not right');
  }
  const app = await findOAuthApp(core.sql, id);
  if (!app) throw new OAuthError('invalid_client', 'The client_id or the client_secret is not right');
  // Only now: anybody can name an application, and would use up its requests.
  await countApplication(core, id);
  return app;
}

function credentialsOf(
  authorization: string | undefined,
  parameters: URLSearchParams,
): { id: string; secret: string } {
  const posted = { id: parameters.get('client_id'), secret: parameters.get('client_secret') };
  if (authorization === undefined) {
    if (!posted.id || !posted.secret) {
      throw new OAuthError('invalid_client', 'Send client_id and client_secret in the body or by HTTP Basic');
    }
    return { id: posted.id, secret: posted.secret };
  }
  if (posted.secret !== null) {
    throw new OAuthError('invalid_request', 'Send the client_secret in the body or by HTTP Basic, not both');
  }
  const basic = readBasic(authorization);
  if (!basic) throw new OAuthError('invalid_client', 'The header Authorization is no HTTP Basic');
  if (posted.id !== null && posted.id !== basic.id) {
    throw new OAuthError('invalid_request', 'The client_id in the body is another than that of HTTP Basic');
  }
  return basic;
}

/** RFC 6749, 2.3.1: both parts are form-encoded before they are joined. */
function readBasic(authorization: string): { id: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization)?.[1];
  if (!encoded) return undefined;
  const [id, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const secret = rest.join(':');
  if (!id || secret === '') return undefined;
  const decoded = new URLSearchParams(
    `id=${id.replaceAll('&', '%26')}&secret=${secret.replaceAll('&', '%26')}`,
  );
  return { id: decoded.get('id') ?? '', secret: decoded.get('secret') ?? '' };
}
