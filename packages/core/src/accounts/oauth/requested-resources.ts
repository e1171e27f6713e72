import { basePath, isMcpAddress, mcpPath } from '@dealkeep/contract';
import type { ProtectedResource } from '../../identity/credentials/resources.ts';
import { OAuthError } from './protocol.ts';

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
