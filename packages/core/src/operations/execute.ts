import { createHash } from 'node:crypto';
import {
  type Audience,
  checkValue,
  type EveryOperationId,
  everyOperation,
  type FieldProblem,
  limits,
  type OperationDeclaration,
} from '@dealkeep/contract';
import { type Answer, type Idempotency, StoredAnswer } from '../change/idempotency/stored-answer.ts';
import type { Services } from '../change/services.ts';
import { change } from '../change/verb/change.ts';
import type { Encode } from '../change/verb/outcome.ts';
import {
  type FindBesides,
  type ParsedRequest,
  parsePath,
  parseRequest,
  type RawBody,
  type RawRequest,
} from '../change/verb/parse-request.ts';
import { showTo } from '../change/verb/show-to.ts';
import { withSeenReferences } from '../change/verb/shown-references.ts';
import { type Changing, type Reading, readingFor } from '../change/verb/verb.ts';
import { invalidField, Problem } from '../foundations/problem.ts';
import { inSpan, tracing } from '../foundations/tracing.ts';
import { authorize } from '../identity/credentials/authorize.ts';
import { type Actor, isCredential } from '../identity/credentials/credential.ts';
import type { RequestOrigin } from '../identity/credentials/request-origin.ts';
import { allProblems, toldThroughout } from './all-problems.ts';
import { unlessMissing } from './missing-record.ts';
import { runAudited } from './run-audited.ts';
import { type Batch, batchOf, requestsOf, runBatch } from './run-batch.ts';
import { actsOnce, isVerbId, runBeforeTransaction, runVerb, type VerbId, verbs } from './verbs.ts';

export interface ExecuteOptions {
  /** What it answers is stored for a repeat. */
  encode: Encode;
  /** Of a POST with an `Idempotency-Key`; what is refused is then not stored where a repeat may get past it. */
  idempotency?: { key: string; method: string; path: string; forgetsRefusals?: boolean };
  /** Counts what was counted as one request as so many. Raises RATE_LIMITED; then nothing is done. */
  countAs?(requests: number): Promise<void>;
  /** Finds the credential again, for a read that waits. */
  actorNow?(): Promise<Actor>;
  /** Where the request comes from, for the audit log. */
  from?: RequestOrigin | undefined;
  /** Raises where the change is not to be made; first in its transaction. */
  precondition?(changing: Changing): Promise<void>;
}

/** What an operation that writes does. */
interface Work<Prepared> {
  /** Checks what was sent, before the transaction. */
  prepare(): Promise<Prepared>;
  run(changing: Changing, prepared: Prepared): Promise<Answer>;
  /** What is told instead of what `run` raised, when all that it did is undone. */
  retold?(error: unknown): Promise<unknown>;
  /** What it prepares cannot be undone, so it is marked before. */
  readonly actsOnce?: boolean;
}

/** What is carried out, once where it has a key. */
interface ToCarryOut {
  readonly declaration: OperationDeclaration;
  readonly reading: Reading<Actor>;
  readonly body: Pick<RawBody, 'bytes'>;
  readonly options: Pick<ExecuteOptions, 'encode' | 'idempotency'>;
}

/** An operation that somebody runs. */
interface Asked extends ToCarryOut {
  readonly raw: RawRequest;
  readonly body: RawBody;
  readonly options: ExecuteOptions;
}

/**
 * Runs an operation for whoever acts: authorization, a stored answer if there is one, the checks of the contract,
 * and the verb in one transaction with its events, deliveries and stored answer. Raises a `Problem`, or any other
 * error for a fault.
 */
export function execute(
  core: Services,
  actor: Actor,
  id: EveryOperationId,
  raw: RawRequest,
  options: ExecuteOptions,
): Promise<Answer> {
  const work = (): Promise<Answer> => executeNow(core, actor, id, raw, options);
  return tracing ? inSpan(tracing, { name: id, kind: 'internal' }, { work, refusalOf }) : work();
}

/** The code that the caller is told; undefined for a fault. */
const refusalOf = (error: unknown): string | undefined => (error instanceof Problem ? error.code : undefined);

