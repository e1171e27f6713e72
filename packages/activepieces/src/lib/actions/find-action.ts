import { createAction } from '@activepieces/pieces-framework';
import {
  find,
  operationOf,
  pluralOfResource,
  resolveInput,
  type SearchDeclaration,
  searchedBy,
  searchFields,
  searchForm,
  searchKey,
} from '@dealkeep/connectors';
import { instructionOf } from '@dealkeep/contract';
import { dealkeepAuth } from '../auth.ts';
import { foundOutput, foundSchema } from '../outputs/found.ts';
import { formOf } from '../properties/custom-fields.ts';
import { filledInputOf, handWritten } from '../properties/input.ts';
import { propertiesOf } from '../properties/property-of.ts';
import { apiOf } from '../requests/api.ts';
import { patience } from '../requests/patience.ts';

/**
 * What agents are told. A list that several searches read, such as pipelines with their stages, does not say which.
 */
const aboutSearch = ({ description, list }: SearchDeclaration): string =>
  [
    description,
    'Returns up to 100 matches, the best first, and none is no error.',
    instructionOf(operationOf(list)).when ?? '',
  ]
    .join(' ')
    .trim();

/** A search: an id, a name or the filters of a list as the form; all matches as the result, the best first. */
export function findAction(declaration: SearchDeclaration) {
  const { name, label, schema } = searchedBy(declaration);
  const form = searchForm(declaration);
  const fields = searchFields(form);
  return createAction({
    auth: dealkeepAuth,
    name: searchKey(declaration),
    displayName: `Find ${label}`,
    description: declaration.description,
    aiMetadata: { description: aboutSearch(declaration), idempotent: true },
    props: propertiesOf(fields),
    outputSchema: foundSchema(pluralOfResource(name), form.naming.join('.'), schema),
    async run({ auth, propsValue }) {
      const api = apiOf(auth.props, { waits: patience.step });
      const filled = filledInputOf(propsValue, fields);
      const input = await resolveInput(api, fields, filled, handWritten);
      const filters = await formOf(api, form.filters, input);
      return foundOutput(await find(api, declaration, { ...form, filters }, input));
    },
  });
}
