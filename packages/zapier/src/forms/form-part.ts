import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { guarded } from '../guarded.ts';

/**
 * A part of a form that is made when the editor asks for it, because it depends on what was chosen or on who asks.
 */
export interface FormPart {
  (z: ZObject, bundle: Bundle): Promise<PlainInputField[]>;
  /**
   * Every field that it can answer, as far as that is known before: a definition shows of a function only that it is
   * one.
   */
  readonly canAnswer: readonly PlainInputField[];
}

export type FormFields = (PlainInputField | FormPart)[];

export const formPart = (
  perform: (z: ZObject, bundle: Bundle) => PlainInputField[] | Promise<PlainInputField[]>,
  canAnswer: readonly PlainInputField[],
): FormPart => Object.assign(guarded(perform), { canAnswer });

/** The fields of a form with all that its parts can answer. */
export const everyField = (fields: readonly unknown[]): unknown[] =>
  fields.flatMap((field): readonly unknown[] => (isFormPart(field) ? field.canAnswer : [field]));

export const isFormPart = (field: unknown): field is FormPart =>
  typeof field === 'function' && 'canAnswer' in field && Array.isArray(field.canAnswer);
