import { randomUUIDv7 } from 'node:crypto';

let last = '';

/**
 * A new id of a record: a UUID that sorts behind all that this process made before, also of the same millisecond. So records
 * of one moment, such as those of a batch, are listed in the order in which they were made.
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
