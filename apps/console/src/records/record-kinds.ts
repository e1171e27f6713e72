import { operationKind } from './operation-kind.ts';
import { presentations } from './presentation-of.ts';
import type { RecordKind } from './record-kind.ts';

/** Every kind of records, in the order of search results. */
export const recordKinds: readonly RecordKind[] = presentations.map(operationKind);

/** The kind of a resource; undefined where it has no pages of its own. */
export const kindOf = (resource: string): RecordKind | undefined =>
  recordKinds.find((kind) => kind.resource === resource);
