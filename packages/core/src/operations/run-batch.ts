import { everyOperation, limits, type OperationDeclaration } from '@dealkeep/contract';
import type { Encode, Outcome } from '../change/verb/outcome.ts';
import { type ParsedRequest, parseItem } from '../change/verb/parse-request.ts';
import { showTo } from '../change/verb/show-to.ts';
import { withSeenReferences } from '../change/verb/shown-references.ts';
import { StoredJson, type Writing } from '../change/verb/verb.ts';
import { lockAll, lockNumber } from '../foundations/database/in-transaction.ts';
import { Problem } from '../foundations/problem.ts';
import type { Actor } from '../identity/credentials/credential.ts';
import type { RequestOrigin } from '../identity/credentials/request-origin.ts';
import { allProblems, toldThroughout } from './all-problems.ts';
import { missingRecord, unlessMissing } from './missing-record.ts';
import { runAudited } from './run-audited.ts';
import { isVerbId, type VerbId } from './verbs.ts';

/** Many requests of one operation, sent as one. */
export interface Batch {
  /** The operation on one record. */
  readonly id: VerbId;
  /** Not checked yet. */
  readonly items: readonly unknown[];
}

/** What the body of a batch says, which its contract has checked. */
export function batchOf({ id, batches = {} }: OperationDeclaration, body: unknown): Batch {
  const { operation, items }: { operation?: unknown; items?: unknown } = Object(body);
  const single = batches[String(operation)];
  if (single === undefined || !isVerbId(single) || !Array.isArray(items)) {
    throw new Error(`Unreachable: the contract has taken a body that ${id} does not know`);
  }
  return { id: single, items };
}

/** As how many requests a batch counts. */
export const requestsOf = ({ items }: Batch): number => Math.ceil(items.length / limits.itemsPerRequest);

/**
 * Runs the items of a batch one after another, each as a part of one change: one that is refused undoes only itself.
 * Answers what each was answered, in their order.
 *
 * Batches of an organization come one after another, because they change many records in an order that their senders
 * chose: two at once would wait for each other.
 */
export async function runBatch(
  context: Writing<Actor>,
  { id, items }: Batch,
  { encode, from }: { readonly encode: Encode; readonly from?: RequestOrigin | undefined },
): Promise<StoredJson> {
  await lockAll(context.sql, [lockNumber('batch', context.organization)]);
  const declaration: OperationDeclaration = everyOperation[id];
  const answered: string[] = [];
  for (const [index, item] of items.entries()) {
    const outcome = await runItem(context, id, item, from);
    const { status, body } = encode(outcome, declaration);
    answered.push(`{"index":${index},"status":${status},${body.slice(1)}`);
  }
  return new StoredJson(`{"data":[${answered.join()}]}`);
}

/** As its operation alone would end; what it did is undone where it is refused. */
async function runItem(
  context: Writing<Actor>,
  id: VerbId,
  item: unknown,
  from: RequestOrigin | undefined,
): Promise<Outcome> {
  const { actor } = context;
  const declaration: OperationDeclaration = everyOperation[id];
  let parsed: ParsedRequest;
  try {
    parsed = await parseItem(declaration, item, async (path, ...refused) => {
      const missing = await missingRecord(id, context, path);
      if (missing) throw missing;
      return allProblems({ id, context, path }, ...refused);
    });
  } catch (error) {
    if (error instanceof Problem) return { problem: error };
    throw error;
  }
  const done = await context.part(async (changing) => {
    const result = await runAudited({ ...changing, actor }, id, parsed, { from });
    const shown = showTo(actor, declaration, parsed.body, result);
    return withSeenReferences({ ...changing, actor }, declaration, shown);
  });
  // Not whole: an item has no tag of its own.
  if ('result' in done) return { result: done.result, isWhole: false };
  const throughout = await toldThroughout({ id, context }, parsed, done.problem);
  const told = await unlessMissing(throughout, id, context, parsed.path);
  return { problem: told instanceof Problem ? told : done.problem };
}
