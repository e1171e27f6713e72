import type { PlainInputField } from 'zapier-platform-core';
import { chosen } from '../forms/chosen.ts';
import type { FormField } from '../forms/form-field.ts';

export const clearField = 'fields_to_clear';

/** An empty box means "leave as it is", so emptying a field is a choice of its own. */
export function fieldsToClear(fields: readonly FormField[]): PlainInputField[] {
  const clearable = fields.filter((field) => field.nullable && field.group === undefined);
  if (clearable.length === 0) return [];
  return [
    {
      key: clearField,
      label: 'Fields to Clear',
      type: 'string',
      list: true,
      required: false,
      choices: Object.fromEntries(clearable.map(({ key, label }) => [key, label])),
      helpText: 'These are emptied. A box that is left blank does not change its field.',
    },
  ];
}

/** The cleared fields as the API takes them; a field that is filled in as well keeps its value. */
export function clearedBody(
  fields: readonly FormField[],
  body: Record<string, unknown>,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const cleared = new Set(chosen(input[clearField]));
  const emptied = fields.filter(({ key, nullable }) => nullable && cleared.has(key));
  return { ...Object.fromEntries(emptied.map(({ key }) => [key, null])), ...body };
}
