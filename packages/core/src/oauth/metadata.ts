import { oauthPaths, oauthScopes } from '@dealkeep/contract';

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
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${origin}/docs`,
});

/** RFC 9728. */
export const protectedResourceMetadata = (origin: string, basePath: string): Record<string, unknown> => ({
  resource: `${origin}${basePath}`,
  authorization_servers: [origin],
  scopes_supported: oauthScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Dealkeep',
  resource_documentation: `${origin}/docs`,
});
