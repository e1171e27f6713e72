import { basePath, isMcpAddress, mcpAddresses, mcpPath, oauthScopes } from '@dealkeep/contract';

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
