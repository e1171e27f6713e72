import { basePath } from '@dealkeep/contract';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The API root from what a person typed: the whole root, or only the address of the service. Undefined when it is no
 * web address, or one over which the key would travel unencrypted (only this machine itself may use plain http).
 */
export function apiRootFrom(address: string): string | undefined {
  const trimmed = address.trim().replace(/\/+$/, '');
  if (!URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  const encrypted =
    url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.has(url.hostname));
  if (!encrypted || url.username || url.search || url.hash) return undefined;
  return url.pathname === '/' ? `${url.origin}${basePath}` : `${url.origin}${url.pathname}`;
}
