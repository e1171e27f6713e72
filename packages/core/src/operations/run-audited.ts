import { entriesOfWork } from '../change/verb/audit-entries.ts';
import type { ParsedRequest } from '../change/verb/parse-request.ts';
import type { Writing } from '../change/verb/verb.ts';
import type { Actor } from '../identity/credentials/credential.ts';
import type { RequestOrigin } from '../identity/credentials/request-origin.ts';
import { runVerb, type VerbId } from './verbs.ts';

/**
 * Runs a verb that changes something, and tells the audit log what it did, unless nothing changed (rule audit 1).
 */
export function runAudited(
  writing: Writing<Actor>,
  id: VerbId,
  parsed: ParsedRequest,
  { learned, from }: { readonly learned?: unknown; readonly from?: RequestOrigin | undefined },
): Promise<unknown> {
  const { actor } = writing;
  return writing.audited(
    (changing) => runVerb(id, { ...changing, actor }, parsed, learned),
    (done) => entriesOfWork({ id, parsed, actor, from }, done),
  );
}
