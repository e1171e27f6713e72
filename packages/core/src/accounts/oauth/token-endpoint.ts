import type { Services } from '../../change/services.ts';
import type { Statements } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { tokenHash } from '../../identity/credentials/credential.ts';
import { countApplication } from '../../identity/rate-limits/rate-limiter.ts';
import { findOAuthApp, isProvedBy, type OAuthApp } from './apps.ts';
import { endConnection } from './connections.ts';
import { formParameters, OAuthError, required } from './protocol.ts';
import { redeemCode, refreshTokens, type TokenAnswer } from './tokens.ts';

/** A request to the token or revocation endpoint: its `Authorization` header and its form. */
export interface ClientRequest {
  readonly authorization: string | undefined;
  readonly parameters: URLSearchParams;
}

const names = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope'];

/** The token endpoint (RFC 6749, 3.2). Raises OAuthError. */
export async function exchangeTokens(
  core: Services,
  { authorization, parameters: given }: ClientRequest,
): Promise<TokenAnswer> {
  const parameters = formParameters(given, names);
  const app = await authenticateClient(core, authorization, parameters);
  switch (required(parameters, 'grant_type')) {
    case 'authorization_code':
      return redeemCode(core, app, parameters);
    case 'refresh_token':
      await countConnection(core, app, required(parameters, 'refresh_token'));
      return refreshTokens(core, app, parameters);
    default:
      throw new OAuthError('unsupported_grant_type', 'The grant_type is authorization_code or refresh_token');
  }
}

/**
 * The application that a request to the token or revocation endpoint comes from, by `client_secret_basic` or
 * `client_secret_post`, never both (RFC 6749, 2.3), or by its client_id alone where it has no secret. The requests
 * of one that has are counted. Raises invalid_client, invalid_request, RATE_LIMITED.
 */
async function authenticateClient(
  core: Services,
  authorization: string | undefined,
  parameters: URLSearchParams,
): Promise<OAuthApp> {
  const { id, secret } = credentialsOf(authorization, parameters);
  const app = (await isProvedBy(core.sql, id, secret)) ? await findOAuthApp(core.sql, id) : undefined;
  if (!app) throw new OAuthError('invalid_client', 'The client_id or the client_secret is not right');
  // Counted only once it has proved who it is: anybody can name an application, and could use up its requests. What
  // has no secret is named by everybody; its refreshes are counted by connection.
  if (app.kind === 'confidential') await countApplication(core, id);
  return app;
}

/**
 * Counts a refresh of an application that has no secret by the connection, which the token proves. Raises
 * RATE_LIMITED.
 */
async function countConnection(core: Services, app: OAuthApp, token: string): Promise<void> {
  if (app.kind === 'confidential') return;
  const found = await findToken(core.sql, tokenHash(token));
  if (found?.client_id === app.client_id) await countApplication(core, found.id);
}

function credentialsOf(
  authorization: string | undefined,
  parameters: URLSearchParams,
): { id: string; secret: string | undefined } {
  const posted = { id: parameters.get('client_id'), secret: parameters.get('client_secret') };
  if (authorization === undefined) {
    if (!posted.id) {
      throw new OAuthError(
        'invalid_client',
        'Send client_id, and the client_secret if there is one, in the body or by HTTP Basic',
      );
    }
    return { id: posted.id, secret: posted.secret ?? undefined };
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

/**
 * The revocation endpoint (RFC 7009). A refresh token ends the whole connection with its hooks, an access token only
 * itself. An unknown token is a success and changes nothing. Raises OAuthError; invalid_grant for a token of another
 * application.
 */
export async function revokeToken(
  core: Services,
  { authorization, parameters: given }: ClientRequest,
): Promise<void> {
  const parameters = formParameters(given, ['token', 'token_type_hint']);
  const app = await authenticateClient(core, authorization, parameters);
  const hash = tokenHash(required(parameters, 'token'));
  const now = core.clock.now().toISOString();
  await inTransaction(core.sql, async (tx) => {
    const token = await findToken(tx, hash);
    if (!token) return;
    if (token.client_id !== app.client_id) {
      throw new OAuthError('invalid_grant', 'The token was issued to another application');
    }
    if (token.refreshes)
      await endConnection(tx, token, 'revoked', { now, by: { kind: 'connection', via: 'connection' } });
    else await tx`delete from oauth_access_tokens where token_hash = ${hash}`;
  });
}

interface FoundToken {
  organization: string;
  /** Of the connection. */
  id: string;
  client_id: string;
  refreshes: boolean;
}

/**
 * Finds a token by its hash alone, because what the client says it is (`token_type_hint`) need not be right (RFC
 * 7009,
 * 2.1).
 */
async function findToken(sql: Statements, hash: Uint8Array): Promise<FoundToken | undefined> {
  const [token] = await sql<FoundToken[]>`
    select c.organization_id as organization, c.id, c.client_id, t.refreshes
    from (select organization_id, connection_id, true as refreshes
          from oauth_refresh_tokens where token_hash = ${hash}
          union all
          select organization_id, connection_id, false
          from oauth_access_tokens where token_hash = ${hash}) t
    join oauth_connections c on c.organization_id = t.organization_id and c.id = t.connection_id`;
  return token;
}
