import { referenceNamed } from '../dropdowns/dropdown-key.ts';
import { labelOfResource } from '../registry.ts';
import type { FormField } from './form-field.ts';

/**
 * The field that narrows a dropdown where the form has none of its own: the pipeline when a lead is moved.
 * It serves the editor alone and is not sent.
 */
export function parentField(key: string, childLabel: string, parent = key): FormField | undefined {
  const reference = referenceNamed(parent);
  if (reference === undefined) return undefined;
  return {
    key,
    path: [key],
    label: labelOfResource(reference),
    help: `Narrows down the choices of the field ${childLabel}.`,
    example: undefined,
    type: 'string',
    list: false,
    required: false,
    nullable: false,
    choices: undefined,
    reference,
    dependsOn: undefined,
    group: undefined,
  };
}
