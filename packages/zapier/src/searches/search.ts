import {
  find,
  formOfRun,
  namesCustomFields,
  outputFields,
  referenceOf,
  resolveInput,
  type SearchDeclaration,
  type SearchForm,
  searchedBy,
  searches,
  searchFields,
  searchForm,
  searchKey,
  searchSample,
} from '@dealkeep/connectors';
import type { ReferenceName } from '@dealkeep/contract';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { customFieldInputs } from '../forms/custom-field-inputs.ts';
import { inputFieldGroups } from '../forms/input-fields.ts';
import { guarded } from '../guarded.ts';
import { customFieldOutputs } from '../records/custom-field-outputs.ts';
import { apiFor } from '../requests/call-api.ts';
import { customFieldsNow } from '../requests/known-custom-fields.ts';
import type { Run } from '../requests/run.ts';
import { howToCreate } from './find-or-create.ts';
import { ownForm, searchInputFields } from './search-fields.ts';

/** The search that finds what a reference holds, where there is one. */
export function searchFor(reference: ReferenceName): string | undefined {
  const { list } = referenceOf(reference);
  const found = searches.find((each) => each.list === list && searchedBy(each).name === reference);
  return found && searchKey(found);
}

/** A search: an id, a name or the filters of a list as the form, all matches as the result, the best first. */
export function search(variant: AuthenticationVariant, declaration: SearchDeclaration): Search {
  const { label, schema } = searchedBy(declaration);
  const form = ownForm(searchForm(declaration));
  const fields = searchFields(form);
  const groups = inputFieldGroups(fields);
  return {
    key: searchKey(declaration),
    noun: label,
    display: { label: `Find ${label}`, description: declaration.description },
    operation: {
      inputFields: [
        ...searchInputFields(form, searchFor),
        ...(fields.some(({ keysOf }) => keysOf) ? [customFieldInputs(variant, fields, false)] : []),
        ...howToCreate(declaration),
      ],
      ...(groups.length > 0 ? { inputFieldGroups: groups } : {}),
      perform: guarded(async (z: ZObject, bundle: Bundle) => {
        const api = apiFor(variant, z, bundle);
        const whole = await formOfSearch(variant, { api, z, bundle }, form);
        const input = await resolveInput(api, fields, bundle.inputData, 'each item');
        return [...(await find(api, declaration, whole, input))];
      }),
      sample: searchSample(declaration),
      outputFields: [...outputFields(schema), ...customFieldOutputs(variant, schema)],
    },
  };
}

/** The form with the custom fields that a run searches by; as it is where there are none. */
async function formOfSearch(variant: AuthenticationVariant, run: Run, form: SearchForm): Promise<SearchForm> {
  const { inputData: input } = run.bundle;
  if (!namesCustomFields(form.filters, input)) return form;
  return { ...form, filters: formOfRun(form.filters, await customFieldsNow(variant, run), input) };
}
