import { type FormField, referenceOf } from '@dealkeep/connectors';
import type { ReferenceName } from '@dealkeep/contract';
import type { PlainInputField } from 'zapier-platform-core';
import { type Dropdown, dropdownKey } from '../dropdowns/dropdown-key.ts';

/** The search that can fill a reference from an earlier step of the Zap: `find_company`. */
export type SearchFor = (reference: ReferenceName) => string | undefined;

/** A field of the contract as Zapier's editor shows it. */
export function inputField(field: FormField, searchFor: SearchFor = () => undefined): PlainInputField {
  // Zapier's D014: a search fills one value, so a field of several has none.
  const search = field.reference && !field.list ? searchFor(field.reference) : undefined;
  const dependsOn = field.dependsOn && isInside(field) ? field.dependsOn : undefined;
  const { key, label, children, group = field.section } = field;
  // Line items: Zapier takes nothing else beside the children, and hands no lines over where their group is
  // `required`. What each line needs is asked for by its fields; without a line the step stops, and names the group.
  if (children) {
    return { key, label, children: children.map((child) => inputField(child, searchFor)) };
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
    ...dynamicOf(field),
    ...(search ? { search: `${search}.id` } : {}),
    ...(dependsOn ? { dependsOn: [dependsOn] } : {}),
    ...(group ? { group: group.key } : {}),
  };
}

/** Ids are chosen by names; where names are the values, others can be typed beside. */
function dynamicOf(field: FormField): Pick<PlainInputField, 'dynamic'> {
  const { reference, nameOf } = field;
  if (reference) return { dynamic: `${dropdownKey(dropdownOf(reference, field))}.id.name` };
  return nameOf ? { dynamic: `${dropdownKey({ reference: nameOf, narrowedBy: undefined })}.name.name` } : {};
}

const dropdownOf = (reference: ReferenceName, { dependsOn }: FormField): Dropdown => ({
  reference,
  narrowedBy: dependsOn,
});

/**
 * A stage stands inside its pipeline, so the editor asks for the pipeline first and clears the stage with it. A
 * contact can be chosen without its company: there the company only narrows the list.
 */
const isInside = (field: FormField): boolean =>
  field.reference !== undefined && referenceOf(field.reference).items !== undefined;
