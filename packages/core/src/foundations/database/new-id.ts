import { createHash, randomUUIDv7 } from 'node:crypto';

let last = '';

/**
 * A new id of a record: a UUID that sorts behind all that this process made before, also of the same millisecond. So
 * records of one moment, such as those of a batch, are listed in the order in which they were made.
 */
export function newId(): string {
  const made = randomUUIDv7();
  last = made > last ? made : following(last);
  return last;
}

function following(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * An id that follows from names alone (UUIDv8, RFC 9562): what an organization is given by itself has the same ids
 * whenever it is given again, so that those who wrote one down find it after the test environment's nightly reset.
 */
export function derivedId(...names: readonly string[]): string {
  const hash = createHash('md5').update(names.join(':')).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`];
  return [...parts, hash.slice(20)].join('-');
}
