import {
  type EventType,
  events,
  eventTypes,
  type OperationDeclaration,
  operations,
  type ResourceName,
  resourceNames,
} from '@dealkeep/contract';

/** A resource with all that the page and llms.txt say of it. */
export interface Section {
  readonly name: ResourceName;
  readonly operations: readonly OperationDeclaration[];
  readonly events: readonly EventType[];
}

/** Every resource, in the contract's order. */
export const sections: readonly Section[] = resourceNames.map((name) => ({
  name,
  operations: Object.values<OperationDeclaration>(operations).filter(({ resource }) => resource === name),
  events: eventTypes.filter((type) => events[type].entity === name),
}));
