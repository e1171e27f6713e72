import type { Action } from '@activepieces/pieces-framework';
import { operationOn, searches, actions as writes } from '@dealkeep/connectors';
import { resourceNames, resources } from '@dealkeep/contract';
import { customApiCall } from './custom-api-call.ts';
import { findAction } from './find-action.ts';
import { getAction } from './get-action.ts';
import { searchEverythingAction } from './search-everything.ts';
import { writeAction } from './write-action.ts';

/** Every record that the API reads one by one. */
const gets = resourceNames.flatMap((name) => {
  const get = resources[name].kind === 'record' ? operationOn(name, 'get') : undefined;
  return get ? [getAction(get)] : [];
});

/** In the order in which the editor lists them. */
export const actions: Action[] = [
  ...writes.map(writeAction),
  ...searches.map(findAction),
  searchEverythingAction,
  ...gets,
  customApiCall,
];
