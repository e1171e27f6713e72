import { createHash } from 'node:crypto';
import {
  checkValue,
  type FieldProblem,
  limits,
  type OperationDeclaration,
  operations,
} from '@dealkeep/contract';
import type { Core } from '../core.ts';
import { authorize } from '../credentials/authorize.ts';
import type { Credential } from '../credentials/credential.ts';
import { type Answer, type Idempotency, StoredAnswer } from '../idempotency/stored-answer.ts';
import { Problem } from '../problem.ts';
import { aheadOf, runVerb, type VerbId, verbs } from '../verbs.ts';
import { allProblems, toldThroughout } from './all-problems.ts';
import { type ParsedRequest, parseRequest, type RawRequest } from './parse-request.ts';
import { showTo } from './show-to.ts';
import { change } from './transact.ts';
import { type Changing, type Reading, readingOf } from './verb.ts';

export interface ExecuteOptions {
  /** Turns a result or a problem into what is sent, so that it can be stored for a repeat. */
  encode(outcome: Outcome): Answer;
  /** Of a POST with an `Idempotency-Key`. */
  idempotency?: { key: string; method: string; path: string };
  /** Raises where the change is not to be made; first in its transaction. */
  precondition?(changing: Changing): Promise<void>;
}

export type Outcome = { result: unknown } | { problem: Problem };

/**
 * Runs an operation for a credential: authorization, a stored answer if there is one, the checks of the contract,
 * and the verb in one transaction with its events, deliveries and stored answer. Raises a `Problem`, or any other
 * error for a fault.
 */
export async function execute(
  core: Core,
  credential: Credential,
  id: VerbId,
  raw: RawRequest,
  { encode, idempotency, precondition }: ExecuteOptions,
): Promise<Answer> {
  const declaration = operations[id];
  authorize(credential, declaration);
  const organization = credential.organization.id;
  const now = core.clock.now().toISOString();
  const reading: Reading = { core, credential, organization, now, ...readingOf(core, organization) };
  const body = verbs[id].writes ? await raw.receive() : undefined;
  const parse = (): Promise<ParsedRequest> =>
    parseRequest(declaration, raw, body, (...refused) =>
      allProblems({ id, context: reading, path: raw.path }, ...refused),
    );
  if (!body) return encode({ result: await runVerb(id, reading, await parse()) });

  // What the verb was run with: what it refuses is looked at again when its transaction is undone.
  let ran: ParsedRequest | undefined;
  const retold = (error: unknown): Promise<unknown> => toldThroughout({ id, context: reading }, ran, error);
  const ahead = aheadOf(id, reading);
  const prepare = async (): Promise<ParsedRequest> => {
    ran = await parse();
    try {
      await ahead?.(ran);
    } catch (error) {
      throw await retold(error);
    }
    return ran;
  };
  const run = async (changing: Changing, parsed: ParsedRequest): Promise<Answer> => {
    await precondition?.(changing);
    const result = await runVerb(id, { ...changing, credential }, parsed);
    return encode({ result: showTo(credential, declaration, parsed.body, result) });
  };
  const asked = { organization: credential.organization, now, retold };
  if (!idempotency) {
    const parsed = await prepare();
    return change(core, asked, (changing) => run(changing, parsed));
  }
  const stored = new StoredAnswer(core, {
    owner: credential,
    idempotency: fingerprinted(idempotency, body.bytes),
    now,
  });
  // What is refused is stored as well, unless the key was answered before, which is looked up first.
  const prepared = await outcomeOf(prepare);
  const once = {
    stored,
    toAnswer: (answer: Answer) => answer,
    fromAnswer: (answer: Answer) => answer,
    refusal: (problem: Problem) => encode({ problem }),
  };
  return change(core, { ...asked, once }, async (changing) => run(changing, prepared()));
}

/**
 * What is wrong with a body of an operation, as far as it can be known without running it: empty when the verb alone
 * can say no. For a form that is refused anyway, so that all is told at once.
 */
export async function problemsIn(
  core: Core,
  credential: Credential,
  id: VerbId,
  { path, body }: Pick<RawRequest, 'path'> & { readonly body: unknown },
): Promise<readonly FieldProblem[]> {
  const declaration: OperationDeclaration = operations[id];
  authorize(credential, declaration);
  if (!declaration.body) return [];
  const { problems = [] } = checkValue(declaration.body, body);
  const now = core.clock.now().toISOString();
  const organization = credential.organization.id;
  const context = { core, credential, organization, now, ...readingOf(core, organization) };
  return allProblems({ id, context, path }, declaration.body, body, problems);
}

/** Runs work now; what it answered or raised comes when it is asked for. */
async function outcomeOf<Result>(work: () => Promise<Result>): Promise<() => Result> {
  try {
    const result = await work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Raises INVALID_PARAMETER for a key of a wrong length. The fingerprint is of method, path and the exact body. */
function fingerprinted(
  { key, method, path }: { key: string; method: string; path: string },
  body: Uint8Array,
): Idempotency {
  if (key.length < 1 || key.length > limits.idempotencyKeyLength) {
    throw new Problem('idempotency.key', {}, { detail: { parameter: 'Idempotency-Key' } });
  }
  return { key, fingerprint: createHash('sha256').update(`${method} ${path}\n`).update(body).digest() };
}
