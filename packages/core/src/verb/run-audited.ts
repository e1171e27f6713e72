import type { RequestOrigin } from '../audit/request-origin.ts';
import type { Actor } from '../credentials/credential.ts';
import { runVerb, type VerbId } from '../verbs.ts';
import { deedsOf } from './audited-deeds.ts';
import type { ParsedRequest } from './parse-request.ts';
import type { Writing } from './verb.ts';

/** Runs a verb that changes something, and tells the audit log what it did, unless nothing changed (rule audit 1). */
export function runAudited(
  writing: Writing<Actor>,
  id: VerbId,
  parsed: ParsedRequest,
  { learned, from }: { readonly learned?: unknown; readonly from?: RequestOrigin | undefined },
): Promise<unknown> {
  const { actor } = writing;
  return writing.audited(
    (changing) => runVerb(id, { ...changing, actor }, parsed, learned),
    (done) => deedsOf({ id, parsed, actor, from }, done),
  );
}
