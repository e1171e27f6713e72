import { type FormField, inOrder } from '@dealkeep/connectors';
import type { InputFieldGroup } from 'zapier-platform-core';
import type { FormFields } from './form-part.ts';
import { inputField, type SearchFor } from './input-field.ts';
import { wayFields } from './way-fields.ts';

/**
 * The fields of a form: what narrows a dropdown stands right before it, also where the API has no such field, and a
 * record that is chosen or described is one choice. Custom fields are known only when somebody asks for them.
 */
export function inputFields(
  fields: readonly FormField[],
  searchFor: SearchFor = () => undefined,
): FormFields {
  const shown = inOrder(fields.filter(({ keysOf }) => keysOf === undefined));
  const begun = new Set<string>();
  return shown.flatMap((field): FormFields => {
    if (!field.way) return [inputField(field, searchFor)];
    if (begun.has(field.way.of)) return [];
    begun.add(field.way.of);
    return wayFields(field.way, shown, searchFor);
  });
}

/** The sections of a form, in the order in which they begin. */
export function inputFieldGroups(fields: readonly FormField[]): InputFieldGroup[] {
  const groups = fields.flatMap(({ group, section }) => {
    const shown = group ?? section;
    return shown ? [[shown.key, { key: shown.key, label: shown.label }] as const] : [];
  });
  return [...new Map(groups).values()];
}
