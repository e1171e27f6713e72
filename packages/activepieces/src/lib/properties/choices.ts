import {
  type Api,
  type Choice,
  choiceOf,
  everyRecord,
  type FormField,
  innerChoices,
  innerChoicesOfAll,
  listedOwner,
  operationOf,
  orderOfChoices,
  pageIn,
  referenceOf,
} from '@dealkeep/connectors';
import { limits, type ReferenceName } from '@dealkeep/contract';

/** What narrows the choices of a dropdown. */
export interface Narrowing {
  /** The record that was chosen in the field that it depends on. */
  readonly parent?: string;
  /** What was typed into it. */
  readonly search?: string;
}

/** True for lists that find records by a part of their name, so that the dropdown need not hold them all. */
export const isSearched = (name: ReferenceName): boolean => {
  const { list, items } = referenceOf(name);
  return items === undefined && 'q' in (operationOf(list).query?.shape ?? {});
};

/** What a reference can be set to: of what is searched the first page that fits, of what people keep all of it. */
export async function choicesOf(api: Api, name: ReferenceName, narrowing: Narrowing): Promise<Choice[]> {
  const reference = referenceOf(name);
  const { list, items, parent, inUse } = reference;
  const operation = operationOf(list);
  if (items !== undefined) {
    if (narrowing.parent === undefined) return innerChoicesOfAll(await all(api, list), items, reference);
    const owner = await listedOwner(api, list, narrowing.parent);
    return owner ? innerChoices(owner, items, reference) : [];
  }
  if (!isSearched(name)) return (await all(api, list)).map((record) => choiceOf(record, reference));
  const query = {
    ...orderOfChoices(list),
    ...inUse,
    ...(parent === undefined ? {} : { [parent]: narrowing.parent }),
    q: narrowing.search?.trim() || undefined,
    limit: limits.pageSizeMaximum,
  };
  return pageIn(await api.call({ operation, query })).items.map((record) => choiceOf(record, reference));
}

const all = (api: Api, list: string) =>
  everyRecord(api, { operation: operationOf(list), query: orderOfChoices(list) });

/** The field with what it can be set to, for forms that cannot ask for it field by field. */
export async function withChoices(api: Api, field: FormField): Promise<FormField> {
  const listed = field.reference ?? field.nameOf;
  if (listed === undefined) return field;
  const choices = await choicesOf(api, listed, {});
  const values = choices.map(({ id, name }) => [field.reference ? id : name, name]);
  return { ...field, choices: Object.fromEntries(values) };
}
