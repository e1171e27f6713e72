import { fieldProblems } from '@dealkeep/contract';
import type * as z from 'zod';
import { invalidFields } from '../problem.ts';

/** Checks by the contract what a change without an API operation was given. Raises VALIDATION_ERROR. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: z.input<Schema>,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidFields(fieldProblems(parsed.error, input));
  return parsed.data;
}
