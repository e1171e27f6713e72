import {
  type ApiRecord,
  type Choice,
  choiceOf,
  chosen,
  innerChoices,
  innerChoicesOfAll,
  labelOfResource,
  listedOwner,
  orderOfChoices,
  parentField,
  pluralOfResource,
  referenceOf,
} from '@dealkeep/connectors';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { inputField } from '../forms/input-field.ts';
import { guarded } from '../guarded.ts';
import { apiFor } from '../requests/call-api.ts';
import type { Run } from '../requests/run.ts';
import { type Dropdown, dropdownKey } from './dropdown-key.ts';
import { listedPage } from './listing.ts';

/** The hidden trigger that lists what a reference can be set to, page by page, narrowed by the parent field. */
export function dropdownTrigger(variant: AuthenticationVariant, dropdown: Dropdown): Trigger {
  const { reference: name, narrowedBy } = dropdown;
  const { parent } = referenceOf(name);
  const narrowing =
    narrowedBy === undefined ? undefined : parentField(narrowedBy, labelOfResource(name), parent);
  const plural = pluralOfResource(name);
  return {
    key: dropdownKey(dropdown),
    noun: labelOfResource(name),
    display: {
      label: `List ${plural}`,
      description: `Triggers when the editor lists ${plural.toLowerCase()} to choose from.`,
      hidden: true,
    },
    operation: {
      type: 'polling',
      canPaginate: true,
      // Zapier hands a hidden trigger only the values of the fields that it declares.
      inputFields: narrowing ? [inputField(narrowing)] : [],
      perform: guarded((z: ZObject, bundle: Bundle) =>
        choices(dropdown, { api: apiFor(variant, z, bundle), z, bundle }),
      ),
      sample: { id: '01985f6e-2c41-7f21-a6d4-93b07c5e8812', name: labelOfResource(name) },
    },
  };
}

async function choices({ reference: name, narrowedBy }: Dropdown, run: Run): Promise<Choice[]> {
  const reference = referenceOf(name);
  const { list, items, parent, inUse } = reference;
  // Of a trigger's filters several are chosen.
  const parents = narrowedBy === undefined ? [] : chosen(run.bundle.inputData[narrowedBy]);
  if (items === undefined) {
    const narrowed = parent === undefined ? {} : { [parent]: parents.join() || undefined };
    const records = await listedPage(run, list, { ...orderOfChoices(list), ...inUse, ...narrowed });
    return records.map((record) => choiceOf(record, reference));
  }
  if (parents.length === 0) {
    return innerChoicesOfAll(await listedPage(run, list, orderOfChoices(list)), items, reference);
  }
  const owners = await ownersOf(run, list, parents);
  return parents.length === 1
    ? owners.flatMap((owner) => innerChoices(owner, items, reference))
    : innerChoicesOfAll(owners, items, reference);
}

/** What stands inside chosen records stands on one page, wherever these are listed. */
async function ownersOf({ api, bundle }: Run, list: string, ids: readonly string[]): Promise<ApiRecord[]> {
  if (bundle.meta?.page > 0) return [];
  const owners = await Promise.all(ids.map((id) => listedOwner(api, list, id)));
  return owners.filter((owner) => owner !== undefined);
}
