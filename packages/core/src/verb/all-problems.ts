import { type FieldProblem, type OperationDeclaration, operations } from '@dealkeep/contract';
import type * as z from 'zod';
import { invalidFields, Problem } from '../problem.ts';
import { furtherOf, type VerbId } from '../verbs.ts';
import { withFurther } from './further-problems.ts';
import { missingReferences } from './missing-references.ts';
import type { ParsedRequest } from './parse-request.ts';
import type { Reading } from './verb.ts';

/** What was asked, by whom. */
export interface Asked {
  readonly id: VerbId;
  readonly context: Reading;
  readonly path: ParsedRequest['path'];
}

/** What a body was refused for, what it refers to that there is not, and what its verb finds in the rest of it. */
export async function allProblems(
  { id, context, path }: Asked,
  schema: z.ZodObject,
  value: unknown,
  refused: readonly FieldProblem[],
): Promise<FieldProblem[]> {
  const missing = await missingReferences(context, schema, value, refused);
  const find = furtherOf(id, context, path);
  const known = [...refused, ...missing];
  return find ? withFurther(schema, value, known, find) : known;
}

/**
 * A verb stops at the first check that fails, some of which come after others. Where that was about fields, all that is
 * wrong besides is found, so that it is not told in one round after the other. What is alone keeps its own code.
 */
export async function toldThroughout(
  asked: Omit<Asked, 'path'>,
  parsed: ParsedRequest | undefined,
  error: unknown,
): Promise<unknown> {
  const { body: schema }: OperationDeclaration = operations[asked.id];
  if (!(error instanceof Problem) || !parsed || !schema) return error;
  const told = error.ofFields;
  if (told.length === 0) return error;
  const all = await allProblems({ ...asked, path: parsed.path }, schema, parsed.body, told);
  return all.length > told.length ? invalidFields(all) : error;
}
