import type { OperationDeclaration } from '@dealkeep/contract';
import { referenceNamed } from '../dropdowns/dropdown-key.ts';
import { labelOfResource } from '../registry.ts';
import type { FormField } from './form-field.ts';

/** The record that an operation is about: its path's id, chosen from a dropdown. */
export function recordField(operation: OperationDeclaration): FormField {
  const key = operation.path.match(/\{(\w+)\}/)?.[1] ?? 'id';
  const reference = referenceNamed(operation.resource);
  if (reference === undefined) {
    throw new Error(`No dropdown lists the records of "${operation.resource}", which ${operation.id} needs.`);
  }
  return {
    key,
    path: [key],
    label: labelOfResource(operation.resource),
    help: undefined,
    example: undefined,
    type: 'string',
    list: false,
    required: true,
    nullable: false,
    choices: undefined,
    reference,
    dependsOn: undefined,
    group: undefined,
  };
}
