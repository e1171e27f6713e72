import { type Reference, type ReferenceName, references } from '@dealkeep/contract';

export const referenceOf = (name: ReferenceName): Reference => references[name];

/** The reference that a field such as `pipeline_id` holds: `pipeline`. */
export function referenceNamed(key: string): ReferenceName | undefined {
  const name = key.replace(/_(id|uuid)$/, '').replaceAll('_', '-');
  return isReferenceName(name) ? name : undefined;
}

const isReferenceName = (name: string): name is ReferenceName => Object.hasOwn(references, name);
export const referenceNames = Object.keys(references).filter(isReferenceName);
