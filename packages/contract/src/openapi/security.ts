import { oauthPaths } from '../oauth-paths.ts';
import type { OperationDeclaration } from '../operation.ts';
import { oauthScopes, scopePermissions } from '../role-permissions.ts';
import { scopes } from '../scopes.ts';
import type { JsonSchema } from './schema.ts';

/** How a caller shows who they are: a key, or a token of a connection that a user allowed. */
export const securitySchemes = (origin: string): JsonSchema => ({
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer dk_live_…`.',
    'x-sk-description': 'API kľúč: `Authorization: Bearer dk_live_…`.',
  },
  oauth2: {
    type: 'oauth2',
    description:
      'An access token of an application that a person connected to their account (authorization code with PKCE, S256), sent like a key. Besides the scope, the role of the person must permit the operation for all records.',
    'x-sk-description':
      'Prístupový token aplikácie, ktorú si človek pripojil k účtu (autorizačný kód s PKCE, S256), posiela sa ako kľúč. Okrem oprávnenia musí operáciu pre všetky záznamy povoľovať aj rola človeka.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${origin}${oauthPaths.authorize}`,
        tokenUrl: `${origin}${oauthPaths.token}`,
        refreshUrl: `${origin}${oauthPaths.token}`,
        scopes: Object.fromEntries(oauthScopes.map((scope) => [scope, scopes[scope].en])),
      },
    },
  },
});

/** What an operation is called with: a key, or a token, unless its scope is out of reach for every token. */
export function securityOf({ scope, alsoScope }: OperationDeclaration): JsonSchema[] {
  const byKey = { apiKey: [] };
  if (scope === null) return [byKey, { oauth2: [] }];
  return scopePermissions[scope] ? [byKey, { oauth2: [scope, ...(alsoScope ? [alsoScope] : [])] }] : [byKey];
}
