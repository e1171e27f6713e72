import { limits, type ReferenceName } from '@dealkeep/contract';
import type { Bundle, PlainInputField, Search, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { referenceNamed, referenceOf } from '../dropdowns/dropdown-key.ts';
import { filledIn } from '../forms/filled-in.ts';
import type { FormField } from '../forms/form-field.ts';
import { inputFields } from '../forms/input-field.ts';
import { guarded } from '../guarded.ts';
import { type ApiRecord, valueAt } from '../records/api-record.ts';
import { customFieldOutputs } from '../records/custom-field-outputs.ts';
import { outputFields } from '../records/output-fields.ts';
import { recordSchema } from '../records/related-records.ts';
import { resourceSample } from '../records/resource-sample.ts';
import { shapeRecord } from '../records/shape-record.ts';
import { filterFields, labelOfResource, operationOf } from '../registry.ts';
import { pageIn } from '../requests/answer.ts';
import { callApi } from '../requests/call-api.ts';
import { cleanError } from '../requests/clean-error.ts';
import { withRelatedNames } from '../requests/related-names.ts';
import { wholeRecord } from '../requests/whole-record.ts';
import { type SearchDeclaration, searches } from './catalog.ts';

/** Key of the choice between "contains" and "is"; the API's `q` means "contains". */
const matchField = 'match';

export const searchKey = (declaration: SearchDeclaration): string =>
  `find_${operationOf(declaration.list).resource.replaceAll('-', '_')}`;

/** No name is longer, and an address that holds more is refused on its way. */
const longestSearch = 1000;

/** The search that finds what a reference holds, where there is one. */
export function searchFor(reference: ReferenceName): string | undefined {
  const { list, items } = referenceOf(reference);
  const found = items === undefined ? searches.find((each) => each.list === list) : undefined;
  return found && searchKey(found);
}

/** A search: the filters of a list as the form, the best match as the result, nothing as an empty list. */
export function search(variant: AuthenticationVariant, declaration: SearchDeclaration): Search {
  const operation = operationOf(declaration.list);
  const schema = recordSchema(operation.resource);
  const fields = searchFields(declaration);
  return {
    key: searchKey(declaration),
    noun: labelOfResource(operation.resource),
    display: { label: `Find ${labelOfResource(operation.resource)}`, description: declaration.description },
    operation: {
      inputFields: withMatch(inputFields(fields, searchFor)),
      perform: guarded((z: ZObject, bundle: Bundle) => find(variant, declaration, fields, z, bundle)),
      sample: resourceSample(operation.resource),
      outputFields: [...outputFields(schema), ...customFieldOutputs(variant, schema)],
    },
  };
}

function searchFields(declaration: SearchDeclaration): FormField[] {
  const offered = filterFields(operationOf(declaration.list));
  return declaration.filters.map((name) => {
    const field = offered.find(({ key }) => key === name);
    if (!field) throw new Error(`${declaration.list} has no filter "${name}".`);
    return { ...field, required: false };
  });
}

function withMatch(fields: PlainInputField[]): PlainInputField[] {
  const match: PlainInputField = {
    key: matchField,
    label: 'Match',
    type: 'string',
    required: false,
    default: 'contains',
    choices: { contains: 'Contains the search text', exact: 'Is exactly the search text' },
    helpText: 'Choose the exact match where a similar name must not be taken for the same record.',
  };
  return fields.flatMap((field) => (field.key === 'q' ? [field, match] : [field]));
}

async function find(
  variant: AuthenticationVariant,
  declaration: SearchDeclaration,
  fields: readonly FormField[],
  z: ZObject,
  bundle: Bundle,
): Promise<ApiRecord[]> {
  const operation = operationOf(declaration.list);
  const query = filledIn(z, fields, bundle.inputData);
  if (Object.keys(query).length === 0) {
    throw cleanError(new z.errors.Error('Fill in at least one field to search by.', 'VALIDATION_ERROR', 422));
  }
  const text = typeof query['q'] === 'string' ? query['q'] : undefined;
  if (text !== undefined && text.length > longestSearch) {
    const { label } = fields.find(({ key }) => key === 'q') ?? { label: 'Search' };
    throw cleanError(new z.errors.Error(`${label}: This is too long to search by.`, 'VALIDATION_ERROR', 422));
  }
  const listed = await callApi(variant, z, bundle, {
    operation,
    // Among those that contain the text, one that is the text comes first: hence more than one.
    query: { ...query, limit: text === undefined ? 1 : limits.pageSizeMaximum },
    fields,
  });
  const { items } = pageIn(listed);
  const same = text === undefined ? undefined : items.find((item) => isNamed(operation.resource, item, text));
  const best = bundle.inputData[matchField] === 'exact' && text !== undefined ? same : (same ?? items[0]);
  if (best === undefined) return [];
  const found = await wholeRecord(variant, z, bundle, operation.resource, best);
  const named = await withRelatedNames(variant, z, bundle, operation.resource, found);
  return [shapeRecord(recordSchema(operation.resource), named)];
}

/** True when a text of the record itself, or its name, is what was searched for, whatever the case. */
function isNamed(resource: string, record: ApiRecord, text: string): boolean {
  const wanted = text.trim().toLocaleLowerCase();
  const reference = referenceNamed(resource);
  const name = reference && valueAt(record, (referenceOf(reference).label ?? 'name').split('.'));
  return [name, ...Object.values(record)].some(
    (value) => typeof value === 'string' && value.toLocaleLowerCase() === wanted,
  );
}
