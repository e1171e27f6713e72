import { basePath } from './limits.ts';

/** Paths of the OAuth endpoints below the origin (rule oauth 4). */
export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  authorizationServer: '/.well-known/oauth-authorization-server',
  protectedResource: `/.well-known/oauth-protected-resource${basePath}`,
} as const;
