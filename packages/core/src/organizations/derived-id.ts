import { createHash } from 'node:crypto';

/**
 * An id that follows from names alone (UUIDv8, RFC 9562): what an organization is given by itself has the same ids
 * whenever it is given again, so that those who wrote one down find it after the test environment's nightly reset.
 */
export function derivedId(...names: readonly string[]): string {
  const hash = createHash('md5').update(names.join(':')).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`];
  return [...parts, hash.slice(20)].join('-');
}
