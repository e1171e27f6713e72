import {
  type EveryOperationId,
  errorStatus,
  everyOperation,
  type OperationDeclaration,
} from '@dealkeep/contract';
import type { ParsedRequest } from '../change/verb/parse-request.ts';
import type { Reading } from '../change/verb/verb.ts';
import { Problem } from '../foundations/problem.ts';
import type { Actor } from '../identity/credentials/credential.ts';
import { isVerbId, runVerb, type VerbId } from './verbs.ts';

/**
 * Whether a body was refused, be it for an event that the credential may not read: the record comes before it. The
 * query comes before the record (rule keys 10).
 */
const isOfBody = ({ code }: Problem): boolean =>
  code === 'BAD_REQUEST' || errorStatus[code] === 403 || errorStatus[code] === 422;

/**
 * What is told instead of what an operation raised: that there is no such record, where the request was refused for
 * its body and its path names a record that does not exist. A request that is carried out is not looked at: its verb
 * says so.
 */
export async function unlessMissing(
  error: unknown,
  id: EveryOperationId,
  context: Reading<Actor>,
  path: ParsedRequest['path'],
): Promise<unknown> {
  if (!(error instanceof Problem) || !isOfBody(error)) return error;
  return (await missingRecord(id, context, path)) ?? error;
}

/**
 * Why there is no such record as the path names: NOT_FOUND; undefined where there is one, or the path names none.
 */
export async function missingRecord(
  id: EveryOperationId,
  context: Reading<Actor>,
  path: ParsedRequest['path'],
): Promise<Problem | undefined> {
  const reads = readsOf.get(everyOperation[id].path);
  if (!reads) return undefined;
  try {
    await runVerb(reads, context, { path, query: {}, body: {} });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'NOT_FOUND') return error;
  }
  return undefined;
}

const declarations = Object.values<OperationDeclaration>(everyOperation);

/** By the path of an operation, the one that reads the last record which the path names. */
const readsOf: ReadonlyMap<string, VerbId> = new Map(
  declarations.flatMap(({ path }): [string, VerbId][] => {
    const named = path.slice(0, path.lastIndexOf('}') + 1);
    const get = declarations.find((each) => each.kind === 'get' && each.path === named);
    return named !== '' && get && isVerbId(get.id) ? [[path, get.id]] : [];
  }),
);
