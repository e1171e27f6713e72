import { limits, type ReferenceName, references } from '@dealkeep/contract';
import zapier, { type App, type Create, type Search, type Trigger } from 'zapier-platform-core';
import manifest from '../package.json' with { type: 'json' };
import { action } from './actions/action.ts';
import { actions } from './actions/catalog.ts';
import type { AuthenticationVariant } from './authentication/variant.ts';
import { dropdownTrigger } from './dropdowns/dropdown-trigger.ts';
import { searches } from './searches/catalog.ts';
import { findOrCreates } from './searches/find-or-create.ts';
import { search, searchFor } from './searches/search.ts';
import { triggers } from './triggers/catalog.ts';
import { hookTrigger } from './triggers/hook-trigger.ts';

type Integration = App<Record<string, Trigger>, Record<string, Create>, Record<string, Search>>;

/** The whole integration for one way to connect, derived from the contract and the catalogs beside this file. */
export function integration(variant: AuthenticationVariant): Integration {
  const hooks = triggers.map((declaration) => hookTrigger(variant, declaration));
  const creates = actions.map((declaration) => action(variant, declaration, searchFor));
  const finds = searches.map((declaration) => search(variant, declaration));
  return {
    version: manifest.version,
    platformVersion: zapier.version,
    authentication: variant.definition,
    flags: { cleanInputData: false },
    // What the API allows a connection; more than that waits in Zapier instead of failing.
    throttle: { window: 60, limit: limits.requestsPerMinute, scope: ['auth'] },
    triggers: keyed([...hooks, ...dropdownsOf(variant, [...hooks, ...creates, ...finds])]),
    creates: keyed(creates),
    searches: keyed(finds),
    searchOrCreates: keyed(findOrCreates()),
  };
}

/** The hidden triggers of the dropdowns that forms have, and of those that narrow them. */
function dropdownsOf(
  variant: AuthenticationVariant,
  forms: readonly (Trigger | Create | Search)[],
): Trigger[] {
  const all = referenceNames.map((name) => dropdownTrigger(variant, name));
  const direct = all.filter(({ key }) => isUsed(key, forms));
  return all.filter(({ key }) => isUsed(key, [...forms, ...direct]));
}

/** A form names its dropdown's trigger first: `list_companies.id.name`. */
const isUsed = (key: string, forms: readonly (Trigger | Create | Search)[]): boolean =>
  forms.some(({ operation }) => JSON.stringify(operation.inputFields).includes(`"${key}.`));

const isReferenceName = (name: string): name is ReferenceName => Object.hasOwn(references, name);
const referenceNames = Object.keys(references).filter(isReferenceName);

function keyed<Item extends { key: string }>(items: readonly Item[]): Record<string, Item> {
  return Object.fromEntries(items.map((item) => [item.key, item]));
}
