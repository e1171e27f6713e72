import type { ReferenceName } from '@dealkeep/contract';
import { limits } from '@dealkeep/contract';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { inputField } from '../forms/input-field.ts';
import { parentField } from '../forms/parent-field.ts';
import { guarded } from '../guarded.ts';
import { type ApiRecord, isApiRecord, valueAt } from '../records/api-record.ts';
import { labelOfResource, operationOf } from '../registry.ts';
import { pageIn } from '../requests/answer.ts';
import { callApi } from '../requests/call-api.ts';
import { dropdownKey, referenceOf } from './dropdown-key.ts';

interface Choice {
  id: string;
  name: string;
}

/** The hidden trigger that lists what a reference can be set to, page by page, narrowed by the parent field. */
export function dropdownTrigger(variant: AuthenticationVariant, name: ReferenceName): Trigger {
  const { parent } = referenceOf(name);
  const narrowing = parent === undefined ? undefined : parentField(parent, labelOfResource(name));
  return {
    key: dropdownKey(name),
    noun: labelOfResource(name),
    display: {
      label: `List ${labelOfResource(name)}`,
      description: `Triggers when a list of ${labelOfResource(name).toLowerCase()} choices is needed.`,
      hidden: true,
    },
    operation: {
      type: 'polling',
      canPaginate: true,
      // Zapier hands a hidden trigger only the values of the fields that it declares.
      inputFields: narrowing ? [inputField(narrowing)] : [],
      perform: guarded((z: ZObject, bundle: Bundle) => choices(variant, name, z, bundle)),
      sample: { id: '01985f6e-2c41-7f21-a6d4-93b07c5e8812', name: labelOfResource(name) },
    },
  };
}

async function choices(
  variant: AuthenticationVariant,
  name: ReferenceName,
  z: ZObject,
  bundle: Bundle,
): Promise<Choice[]> {
  const { list, items, parent, label } = referenceOf(name);
  const later = bundle.meta?.page > 0;
  const cursor = later ? await z.cursor.get() : undefined;
  if (later && !cursor) return [];
  const chosenParent = parent === undefined ? undefined : bundle.inputData[parent] || undefined;
  const page = pageIn(
    await callApi(variant, z, bundle, {
      operation: operationOf(list),
      query: {
        limit: limits.pageSizeMaximum,
        cursor: cursor || undefined,
        ...(parent !== undefined && items === undefined ? { [parent]: chosenParent } : {}),
      },
    }),
  );
  await z.cursor.set(page.nextCursor ?? '');
  if (items === undefined) return page.items.map((record) => choiceOf(record, label));
  return page.items
    .filter((owner) => chosenParent === undefined || owner['id'] === chosenParent)
    .flatMap((owner) => innerChoices(owner, items, chosenParent === undefined));
}

/** What stands inside a listed record; named with it when no parent narrows the list. */
function innerChoices(owner: ApiRecord, items: string, withOwner: boolean): Choice[] {
  const inner = owner[items];
  if (!Array.isArray(inner)) return [];
  return inner.filter(isApiRecord).map((item) => {
    const choice = choiceOf(item);
    return withOwner ? { ...choice, name: `${choiceOf(owner).name}: ${choice.name}` } : choice;
  });
}

/** What tells records of one name apart, the first that a record has. */
const contexts = ['company.name', 'customer_name', 'email', 'sku', 'starts_at', 'start_at'];

function choiceOf(record: ApiRecord, label = 'name'): Choice {
  const id = String(record['id'] ?? record['uuid'] ?? '');
  const found = contexts.map((path) => valueAt(record, path.split('.'))).find(isFilled);
  const context = found?.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*Z$/, '$1 $2 UTC');
  const own = valueAt(record, label.split('.'));
  if (!isFilled(own)) return { id, name: context ?? id };
  return { id, name: context === undefined || context === own ? own : `${own} (${context})` };
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
