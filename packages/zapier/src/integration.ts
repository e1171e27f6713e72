import { referenceNamed, referenceOf } from '@dealkeep/connectors';
import { limits } from '@dealkeep/contract';
import zapier, { type App, type Create, type Search, type Trigger } from 'zapier-platform-core';
import manifest from '../package.json' with { type: 'json' };
import { action } from './actions/action.ts';
import type { AuthenticationVariant } from './authentication/variant.ts';
import { type Dropdown, dropdownKey, dropdowns } from './dropdowns/dropdown-key.ts';
import { dropdownTrigger } from './dropdowns/dropdown-trigger.ts';
import { everyField } from './forms/form-part.ts';
import { neededScopes } from './needed-scopes.ts';
import { offered } from './offered.ts';
import { everythingSearch } from './searches/everything.ts';
import { findOrCreates } from './searches/find-or-create.ts';
import { search, searchFor } from './searches/search.ts';
import { hookTrigger } from './triggers/hook-trigger.ts';

type Integration = App<Record<string, Trigger>, Record<string, Create>, Record<string, Search>>;

/** The whole integration for one way to connect, derived from the contract and the catalogs beside this file. */
export function integration(variant: AuthenticationVariant): Integration {
  const { triggers, actions, searches } = offered(variant);
  const hooks = triggers.map((declaration) => hookTrigger(variant, declaration));
  const creates = actions.map((declaration) => action(variant, declaration, searchFor));
  const finds = [...searches.map((declaration) => search(variant, declaration)), everythingSearch(variant)];
  const lists = dropdownsIn([...hooks, ...creates, ...finds]);
  return {
    version: manifest.version,
    platformVersion: zapier.version,
    authentication: variant.definition(
      neededScopes({ triggers, actions, searches, dropdowns: lists.map(({ reference }) => reference) }),
    ),
    flags: { cleanInputData: false },
    // What the API allows a connection; more than that waits in Zapier instead of failing.
    throttle: { window: 60, limit: limits.requestsPerMinute, scope: ['auth'] },
    triggers: keyed([...hooks, ...lists.map((each) => dropdownTrigger(variant, each))]),
    creates: keyed(creates),
    searches: keyed(finds),
    searchOrCreates: keyed(findOrCreates(searches)),
  };
}

/** The dropdowns that forms have, and those that narrow them. */
function dropdownsIn(forms: readonly (Trigger | Create | Search)[]): Dropdown[] {
  const all = dropdowns();
  const fields = forms.map(({ operation }) => JSON.stringify(everyField(operation.inputFields ?? []))).join();
  const direct = all.filter((each) => fields.includes(namedAs(dropdownKey(each))));
  const narrowing = new Set(
    direct.map(({ reference }) => referenceNamed(referenceOf(reference).parent ?? '')),
  );
  return all.filter((each) => direct.includes(each) || narrowing.has(each.reference));
}

/** A form names its dropdown's trigger first: `list_companies.id.name`. */
const namedAs = (key: string): string => `"${key}.`;

function keyed<Item extends { key: string }>(items: readonly Item[]): Record<string, Item> {
  return Object.fromEntries(items.map((item) => [item.key, item]));
}
