import { Property } from '@activepieces/pieces-framework';
import {
  type Api,
  customFieldsOf,
  type FormField,
  formOfRun,
  namesCustomFields,
  withCustomFields,
} from '@dealkeep/connectors';
import { dealkeepAuth } from '../auth.ts';
import { apiOf } from '../requests/api.ts';
import { plainProperty } from './plain-property.ts';

/** The form of a run, whose custom fields are asked for where it fills in one. */
export const formOf = async (
  api: Api,
  fields: readonly FormField[],
  input: Readonly<Record<string, unknown>>,
): Promise<readonly FormField[]> =>
  namesCustomFields(fields, input) ? formOfRun(fields, await customFieldsOf(api), input) : fields;

/** The organization's own fields, each with its label and by its kind, as they are when the step is opened. */
export const customFieldProperties = (dictionary: FormField) =>
  Property.DynamicProperties({
    auth: dealkeepAuth,
    displayName: dictionary.label,
    required: false,
    refreshers: [],
    props: async ({ auth }) => {
      if (!auth) return {};
      const fields = withCustomFields([dictionary], await customFieldsOf(apiOf(auth.props)));
      return Object.fromEntries(fields.map((field) => [field.key, plainProperty(field)]));
    },
  });
