import type { OperationDeclaration } from '@dealkeep/contract';
import { referenceNamed } from '../references.ts';
import { labelOfResource } from '../registry.ts';
import { type FormField, textField } from './form-field.ts';

/** The record that an operation is about: its path's id, chosen from a dropdown. */
export function recordField(operation: OperationDeclaration): FormField {
  const key = operation.path.match(/\{(\w+)\}/)?.[1] ?? 'id';
  const reference = referenceNamed(operation.resource);
  if (reference === undefined) {
    throw new Error(`No dropdown lists the records of "${operation.resource}", which ${operation.id} needs.`);
  }
  return { ...textField(key, [key], labelOfResource(operation.resource)), required: true, reference };
}

/**
 * The field that narrows a dropdown where the form has none of its own: the pipeline when a lead is moved.
 * It serves the editor alone and is not sent.
 */
export function parentField(key: string, childLabel: string, parent = key): FormField | undefined {
  const reference = referenceNamed(parent);
  if (reference === undefined) return undefined;
  return {
    ...textField(key, [key], labelOfResource(reference)),
    help: `Narrows down the choices of the field ${childLabel}.`,
    reference,
  };
}
