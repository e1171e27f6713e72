import type { ApiRecord } from '../records/api-record.ts';
import { operationOf } from '../registry.ts';
import type { Api } from '../requests/api.ts';
import { everyRecord } from '../requests/pages.ts';
import { chosen } from './chosen.ts';
import { clearField } from './clear-fields.ts';
import type { FieldType, FormField } from './form-field.ts';
import { InputProblem } from './input-problem.ts';
import { isEmpty } from './is-empty.ts';

/** The custom fields of an organization, by name. */
export const customFieldsOf = (api: Api): Promise<readonly ApiRecord[]> =>
  everyRecord(api, { operation: operationOf('custom-fields.list'), query: { sort: 'name' } });

/**
 * The fields of a form with each custom field as one of its own, in place of the dictionary. Their keys are made of
 * ids, so that a workflow goes on when a field is renamed; where their values stand in the body, their names say.
 */
export const withCustomFields = (
  fields: readonly FormField[],
  customFields: readonly ApiRecord[],
): FormField[] =>
  fields.flatMap((field) =>
    field.keysOf ? customFields.map((item) => customFormField(field, item)) : [field],
  );

function customFormField(dictionary: FormField, item: ApiRecord): FormField {
  const { id, name, kind, description } = item;
  const { keysOf: _, ...field } = dictionary;
  const choices = Array.isArray(item['choices']) ? item['choices'].map(String) : [];
  return {
    ...field,
    key: `${keyPrefix(dictionary)}${id}`,
    path: [...dictionary.path, String(name)],
    label: String(name),
    help: typeof description === 'string' && description !== '' ? description : undefined,
    type: typeOfKind[String(kind)] ?? 'string',
    // A required one can be left alone, but not emptied.
    nullable: item['required'] !== true,
    choices: choices.length > 0 ? Object.fromEntries(choices.map((each) => [each, each])) : undefined,
    asText: true,
  };
}

const keyPrefix = ({ key }: FormField): string => `${key}__`;

/** The API takes each value as text; a form asks for it by its kind. */
const typeOfKind: Readonly<Record<string, FieldType>> = {
  number: 'number',
  date: 'date',
  checkbox: 'boolean',
};

/** Whether custom fields are filled in or cleared, so that they have to be known. */
export const namesCustomFields = (
  fields: readonly FormField[],
  input: Readonly<Record<string, unknown>>,
): boolean => customKeysIn(fields, input).length > 0;

/** Whether a step fills in a custom field that is not among those that are known. */
export function missesCustomFields(
  fields: readonly FormField[],
  known: readonly ApiRecord[],
  input: Readonly<Record<string, unknown>>,
): boolean {
  const keys = new Set(withCustomFields(fields, known).map(({ key }) => key));
  return customKeysIn(fields, input).some((key) => !keys.has(key));
}

/** The form of a run, whose custom fields are all that there are. Throws when the run fills in one that is gone. */
export function formOfRun(
  fields: readonly FormField[],
  all: readonly ApiRecord[],
  input: Readonly<Record<string, unknown>>,
): FormField[] {
  if (!missesCustomFields(fields, all, input)) return withCustomFields(fields, all);
  throw new InputProblem(
    `${fields.find(({ keysOf }) => keysOf)?.label}: A field that this step fills in was removed in Dealkeep. Open the step, refresh its fields and take out the one that is no longer there.`,
  );
}

function customKeysIn(fields: readonly FormField[], input: Readonly<Record<string, unknown>>): string[] {
  const filled = Object.keys(input).filter((key) => !isEmpty(input[key]));
  const named = [...filled, ...chosen(input[clearField])];
  return fields
    .filter(({ keysOf }) => keysOf)
    .flatMap((dictionary) => named.filter((key) => key.startsWith(keyPrefix(dictionary))));
}
