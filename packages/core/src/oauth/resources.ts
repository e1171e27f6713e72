import { basePath, isMcpAddress, mcpAddresses, mcpPath, oauthScopes } from '@dealkeep/contract';
import { OAuthError } from './protocol.ts';

/** What an access token can be for: the API, or the addresses that assistants connect to (RFC 8707). */
export type ProtectedResource = 'api' | 'mcp';

/** A key reaches both. */
export const everyResource: readonly ProtectedResource[] = ['api', 'mcp'];

/** Which of them a path below the origin belongs to. */
export const protectedResourceAt = (path: string): ProtectedResource =>
  path === mcpPath || path.startsWith(`${mcpPath}/`) ? 'mcp' : 'api';

/** Where a resource is described (RFC 9728, 3.1). */
const metadataPrefix = '/.well-known/oauth-protected-resource';

/** The paths of all that is described, each below the origin. */
const describedPaths: readonly string[] = [basePath, ...mcpAddresses];

/** Every metadata document by its path, with the path of the resource that it describes. */
export const resourceMetadataPaths: ReadonlyMap<string, string> = new Map(
  describedPaths.map((path) => [`${metadataPrefix}${path}`, path]),
);

/** RFC 9728. The resource is the very address that a client connects to, or the client turns away (3.3). */
export const protectedResourceMetadata = (origin: string, path: string): Record<string, unknown> => ({
  resource: `${origin}${path}`,
  authorization_servers: [origin],
  scopes_supported: path.endsWith('/readonly')
    ? oauthScopes.filter((scope) => scope.endsWith(':read'))
    : oauthScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Dealkeep',
  resource_documentation: `${origin}/docs`,
});

/** The address of the document that describes the resource which a path belongs to. */
export function resourceMetadataAddress(origin: string, path: string): string {
  const described = path.replace(/\/$/, '');
  const ofResource = protectedResourceAt(path) === 'mcp' ? mcpPath : basePath;
  return `${origin}${metadataPrefix}${isMcpAddress(described) ? described : ofResource}`;
}

/**
 * The resources that the values of `resource` name, each once; undefined where there is none. Every address of the
 * assistants' is one resource. Raises invalid_target.
 */
export function requestedResources(
  origin: string,
  values: readonly string[],
): ProtectedResource[] | undefined {
  if (values.length === 0) return undefined;
  return [...new Set(values.map((value) => resourceOf(origin, value)))];
}

function resourceOf(origin: string, value: string): ProtectedResource {
  const url = URL.parse(value);
  const isPlain = url && !value.includes('#') && !value.includes('?') && !url.username && !url.password;
  // Scheme and host are compared as the URL parser writes them, in lower case.
  if (isPlain && url.origin === new URL(origin).origin) {
    const path = url.pathname.replace(/\/$/, '');
    if (path === basePath) return 'api';
    if (isMcpAddress(path)) return 'mcp';
  }
  throw new OAuthError('invalid_target', `The resource is ${origin}${basePath} or ${origin}${mcpPath}`);
}
