import { type ApiRecord, customFieldsOf, type FormField, withCustomFields } from '@dealkeep/connectors';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { apiFor } from '../requests/call-api.ts';
import { fieldsToClear } from './fields-to-clear.ts';
import { type FormPart, formPart } from './form-part.ts';
import { inputField } from './input-field.ts';

/**
 * The custom fields of the organization behind a connection as fields of a form, and what of the whole form can be
 * cleared: asked for whenever the editor opens the step, so that one which was added or renamed meanwhile is there.
 */
export function customFieldInputs(
  variant: AuthenticationVariant,
  form: readonly FormField[],
  clears: boolean,
): FormPart {
  const dictionaries = form.filter(({ keysOf }) => keysOf);
  const shown = (known: readonly ApiRecord[]) => [
    ...withCustomFields(dictionaries, known).map((field) => inputField(field)),
    ...(clears ? fieldsToClear(withCustomFields(form, known)) : []),
  ];
  return formPart(
    async (z, bundle) => shown(await customFieldsOf(apiFor(variant, z, bundle))),
    [...dictionaries.map(({ key, label }) => ({ key, label, dict: true })), ...shown([])],
  );
}