async function executeNow(
  core: Services,
  actor: Actor,
  id: EveryOperationId,
  raw: RawRequest,
  options: ExecuteOptions,
): Promise<Answer> {
  const declaration: OperationDeclaration = everyOperation[id];
  requireAllowed(actor, declaration, options.from);
  const { actorNow } = options;
  const reading = { ...readingFor(core, actor), ...(actorNow ? { actorNow } : {}) };
  if (isVerbId(id) && !verbs[id].writes) {
    const parsed = await parseRequest(declaration, raw, undefined, besidesOf(id, reading, raw.path));
    const result = await withSeenReferences(reading, declaration, await runVerb(id, reading, parsed));
    return options.encode({ result, isWhole: true }, declaration);
  }
  const asked = { declaration, reading, raw, body: await raw.receive(), options };
  if (isVerbId(id)) return carryOut(asked, workOfVerb(id, asked));
  const batch = (): Promise<Answer> => carryOut(asked, workOfBatch(asked));
  return core.batchTurns.take(actor, options.idempotency?.key, batch);
}

function workOfVerb(id: VerbId, asked: Asked): Work<{ parsed: ParsedRequest; learned: unknown }> {
  const { declaration, reading, raw, body, options } = asked;
  const { actor } = reading;
  // What the verb was run with: what it refuses is looked at again when its transaction is undone.
  let ran: ParsedRequest | undefined;
  let path: ParsedRequest['path'] | undefined;
  const retold = async (error: unknown): Promise<unknown> => {
    const told = await toldThroughout({ id, context: reading }, ran, error);
    return path ? unlessMissing(told, id, reading, path) : told;
  };
  return {
    actsOnce: actsOnce(id),
    async prepare() {
      path = parsePath(declaration, raw);
      try {
        ran = await parseRequest(declaration, raw, body, besidesOf(id, reading, path));
        return { parsed: ran, learned: await runBeforeTransaction(id, reading, ran) };
      } catch (error) {
        throw await retold(error);
      }
    },
    async run(changing, { parsed, learned }) {
      await options.precondition?.(changing);
      const result = await runAudited({ ...changing, actor }, id, parsed, { learned, from: options.from });
      const shown = showTo(actor, declaration, parsed.body, result);
      const seen = await withSeenReferences({ ...changing, actor }, declaration, shown);
      return options.encode({ result: seen, isWhole: shown === result }, declaration);
    },
    retold,
  };
}

/** The answer of a batch is that of its items, each in its place. */
function workOfBatch({ declaration, reading, raw, body, options }: Asked): Work<Batch> {
  const { actor } = reading;
  return {
    async prepare() {
      const { body: sent } = await parseRequest(declaration, raw, body, async (...[, , refused]) => [
        ...refused,
      ]);
      const batch = batchOf(declaration, sent);
      requireAllowed(actor, everyOperation[batch.id]);
      requireWithin(actor, batch);
      await options.countAs?.(requestsOf(batch));
      return batch;
    },
    async run(changing, batch) {
      const result = await runBatch({ ...changing, actor }, batch, options);
      return options.encode({ result, isWhole: true }, declaration);
    },
  };
}

/**
 * Runs an operation on many records for somebody in the console, as a batch of the API does. Answers what each was
 * answered, in their order; raises what the operation raises for everybody.
 */
export async function executeOnMany(
  core: Services,
  actor: Actor,
  batch: Batch,
  options: Pick<ExecuteOptions, 'encode' | 'idempotency' | 'from'>,
): Promise<Answer> {
  const declaration: OperationDeclaration = everyOperation[batch.id];
  requireAllowed(actor, declaration);
  const bytes = Buffer.from(JSON.stringify(batch.items));
  const asked = { declaration, reading: readingFor(core, actor), body: { bytes }, options };
  const work: Work<Batch> = {
    prepare: async () => batch,
    async run(changing) {
      const result = await runBatch({ ...changing, actor }, batch, options);
      return { status: 200, body: result.text, noStore: false };
    },
  };
  const take = (): Promise<Answer> =>
    core.batchTurns.take(actor, options.idempotency?.key, () => carryOut(asked, work));
  return tracing ? inSpan(tracing, { name: batch.id, kind: 'internal' }, { work: take, refusalOf }) : take();
}

