import {
  type EveryOperationId,
  everyOperation,
  type FieldProblem,
  limits,
  type OperationDeclaration,
} from '@dealkeep/contract';
import * as z from 'zod';
import type { Session } from '../accounts/sessions/sessions.ts';
import type { Services } from '../change/services.ts';
import type { Encode } from '../change/verb/outcome.ts';
import { Problem } from '../foundations/problem.ts';
import { executeOnMany } from './execute.ts';
import { credentialOf, requireAssigned, requireReachFor } from './run-as-user.ts';
import { isVerbId } from './verbs.ts';

/** What became of one of many records. */
export interface DoneWithRecord {
  readonly id: string;
  /** Why nothing was done with it. */
  readonly problem?: Problem;
}

/**
 * Does the same with many records for somebody who is signed in, each as `runAsUser` does it with one: the same
 * checks and events, and what a role does not show does not exist. One that is refused undoes only itself. A hundred
 * are one change (decision 36), and with the key of a form they are done once however often it is sent: what it did
 * before its process died it does not do again. Answers what became of each, in their order; raises what the
 * operation raises for all of them.
 */
export async function runOnManyAsUser(
  core: Services,
  session: Session,
  id: EveryOperationId,
  { ids, body }: { readonly ids: readonly string[]; readonly body: Readonly<Record<string, unknown>> },
  onceKey: string,
): Promise<readonly DoneWithRecord[]> {
  if (!isVerbId(id)) throw new Error(`${id} is no operation on one record`);
  const declaration: OperationDeclaration = everyOperation[id];
  const reach = requireReachFor(session, declaration);
  const actor = credentialOf(core, session);
  const done: DoneWithRecord[] = [];
  for (let from = 0; from < ids.length; from += limits.batchItems) {
    const some = ids.slice(from, from + limits.batchItems);
    const hidden =
      reach === 'assigned' ? await notAssigned(core, session, declaration.resource, some) : new Map();
    const shown = some.filter((each) => !hidden.has(each));
    const idempotency = { key: `${onceKey} ${from}`, method: 'console', path: id, forgetsRefusals: true };
    const items = shown.map((each) => ({ ...body, id: each }));
    const answer = await executeOnMany(
      core,
      actor,
      { id, items },
      {
        encode,
        idempotency,
        from: session.from,
      },
    );
    const became = new Map(
      Outcomes.parse(JSON.parse(answer.body)).data.map(({ index, problem }) => [
        shown[index],
        problem && toldOf(problem),
      ]),
    );
    for (const each of some) {
      const problem = hidden.get(each) ?? became.get(each);
      done.push(problem ? { id: each, problem } : { id: each });
    }
  }
  return done;
}

async function notAssigned(
  core: Services,
  session: Session,
  resource: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Problem>> {
  const refused = new Map<string, Problem>();
  for (const id of ids) {
    try {
      await requireAssigned(core, session, resource, { id });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused.set(id, error);
    }
  }
  return refused;
}

const FieldTold = z.object({
  path: z.string(),
  key: z.string(),
  values: z.record(z.string(), z.unknown()).optional(),
});
const Told = z.object({
  key: z.string(),
  values: z.record(z.string(), z.unknown()),
  fields: z.array(FieldTold).optional(),
});
const Outcomes = z.object({ data: z.array(z.object({ index: z.int(), problem: Told.optional() })) });

/** What is stored for a repeat: why something was refused, and of what was done nothing more. */
const encode: Encode = (outcome) => {
  const problem = 'problem' in outcome ? outcome.problem : undefined;
  const told = problem && { key: problem.key, values: problem.values, fields: problem.fields };
  return { status: 200, body: JSON.stringify({ done: told === undefined, problem: told }), noStore: false };
};

/** The problem that was stored. */
const toldOf = ({ key, values, fields }: z.output<typeof Told>): Problem =>
  new Problem(
    key as Problem['key'],
    values as Problem['values'],
    fields ? { fields: fields as readonly FieldProblem[] } : {},
  );
