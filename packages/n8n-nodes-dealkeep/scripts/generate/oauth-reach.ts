import {
  type EventType,
  events,
  type OperationDeclaration,
  oauthScopes,
  operationIds,
  operations,
  type ReferenceName,
  type ResourceName,
  references,
  type Scope,
} from '@dealkeep/contract';
import type { DisplayOptions } from './property.ts';

/** For what no connection through OAuth can reach: it is not offered there. */
export const keyOnly: DisplayOptions = { hide: { '/authentication': ['oAuth2'] } };

const isReached = (scope: Scope | null): boolean => scope === null || oauthScopes.includes(scope);

export function isResourceReached(resource: ResourceName): boolean {
  const of: OperationDeclaration[] = operationIds.map((id) => operations[id]);
  return of.some((each) => each.resource === resource && isReached(each.scope));
}

/** Whether the list can be read that a dropdown is filled from. */
export function isReferenceReached(reference: ReferenceName): boolean {
  const { list } = references[reference];
  const declaration: OperationDeclaration = operations[list];
  return isReached(declaration.scope);
}

export const isEventReached = (type: EventType): boolean => isReached(events[type].scope);
