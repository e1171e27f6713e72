import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { inputField } from '../forms/input-field.ts';
import { parentField } from '../forms/parent-field.ts';
import { guarded } from '../guarded.ts';
import { isLookup, labelOfResource, operationOf, pluralOfResource } from '../registry.ts';
import type { Run } from '../requests/pages.ts';
import { type Choice, choiceOf, innerChoices } from './choice.ts';
import { type Dropdown, dropdownKey, referenceOf } from './dropdown-key.ts';
import { listedOwner, listedPage } from './listing.ts';

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
      perform: guarded((z: ZObject, bundle: Bundle) => choices(dropdown, { variant, z, bundle })),
      sample: { id: '01985f6e-2c41-7f21-a6d4-93b07c5e8812', name: labelOfResource(name) },
    },
  };
}

/** Lists that people keep are read by name; of what comes in every day the newest stands first. */
const orderOf = (list: string) => (isLookup(operationOf(list).resource) ? { sort: 'name' } : {});

async function choices({ reference: name, narrowedBy }: Dropdown, run: Run): Promise<Choice[]> {
  const reference = referenceOf(name);
  const { list, items, parent, inUse } = reference;
  const chosen = narrowedBy === undefined ? undefined : run.bundle.inputData[narrowedBy] || undefined;
  if (items === undefined) {
    const narrowed = parent === undefined ? {} : { [parent]: chosen };
    const records = await listedPage(run, list, { ...orderOf(list), ...inUse, ...narrowed });
    return records.map((record) => choiceOf(record, reference));
  }
  // What stands inside a chosen record stands on one page, wherever that record is listed.
  if (chosen !== undefined) {
    const owner = run.bundle.meta?.page > 0 ? undefined : await listedOwner(run, list, chosen);
    return owner === undefined ? [] : innerChoices(owner, items, reference);
  }
  const owners = await listedPage(run, list, orderOf(list));
  return owners.flatMap((owner) =>
    innerChoices(owner, items, reference).map((choice) => ({
      ...choice,
      name: `${choiceOf(owner, reference).name}: ${choice.name}`,
    })),
  );
}
