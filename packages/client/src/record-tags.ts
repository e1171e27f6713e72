/** By the records that were answered, so that the records themselves are what the API says. */
const tags = new WeakMap<object, string>();

export function rememberTag(record: object, tag: string | null): void {
  if (tag !== null) tags.set(record, tag);
}

/**
 * What names a record as it was when the client answered it: for `ifMatch` of a change that is to be made only when
 * nobody changed the record since, and for `ifNoneMatch`. Undefined for what is no record of the client.
 */
export const etagOf = (record: object): string | undefined => tags.get(record);
