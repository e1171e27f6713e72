import { type DropdownState, Property, type PropertyContext } from '@activepieces/pieces-framework';
import { type Choice, chosen, type FormField, labelOfResource } from '@dealkeep/connectors';
import type { ReferenceName } from '@dealkeep/contract';
import { dealkeepAuth } from '../auth.ts';
import { apiOf } from '../requests/api.ts';
import type { Connected } from '../requests/connection.ts';
import { choicesOf, isSearched } from './choices.ts';
import { describedBy } from './plain-property.ts';

type Given = Readonly<Record<string, unknown>> & { readonly auth?: Connected | undefined };

/** A dropdown of the records that a field names by their ids; of several where the field holds several. */
export const recordDropdown = (field: FormField, reference: ReferenceName) =>
  dropdown(field, reference, ({ id, name }) => ({ label: name, value: id }));

/** A dropdown of the tags, whose names are the values. */
export const tagDropdown = (field: FormField, reference: ReferenceName) =>
  dropdown(field, reference, ({ name }) => ({ label: name, value: name }));

type Option = DropdownState<string>['options'][number];

function dropdown(field: FormField, reference: ReferenceName, optionOf: (choice: Choice) => Option) {
  const { dependsOn } = field;
  const request = {
    auth: dealkeepAuth,
    ...describedBy(field),
    refreshers: dependsOn === undefined ? [] : [dependsOn],
    refreshOnSearch: isSearched(reference),
    options: async (given: Given, { searchValue }: PropertyContext): Promise<DropdownState<string>> => {
      const { auth } = given;
      if (!auth) return empty('Connect your account first.');
      const parent = dependsOn === undefined ? undefined : theOne(given[dependsOn]);
      try {
        const choices = await choicesOf(apiOf(auth.props), reference, {
          ...(parent === undefined ? {} : { parent }),
          ...(searchValue ? { search: searchValue } : {}),
        });
        if (choices.length > 0) return { options: choices.map(optionOf) };
        return { options: [], placeholder: `Nothing to choose from: ${labelOfResource(reference)}.` };
      } catch (error) {
        // The editor says nothing of an error that is thrown here.
        return empty(error instanceof Error ? error.message : String(error));
      }
    },
  };
  return field.list ? Property.MultiSelectDropdown(request) : Property.Dropdown(request);
}

/** Several records together narrow nothing. */
function theOne(value: unknown): string | undefined {
  const [one, ...others] = chosen(value);
  return others.length === 0 ? one : undefined;
}

const empty = (placeholder: string): DropdownState<string> => ({
  disabled: true,
  options: [],
  placeholder,
});