/** Raises VALIDATION_ERROR for a batch that counts as more requests than ever pass in a minute. */
function requireWithin(actor: Actor, batch: Batch): void {
  if (!isCredential(actor)) return;
  const { requestsPerMinute, organizationRequestsPerMinute } = actor.organization;
  const most = Math.min(requestsPerMinute, organizationRequestsPerMinute);
  if (requestsOf(batch) > most) {
    throw invalidField('items', 'field.too_many', { max: most * limits.itemsPerRequest });
  }
}

async function carryOut<Prepared>(
  { declaration, reading, body, options }: ToCarryOut,
  { prepare, run, retold, actsOnce = false }: Work<Prepared>,
): Promise<Answer> {
  const { core, actor, now } = reading;
  const { idempotency, encode } = options;
  const asked = { organization: actor.organization, now, ...(retold ? { retold } : {}) };
  if (!idempotency) {
    const prepared = await prepare();
    return change(core, asked, (changing) => run(changing, prepared));
  }
  if (!isCredential(actor)) throw new Error('An operation was sent with a key that no credential brings');
  const stored = new StoredAnswer(core, {
    owner: actor,
    idempotency: fingerprinted(idempotency, body.bytes),
    now,
  });
  const replayed = actsOnce ? await stored.mark(core.sql) : undefined;
  if (replayed) return replayed;
  // What is refused is stored as well, unless the key was answered before, which is looked up first.
  const prepared = await outcomeOf(prepare);
  const once = {
    stored,
    toAnswer: (answer: Answer) => answer,
    fromAnswer: (answer: Answer) => answer,
    ...(idempotency.forgetsRefusals
      ? {}
      : { refusal: (problem: Problem) => encode({ problem }, declaration) }),
  };
  try {
    return await change(core, { ...asked, once }, async (changing) => run(changing, prepared()));
  } catch (error) {
    if (actsOnce) await stored.unmark(core.sql);
    throw error;
  }
}

const besidesOf =
  (id: VerbId, context: Reading<Actor>, path: ParsedRequest['path']): FindBesides =>
  (...refused) =>
    allProblems({ id, context, path }, ...refused);

/**
 * What is wrong with a body of an operation, as far as it can be known without running it: empty when the verb alone
 * can say no. For a form that is refused anyway, so that all is told at once.
 */
export async function problemsIn(
  core: Services,
  actor: Actor,
  id: EveryOperationId,
  { path, body }: Pick<RawRequest, 'path'> & { readonly body: unknown },
): Promise<readonly FieldProblem[]> {
  requireAllowed(actor, everyOperation[id]);
  return problemsOfBody(readingFor(core, actor), id, { path, body });
}

/** The same, for whoever is known to be allowed it. */
export async function problemsOfBody(
  context: Reading<Actor>,
  id: EveryOperationId,
  { path, body }: Pick<RawRequest, 'path'> & { readonly body: unknown },
): Promise<readonly FieldProblem[]> {
  const declaration: OperationDeclaration = everyOperation[id];
  if (!declaration.body || !isVerbId(id)) return [];
  const { problems = [] } = checkValue(declaration.body, body);
  return allProblems({ id, context, path }, declaration.body, body, problems);
}

const audienceOf: Readonly<Record<Actor['kind'], Audience>> = {
  api_key: 'api',
  oauth: 'api',
  session: 'console',
  system: 'system',
};

/**
 * Raises what {@link authorize} does. An operation that its actor is not offered is a fault of ours: no address
 * leads to it.
 */
function requireAllowed(actor: Actor, declaration: OperationDeclaration, from?: RequestOrigin): void {
  const audience = audienceOf[actor.kind];
  const isOffered =
    declaration.audience.includes(audience) ||
    (from?.assistant && declaration.audience.includes('assistant'));
  if (!isOffered) throw new Error(`The operation ${declaration.id} is not for the ${audience}`);
  if (isCredential(actor)) authorize(actor, declaration);
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
