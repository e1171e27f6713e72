import { oauthPaths, oauthScopes, type Scope } from '@dealkeep/contract';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { guarded } from '../guarded.ts';
import { connectionLabel, testConnection } from './connection.ts';
import { redeemCode, refreshTokens } from './tokens.ts';
import type { AuthenticationVariant } from './variant.ts';
import { apiRootOf, environmentValue, tryAgainLater } from './zapier-environment.ts';

/** The published integration: people agree on the service's own pages (RFC 6749, 4.1, with PKCE, RFC 7636). */
export const oauth2: AuthenticationVariant = {
  definition: (scopes) => ({
    type: 'oauth2',
    test: testConnection(() => oauth2),
    connectionLabel,
    oauth2Config: {
      authorizeUrl: guarded((z: ZObject, bundle: Bundle) => authorizeAddress(z, bundle, scopes)),
      getAccessToken: guarded(redeemCode),
      refreshAccessToken: guarded(refreshTokens),
      // On a 401 Zapier refreshes the tokens and runs the step again.
      autoRefresh: true,
      enablePkce: true,
    },
  }),
  reaches: (scope) => scope === null || oauthScopes.includes(scope),
  apiRoot: apiRootOf,
  authorization: (bundle) => `Bearer ${bundle.authData['access_token'] ?? ''}`,
  refused: (z, message) =>
    new z.errors.RefreshAuthError(`${message} Reconnect the account if this stays so.`),
  addressAdvice: tryAgainLater,
};

/** Where people agree. Zapier adds its state, its redirect address and the challenge of PKCE. */
function authorizeAddress(z: ZObject, bundle: Bundle, scopes: readonly Scope[]): string {
  const address = new URL(oauthPaths.authorize, apiRootOf(z));
  const { state, redirect_uri: redirectUri } = bundle.inputData;
  address.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: environmentValue(z, 'CLIENT_ID'),
      scope: scopes.join(' '),
      ...(state ? { state: String(state) } : {}),
      ...(redirectUri ? { redirect_uri: String(redirectUri) } : {}),
    }),
  );
  return address.href;
}
