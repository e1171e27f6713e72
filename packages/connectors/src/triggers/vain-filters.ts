import { type EventType, events } from '@dealkeep/contract';
import { bodyOf } from '../forms/body-of.ts';
import { chosen } from '../forms/chosen.ts';
import type { FormField } from '../forms/form-field.ts';
import { InputProblem } from '../forms/input-problem.ts';
import { type ApiRecord, isApiRecord, valueAt } from '../records/api-record.ts';
import { referenceOf } from '../references.ts';
import { operationOf } from '../registry.ts';
import type { Api } from '../requests/api.ts';
import { pagesOf } from '../requests/pages.ts';
import { hasFilter } from './event-filters.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Refuses filters that would keep a workflow waiting for ever: by a record that is not there (any more), which a
 * hook takes as it takes any id, and such as not all of the chosen events have.
 */
export async function refuseVainFilters(
  api: Api,
  types: readonly EventType[],
  filters: readonly FormField[],
  input: Input,
): Promise<void> {
  const problems = await Promise.all(
    filters.map((field) => lackProblems(types, field) ?? goneProblems(api, field, input)),
  );
  const told = problems.flat();
  if (told.length > 0) throw new InputProblem(told.join(' '));
}

function lackProblems(types: readonly EventType[], { key, label }: FormField): string[] | undefined {
  const lacking = types.find((type) => !hasFilter(type, key));
  return (
    lacking && [
      `${label}: "${events[lacking].label.en}" cannot be filtered by it. Take it out, or choose other events.`,
    ]
  );
}

async function goneProblems(api: Api, field: FormField, input: Input): Promise<string[]> {
  const values = [valueAt(bodyOf([field], input), field.path) ?? []].flat().map(String);
  if (values.length === 0) return [];
  const missing = await missingOf(api, field, values, input);
  return missing.map((value) => {
    const { label } = field;
    const chosenIn = values.length > 1 ? `${label}, choice ${values.indexOf(value) + 1}` : label;
    return `${chosenIn}: This is not in the list any more. It may have been deleted: take it out, or choose another one.`;
  });
}

/** Those of the values that their list does not have; it is read no further than to the last of them. */
async function missingOf(
  api: Api,
  { reference, nameOf, dependsOn }: FormField,
  values: readonly string[],
  input: Input,
): Promise<string[]> {
  const source = reference ?? nameOf;
  if (source === undefined) return [];
  const { list, items } = referenceOf(source);
  const owners = dependsOn === undefined ? [] : chosen(input[dependsOn]);
  const listed = (record: ApiRecord): readonly unknown[] => {
    if (items === undefined) return [record];
    const isChosen = owners.length === 0 || owners.includes(String(record['id']));
    return isChosen && Array.isArray(record[items]) ? record[items] : [];
  };
  const choiceIn = (record: ApiRecord): unknown =>
    nameOf ? record['name'] : (record['id'] ?? record['uuid']);
  let missing = [...values];
  for await (const page of pagesOf(api, { operation: operationOf(list) })) {
    const there = page.flatMap(listed).filter(isApiRecord).map(choiceIn);
    missing = missing.filter((value) => !there.includes(value));
    if (missing.length === 0) break;
  }
  return missing;
}
