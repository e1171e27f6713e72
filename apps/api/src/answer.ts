import { errorStatus, isExisting, type Language, type OperationDeclaration } from '@dealkeep/contract';
import { type Answer, type Outcome, StoredJson } from '@dealkeep/core/change';
import type { Problem } from '@dealkeep/core/foundations';
import { tagOf } from '@dealkeep/core/operations';

/** Whom an error is told to, and where. */
export interface Told {
  readonly language: Language;
  readonly requestId: string;
  /** The public address of this installation. */
  readonly origin: string;
}

/** What a success or a problem looks like on the wire. */
export function encodeOutcome(declaration: OperationDeclaration, outcome: Outcome, told: () => Told): Answer {
  if ('problem' in outcome) return encodeProblem(outcome.problem, told());
  const { result, isWhole } = outcome;
  const noStore =
    declaration.noStore === 'with a secret' ? holdsSecret(result) : declaration.noStore === true;
  const [usual, existing = usual] = declaration.statuses;
  if (declaration.shape === 'nothing') return { status: usual, body: '', noStore };
  const json = result instanceof StoredJson ? result.text : JSON.stringify(result);
  const body = declaration.shape === 'record' ? `{"data":${json}}` : json;
  if (isExisting(declaration, result)) return { status: existing, body, noStore };
  // Not of what only this answer shows, such as a secret, or what an upsert or an erasure did.
  const { shape, existingAs, report } = declaration;
  const isTagged = shape === 'record' && isWhole && !noStore && !existingAs && !report;
  return { status: usual, body, noStore, ...(isTagged ? { tag: tagOf(body) } : {}) };
}

const holdsSecret = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'secret' in result;

/** The body of an error (rule errors 1). */
export function encodeProblem(problem: Problem, { language, requestId, origin }: Told): Answer {
  const { error } = problem.body(language);
  const where = { request_id: requestId, doc_url: `${origin}/docs#${problem.code}` };
  return {
    status: errorStatus[problem.code],
    body: JSON.stringify({ error: { ...error, ...where } }),
    noStore: false,
    language,
  };
}
