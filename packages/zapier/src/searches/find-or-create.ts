import type { SearchOrCreate } from 'zapier-platform-core';
import { actionKey } from '../actions/action-name.ts';
import { operationOf } from '../registry.ts';
import type { SearchDeclaration } from './catalog.ts';
import { searchKey } from './search.ts';

/** A search paired with the action that makes the record when none is found. Its key must be the search's. */
export function findOrCreate(declaration: SearchDeclaration): SearchOrCreate | undefined {
  const { orCreate } = declaration;
  if (!orCreate) return undefined;
  return {
    key: searchKey(declaration),
    display: { label: orCreate.label, description: orCreate.description },
    search: searchKey(declaration),
    create: actionKey(operationOf(orCreate.operation)),
  };
}

export const findOrCreates = (searches: readonly SearchDeclaration[]): SearchOrCreate[] =>
  searches.map(findOrCreate).filter((each) => each !== undefined);
