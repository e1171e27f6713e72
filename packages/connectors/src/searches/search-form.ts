import { inLowerCase, namesOf, type OperationDeclaration } from '@dealkeep/contract';
import type * as z from 'zod';
import type { SearchDeclaration } from '../catalog/searches.ts';
import type { FormField } from '../forms/form-field.ts';
import { recordField } from '../forms/record-field.ts';
import { type ApiRecord, valueAt } from '../records/api-record.ts';
import { outputFields } from '../records/output-fields.ts';
import { referenceOf } from '../references.ts';
import { filterFields, labelOfResource, operationOf } from '../registry.ts';
import { searchedBy, searchSample } from './searched.ts';

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

/** The form of a search. */
export function searchForm(declaration: SearchDeclaration): SearchForm {
  const { name, label, reference, schema } = searchedBy(declaration);
  const { parent, items } = reference;
  const naming = namesOf(reference)[0].split('.');
  const record: FormField = { ...recordField(operationOf(declaration.list)), label, reference: name };
  return {
    id: {
      ...record,
      key: 'id',
      path: [idPath],
      label: `${label} ID`,
      help: 'Finds this one, whatever else is filled in. Map the ID of an earlier step, or choose from the list.',
      required: false,
      // One that stands inside another record is listed with the name of that, so nothing has to be chosen before.
      dependsOn: items === undefined ? parent : undefined,
    },
    exactly: {
      ...record,
      key: naming.join('__'),
      path: [exactlyPath],
      label: labelIn(schema, naming),
      help: 'Finds what is called exactly this; capitals do not matter.',
      example: nameIn(searchSample(declaration), naming),
      required: false,
      reference: undefined,
    },
    naming,
    filters: filtersOf(declaration).map((field) => ({ ...field, required: false })),
  };
}

function filtersOf({ list, inside, filters }: SearchDeclaration): FormField[] {
  const operation = operationOf(list);
  const offered = filterFields(operation);
  return filters.map((name) => {
    const owner = inside && name === referenceOf(inside).parent ? ownerField(name, operation) : undefined;
    const field = owner ?? offered.find(({ key }) => key === name);
    if (!field) throw new Error(`${list} has no filter "${name}".`);
    return name === putAway ? putAwayField(field, operation.resource) : field;
  });
}

/** The record that what is found stands in. */
const ownerField = (key: string, list: OperationDeclaration): FormField => ({
  ...recordField(list),
  key,
  path: [key],
  help: 'All of them when none is chosen.',
});

export const searchFields = ({ id, exactly, filters }: SearchForm): FormField[] => [id, exactly, ...filters];

/** Without a choice they are left out, which the API would do for `false` alone. */
function putAwayField(field: FormField, resource: string): FormField {
  const one = inLowerCase(labelOfResource(resource));
  return {
    ...field,
    type: 'string',
    help: `Whether a ${one} that was archived is found.`,
    choices: { false: 'Leave out', true: 'Find only these', [putAwayToo]: 'Find these too' },
  };
}

/** What a record is called. */
function nameIn(record: ApiRecord, naming: readonly string[]): string | undefined {
  const name = valueAt(record, naming);
  return typeof name === 'string' ? name : undefined;
}

/** The label of a field that stands somewhere in a record, as outputs show it. */
function labelIn(schema: z.ZodObject, path: readonly string[]): string {
  const key = path.join('__');
  const label = outputFields(schema).find((field) => field.key === key)?.label;
  if (!label) throw new Error(`Records are named by ${path.join('.')}, which they do not have.`);
  return label;
}
