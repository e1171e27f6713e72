import { type FormField, putAway, type SearchForm, searchFields } from '@dealkeep/connectors';
import type { FormFields } from '../forms/form-part.ts';
import type { SearchFor } from '../forms/input-field.ts';
import { inputFields } from '../forms/input-fields.ts';
import { searchFieldKey } from './search-key.ts';

/** The form of a search with keys of its own: in a Find or Create it shares its input with an action. */
export const ownForm = ({ id, exactly, naming, filters }: SearchForm): SearchForm => ({
  id: ownKey(id),
  exactly: ownKey(exactly),
  naming,
  filters: filters.map(ownKey),
});

/** A field under a key that no action has. */
export const ownKey = (field: FormField): FormField => ({
  ...field,
  key: searchFieldKey(field.key),
  dependsOn: field.dependsOn && searchFieldKey(field.dependsOn),
});

/** The form as Zapier's editor shows it. A search cannot be a step before itself. */
export function searchInputFields(form: SearchForm, searchFor: SearchFor): FormFields {
  return inputFields(searchFields(form), (reference) =>
    reference === form.id.reference ? undefined : searchFor(reference),
  ).map((field) =>
    'key' in field && field.key === searchFieldKey(putAway) ? { ...field, default: 'false' } : field,
  );
}
