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
import type { Statements, Transaction } from '../database/connect.ts';
import { type Answer, answerOnce, type Idempotency } from '../idempotency/answer-once.ts';
import type { PageAnswer } from '../lists/remembered-pages.ts';
import { Problem } from '../problem.ts';
import { aheadOf, runQuickly, runVerb, type VerbId, verbs, versionOf } from '../verbs.ts';
import { allProblems, toldThroughout } from './all-problems.ts';
import { type ParsedRequest, parseRequest, type RawBody, type RawRequest } from './parse-request.ts';
import { showTo } from './show-to.ts';
import { type Wake, waking, withEvents } from './transact.ts';

export interface ExecuteOptions {
  /** Turns a result or a problem into what is sent, so that it can be stored for a repeat. */
  encode(outcome: Outcome): Answer;
  /** Of a POST with an `Idempotency-Key`. */
  idempotency?: { key: string; method: string; path: string };
  /** Raises where the change is not to be made; first in its transaction. */
  precondition?(sql: Transaction): Promise<void>;
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
): Promise<Answer | PageAnswer> {
  const declaration = operations[id];
  authorize(credential, declaration);
  const organization = credential.organization.id;
  const now = core.clock.now().toISOString();
  const reading = { core, credential, organization, now };

  const parse = (sql: Statements, body?: RawBody): Promise<ParsedRequest> =>
    parseRequest(declaration, raw, body, (...refused) =>
      allProblems({ id, context: { ...reading, sql }, path: raw.path }, ...refused),
    );
  const body = verbs[id].writes ? await raw.receive() : undefined;

  if (!body) {
    const parsed = await parse(core.sql);
    const context = { ...reading, sql: core.sql };
    const read = async (): Promise<Answer> => encode({ result: await runVerb(id, context, parsed) });
    const version = versionOf(id, context, parsed);
    if (!version) return read();
    return core.pages.answer(JSON.stringify([organization, id, parsed.query]), version, read);
  }

  const shown = ({ body }: ParsedRequest, result: unknown): unknown =>
    showTo(credential, declaration, body, result);
  const once = idempotency ? fingerprinted(idempotency, body.bytes) : undefined;
  const ahead = aheadOf(id, reading);
  const throughout = (error: unknown, parsed: ParsedRequest | undefined, sql: Statements): Promise<unknown> =>
    toldThroughout({ id, context: { ...reading, sql } }, parsed, error);
  const parseAhead = async (): Promise<ParsedRequest> => {
    const parsed = await parse(core.sql, body);
    try {
      await ahead?.(parsed);
    } catch (error) {
      throw await throughout(error, parsed, core.sql);
    }
    return parsed;
  };
  // Without a key nothing is stored, so a bad request is refused before a connection is taken.
  const early = once ? undefined : await parseAhead();
  if (early && !precondition) {
    const result = await runQuickly(id, { ...reading, sql: core.sql }, early);
    if (result !== undefined) return encode({ result: shown(early, result) });
  }
  // With one, what is refused is stored as well, unless it was answered before.
  const asked = once && ahead ? await outcomeOf(parseAhead) : undefined;
  // What the verb was run with: what it refuses is looked at again when its transaction is undone.
  let ran: ParsedRequest | undefined;
  const work = async (tx: Transaction, wake: Wake): Promise<Answer> => {
    const run = async (sql: Transaction, parsed: ParsedRequest): Promise<Answer> => {
      await precondition?.(sql);
      ran = parsed;
      return withEvents(
        { core, organization: credential.organization, now, tx: sql, wake },
        async (changing) =>
          encode({ result: shown(parsed, await runVerb(id, { ...changing, credential }, parsed)) }),
      );
    };
    if (early) return run(tx, early);
    if (!once) throw new Error('Unreachable: a request without a key was parsed early');
    return answerOnce(
      {
        ...{ core, tx, credential, now, idempotency: once, encode },
        retold: (error) => throughout(error, ran, tx),
      },
      async (sql) => run(sql, await (asked ? asked() : parse(sql, body))),
    );
  };
  try {
    return await waking(core, core.sql, work);
  } catch (error) {
    // With a key that was done before the answer was stored.
    throw once ? error : await throughout(error, ran, core.sql);
  }
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
  const context = { core, credential, organization: credential.organization.id, now, sql: core.sql };
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
