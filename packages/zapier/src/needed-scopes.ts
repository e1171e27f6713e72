import {
  type ActionDeclaration,
  operationOf,
  referenceOf,
  type SearchDeclaration,
  type TriggerDeclaration,
} from '@dealkeep/connectors';
import { allScopes, events, type ReferenceName, type Scope } from '@dealkeep/contract';

/** What an integration consists of. */
export interface Parts {
  readonly triggers: readonly TriggerDeclaration[];
  readonly actions: readonly ActionDeclaration[];
  readonly searches: readonly SearchDeclaration[];
  readonly dropdowns: readonly ReferenceName[];
}

/** The scopes of everything that an integration calls and subscribes to, in the contract's order. */
export function neededScopes({ triggers, actions, searches, dropdowns }: Parts): Scope[] {
  const operations = [
    'webhooks.create',
    ...actions.map(({ operation }) => operation),
    ...searches.map(({ list }) => list),
    ...dropdowns.map((name) => referenceOf(name).list),
  ];
  const needed = new Set([
    ...operations.map((id) => operationOf(id).scope),
    ...triggers.flatMap((trigger) => trigger.events.map((type) => events[type].scope)),
  ]);
  return allScopes.filter((scope) => needed.has(scope));
}
