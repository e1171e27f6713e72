import { namesOf } from '@dealkeep/contract';
import type { PlainInputField } from 'zapier-platform-core';
import { referenceNamed, referenceOf } from '../dropdowns/dropdown-key.ts';
import type { FormField } from '../forms/form-field.ts';
import { inputFields, type SearchFor } from '../forms/input-field.ts';
import { recordField } from '../forms/record-field.ts';
import { outputFields } from '../records/output-fields.ts';
import { answeredSchema, filterFields, labelOfResource, operationOf } from '../registry.ts';
import type { SearchDeclaration } from './catalog.ts';
import { searchFieldKey } from './search-key.ts';

/** Where the values of the two fields stand that are no parameters of a list. */
export const idPath = 'record_id';
export const exactlyPath = 'exactly';
/** The filter of records that were put away: they are found only when asked for. */
export const putAway = 'archived';
/** The choice that finds them beside the others. */
export const putAwayToo = 'any';

/** What a search asks for. */
export interface SearchForm {
  /** The record itself, which is then found by nothing else. */
  readonly id: FormField;
  /** What people call the record, to the letter. */
  readonly exactly: FormField;
  /** Where in the record that stands: `['company', 'name']` of a client. */
  readonly naming: readonly string[];
  readonly filters: readonly FormField[];
}

/** The form of a search, all of whose keys are its own. */
export function searchForm(declaration: SearchDeclaration): SearchForm {
  const list = operationOf(declaration.list);
  const reference = referenceNamed(list.resource);
  if (reference === undefined) throw new Error(`No dropdown lists the records of "${list.resource}".`);
  const { parent } = referenceOf(reference);
  const naming = namesOf(referenceOf(reference))[0].split('.');
  const offered = filterFields(list);
  const filters = declaration.filters.map((name) => {
    const field = offered.find(({ key }) => key === name);
    if (!field) throw new Error(`${declaration.list} has no filter "${name}".`);
    return name === putAway ? putAwayField(field, list.resource) : field;
  });
  const record = recordField(list);
  return {
    id: {
      ...ownKey(record),
      key: searchFieldKey('id'),
      path: [idPath],
      label: `${record.label} ID`,
      help: 'Finds this one, whatever else is filled in. Map the ID of an earlier step, or choose from the list.',
      required: false,
      dependsOn: parent && searchFieldKey(parent),
    },
    exactly: {
      ...record,
      key: searchFieldKey(naming.join('__')),
      path: [exactlyPath],
      label: labelOf(list.resource, naming),
      help: 'Finds what is called exactly this; capitals do not matter.',
      required: false,
      reference: undefined,
    },
    naming,
    filters: filters.map((field) => ({ ...ownKey(field), required: false })),
  };
}

export const searchFields = ({ id, exactly, filters }: SearchForm): FormField[] => [id, exactly, ...filters];

/** The form as Zapier's editor shows it. A search cannot be a step before itself. */
export function searchInputFields(form: SearchForm, searchFor: SearchFor): PlainInputField[] {
  return inputFields(searchFields(form), (reference) =>
    reference === form.id.reference ? undefined : searchFor(reference),
  ).map((field) => (field.key === searchFieldKey(putAway) ? { ...field, default: 'false' } : field));
}

const ownKey = (field: FormField): FormField => ({
  ...field,
  key: searchFieldKey(field.key),
  dependsOn: field.dependsOn && searchFieldKey(field.dependsOn),
});

/** Without a choice they are left out, which the API would do for `false` alone. */
function putAwayField(field: FormField, resource: string): FormField {
  const one = labelOfResource(resource).toLowerCase();
  return {
    ...field,
    type: 'string',
    help: `Whether a ${one} that was archived is found.`,
    choices: { false: 'Leave out', true: 'Find only these', [putAwayToo]: 'Find these too' },
  };
}

/** The label of a field that stands somewhere in a record, as outputs show it. */
function labelOf(resource: string, path: readonly string[]): string {
  const key = path.join('__');
  const label = outputFields(answeredSchema(resource)).find((field) => field.key === key)?.label;
  if (!label)
    throw new Error(`The contract names a ${resource} by ${path.join('.')}, which it does not have.`);
  return label;
}
