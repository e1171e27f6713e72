import { valueAt } from '../records/api-record.ts';
import { place } from './body-of.ts';
import { chosen } from './chosen.ts';
import type { FormField } from './form-field.ts';

export const clearField = 'fields_to_clear';

/**
 * An empty box means "leave as it is", so emptying a field is a choice of its own: these can be chosen. A list is
 * emptied by an empty one, unless it only says what comes or goes.
 */
export const clearable = (fields: readonly FormField[]): FormField[] =>
  fields.filter(
    ({ nullable, list, required, children, notBeside, keysOf, group }) =>
      (nullable || (list && !required && !children && !notBeside)) && !keysOf && group === undefined,
  );

/** The cleared fields as the API takes them; a field that is filled in as well keeps its value. */
export function clearedBody(
  fields: readonly FormField[],
  body: Record<string, unknown>,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const cleared = new Set(chosen(input[clearField]));
  const whole = { ...body };
  for (const { path, list } of clearable(fields).filter((field) => cleared.has(field.key))) {
    if (valueAt(body, path) === undefined) place(whole, path, list ? [] : null);
  }
  return whole;
}
