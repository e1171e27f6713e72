import { checkValue, type FieldProblem } from '@dealkeep/contract';
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

/**
 * Everything that is wrong with an input, as far as it can be known without carrying it out: what the contract says, and
 * what is found in the rest.
 */
export const problemsThroughout = async <Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  find: FindFurther<z.output<Schema>>,
): Promise<FieldProblem[]> => withFurther(schema, input, checkValue(schema, input).problems ?? [], find);

/** Checks it; of what the contract refuses, whatever else is wrong with it is told as well. */
export async function checkInputThroughout<Schema extends z.ZodType>(
  schema: Schema,
  input: z.input<Schema>,
  find: FindFurther<z.output<Schema>>,
): Promise<z.output<Schema>> {
  const checked = checkValue(schema, input);
  if (checked.problems) throw invalidFields(await withFurther(schema, input, checked.problems, find));
  return checked.data;
}
