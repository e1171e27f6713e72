import type { ReferenceName } from '@dealkeep/contract';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { referenceOf } from '../dropdowns/dropdown-key.ts';
import { guarded } from '../guarded.ts';
import { customFieldOutputs } from '../records/custom-field-outputs.ts';
import { outputFields } from '../records/output-fields.ts';
import { resourceSample } from '../records/resource-sample.ts';
import { answeredSchema, labelOfResource, operationOf } from '../registry.ts';
import { type SearchDeclaration, searches } from './catalog.ts';
import { find } from './find.ts';
import { searchForm, searchInputFields } from './search-form.ts';

export const searchKey = (declaration: SearchDeclaration): string =>
  `find_${operationOf(declaration.list).resource.replaceAll('-', '_')}`;

/** The search that finds what a reference holds, where there is one. */
export function searchFor(reference: ReferenceName): string | undefined {
  const { list, items } = referenceOf(reference);
  const found = items === undefined ? searches.find((each) => each.list === list) : undefined;
  return found && searchKey(found);
}

/** A search: an id, a name or the filters of a list as the form, all matches as the result, the best first. */
export function search(variant: AuthenticationVariant, declaration: SearchDeclaration): Search {
  const { resource } = operationOf(declaration.list);
  const schema = answeredSchema(resource);
  const form = searchForm(declaration);
  return {
    key: searchKey(declaration),
    noun: labelOfResource(resource),
    display: { label: `Find ${labelOfResource(resource)}`, description: declaration.description },
    operation: {
      inputFields: searchInputFields(form, searchFor),
      perform: guarded(async (z: ZObject, bundle: Bundle) => [
        ...(await find({ variant, z, bundle }, declaration, form)),
      ]),
      sample: resourceSample(resource),
      outputFields: [...outputFields(schema), ...customFieldOutputs(variant, schema)],
    },
  };
}
