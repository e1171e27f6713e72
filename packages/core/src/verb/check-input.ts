import { checkValue } from '@dealkeep/contract';
import type * as z from 'zod';
import { invalidFields } from '../problem.ts';

/** Checks by the contract what a change without an API operation was given. Raises VALIDATION_ERROR. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: z.input<Schema>,
): z.output<Schema> {
  const checked = checkValue(schema, input);
  if (checked.problems) throw invalidFields(checked.problems);
  return checked.data;
}
