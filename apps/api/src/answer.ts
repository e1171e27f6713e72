import { errorStatus, type Language, type OperationDeclaration } from '@dealkeep/contract';
import type { Answer, Outcome, Problem } from '@dealkeep/core';

/** What a success or a problem looks like on the wire. */
export function encodeOutcome(
  declaration: OperationDeclaration,
  outcome: Outcome,
  language: () => Language,
): Answer {
  if ('problem' in outcome) return encodeProblem(outcome.problem, language());
  const { result } = outcome;
  const noStore = declaration.noStore === true;
  const [usual, existing = usual] = declaration.statuses;
  if (declaration.shape === 'nothing') return { status: usual, body: '', noStore };
  const value = declaration.shape === 'record' ? { data: result } : result;
  const status = isExisting(declaration, result) ? existing : usual;
  return { status, body: JSON.stringify(value), noStore };
}

function isExisting({ existingFlag }: OperationDeclaration, result: unknown): boolean {
  return existingFlag !== undefined && Reflect.get(Object(result), existingFlag) === true;
}

export const encodeProblem = (problem: Problem, language: Language): Answer => ({
  status: errorStatus[problem.code],
  body: JSON.stringify(problem.body(language)),
  noStore: false,
});
