import type { FieldProblem } from '@dealkeep/contract';
import type * as z from 'zod';
import { invalidFields } from '../problem.ts';
import { checkInputThroughout } from '../verb/check-input.ts';

interface Pictured {
  images?: readonly { is_primary: boolean }[] | undefined;
}

/** Checks what was edited by the contract's schema, and that one image at most is the primary one. Raises VALIDATION_ERROR. */
export async function checkEdit<Schema extends z.ZodType<Pictured>>(
  schema: Schema,
  input: z.input<Schema>,
): Promise<z.output<Schema>> {
  const edited = await checkInputThroughout<z.ZodType<Pictured>>(schema, input, async ({ part }) =>
    furtherPrimaries(part.images ?? []),
  );
  const problems = furtherPrimaries(edited.images ?? []);
  if (problems.length > 0) throw invalidFields(problems);
  return edited as z.output<Schema>;
}

const furtherPrimaries = (
  images: readonly ({ readonly is_primary?: boolean } | undefined)[],
): FieldProblem[] =>
  [...images.entries()]
    .filter(([, image]) => image?.is_primary)
    .slice(1)
    .map(([index]) => ({ path: `images[${index}].is_primary`, key: 'field.one_primary' }));
