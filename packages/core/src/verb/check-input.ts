import { checkValue } from '@dealkeep/contract';
import type * as z from 'zod';
import { invalidFields } from '../problem.ts';
import { type FindFurther, withFurther } from './further-problems.ts';

/** Checks by the contract what a change without an API operation was given. Raises VALIDATION_ERROR. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: z.input<Schema>,
): z.output<Schema> {
  const checked = checkValue(schema, input);
  if (checked.problems) throw invalidFields(checked.problems);
  return checked.data;
}

/** The same; of what is refused, whatever else is wrong with it is told as well. */
export async function checkInputThroughout<Schema extends z.ZodType>(
  schema: Schema,
  input: z.input<Schema>,
  find: FindFurther<z.output<Schema>>,
): Promise<z.output<Schema>> {
  const checked = checkValue(schema, input);
  if (checked.problems) throw invalidFields(await withFurther(schema, input, checked.problems, find));
  return checked.data;
}
