import { actionKey, operationOf, type SearchDeclaration, searchedBy, searchKey } from '@dealkeep/connectors';
import type { PlainInputField, SearchOrCreate } from 'zapier-platform-core';
import { searchFieldKey } from './search-key.ts';

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

/**
 * What the checkbox below a search does, said right above it: Zapier writes the checkbox itself and has no place for
 * a help text there, but shows a field of the type `copy` as a text.
 */
export function howToCreate(declaration: SearchDeclaration): PlainInputField[] {
  if (!declaration.orCreate) return [];
  const one = searchedBy(declaration).label.toLowerCase();
  return [
    {
      key: searchFieldKey('if_nothing_is_found'),
      label: 'If Nothing Is Found',
      type: 'copy',
      helpText: `The fields above only search. Tick the box below to have a ${one} created when none is found: then a second form appears. Fill in there all that the new ${one} is to have, also what you search by. When one is found, that form is not used and the ${one} stays as it is; to change it, use the action that updates.`,
    },
  ];
}
