import type { ReferenceName } from '@dealkeep/contract';
import type { InputFieldGroup, PlainInputField } from 'zapier-platform-core';
import { type Dropdown, dropdownKey, referenceOf } from '../dropdowns/dropdown-key.ts';
import type { FormField } from './form-field.ts';
import { parentField } from './parent-field.ts';

/** The search that can fill a reference from an earlier step of the Zap: `find_company`. */
export type SearchFor = (reference: ReferenceName) => string | undefined;

/** A field of the contract as Zapier's editor shows it. */
export function inputField(field: FormField, searchFor: SearchFor = () => undefined): PlainInputField {
  // Zapier's D014: a search fills one value, so a field of several has none.
  const search = field.reference && !field.list ? searchFor(field.reference) : undefined;
  const dependsOn = field.dependsOn && isInside(field) ? field.dependsOn : undefined;
  const { key, label, required, children } = field;
  // Line items: Zapier takes nothing else beside the children.
  if (children) {
    return { key, label, required, children: children.map((child) => inputField(child, searchFor)) };
  }
  return {
    key: field.key,
    label: field.label,
    // Zapier has no date without a time; `bodyOf` takes the date of what the user chose.
    type: field.type === 'date' ? 'datetime' : field.type,
    // `required: false` would take the parent's say: the field would be open before the parent is chosen.
    ...(dependsOn && !field.required ? {} : { required: field.required }),
    ...(field.list ? { list: true } : {}),
    ...(field.help ? { helpText: field.help } : {}),
    ...(field.example && !field.choices ? { placeholder: field.example } : {}),
    ...(field.choices ? { choices: { ...field.choices } } : {}),
    ...(field.reference ? { dynamic: `${dropdownKey(dropdownOf(field.reference, field))}.id.name` } : {}),
    ...(search ? { search: `${search}.id` } : {}),
    ...(dependsOn ? { dependsOn: [dependsOn] } : {}),
    ...(field.group ? { group: field.group.key } : {}),
  };
}

const dropdownOf = (reference: ReferenceName, { dependsOn }: FormField): Dropdown => ({
  reference,
  narrowedBy: dependsOn,
});

/**
 * A stage stands inside its pipeline, so the editor asks for the pipeline first and clears the stage with it. A contact
 * can be chosen without its company: there the company only narrows the list.
 */
const isInside = (field: FormField): boolean =>
  field.reference !== undefined && referenceOf(field.reference).items !== undefined;

/** The fields of a form: what narrows a dropdown stands before it, also where the API has no such field. */
export function inputFields(fields: readonly FormField[], searchFor?: SearchFor): PlainInputField[] {
  return withParents(fields).map((field) => inputField(field, searchFor));
}

function withParents(fields: readonly FormField[]): FormField[] {
  const keys = new Set(fields.map((field) => field.key));
  return fields.flatMap((field) => {
    if (field.dependsOn === undefined || keys.has(field.dependsOn)) return [field];
    keys.add(field.dependsOn);
    const parent = parentField(field.dependsOn, field.label);
    return parent ? [parent, field] : [field];
  });
}

export function inputFieldGroups(fields: readonly FormField[]): InputFieldGroup[] {
  const groups = new Map(fields.flatMap(({ group }) => (group ? [[group.key, group] as const] : [])));
  return [...groups.values()].map(({ key, label }) => ({ key, label }));
}
