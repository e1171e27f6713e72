import type { FieldProblem } from '@dealkeep/contract';
import type * as z from 'zod';
import { invalidFields } from '../problem.ts';
import { checkInput } from '../verb/check-input.ts';

interface Pictured {
  images?: readonly { is_primary: boolean }[] | undefined;
}

/** Checks what was edited by the contract's schema, and that one image at most is the primary one. Raises VALIDATION_ERROR. */
export function checkEdit<Schema extends z.ZodType<Pictured>>(
  schema: Schema,
  input: z.input<Schema>,
): z.output<Schema> {
  const edited = checkInput(schema, input);
  const problems = furtherPrimaries(edited.images ?? []);
  if (problems.length > 0) throw invalidFields(problems);
  return edited;
}

const furtherPrimaries = (images: readonly { is_primary: boolean }[]): FieldProblem[] =>
  [...images.entries()]
    .filter(([, { is_primary }]) => is_primary)
    .slice(1)
    .map(([index]) => ({ path: `images[${index}].is_primary`, key: 'field.one_primary' }));
