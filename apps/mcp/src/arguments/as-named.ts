import type { FieldProblem, OperationDeclaration } from '@dealkeep/contract';
import { invalidFields, invalidParameter, Problem } from '@dealkeep/core/foundations';
import { type Argument, argumentsOf } from './argument.ts';

/**
 * An error of an operation as whoever called its tool understands it: fields have the names of the tool's arguments.
 */
export const asNamed = (declaration: OperationDeclaration, error: unknown): unknown =>
  renamed(error, (path) => pathIn(argumentsOf(declaration), path));

/** The same error, which calls fields by other names. */
export function renamed(error: unknown, nameOf: (path: string) => string): unknown {
  if (!(error instanceof Problem)) return error;
  const { key, fields, reason } = error;
  const named = (problem: FieldProblem): FieldProblem => ({ ...problem, path: nameOf(problem.path) });
  if (key === 'fields.invalid' && fields) return invalidFields(fields.map(named));
  return key === 'parameter.invalid' && reason ? invalidParameter(named(reason)) : error;
}

/** `items.0.product_uuid` → `items.0.product` */
function pathIn(offered: readonly Argument[], path: string): string {
  let level = offered;
  return path.replaceAll(/\w+/g, (part) => {
    const argument = level.find(({ field }) => field === part);
    if (argument) level = argument.inner;
    return argument?.name ?? part;
  });
}
