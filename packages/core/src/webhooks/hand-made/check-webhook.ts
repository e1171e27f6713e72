import type { FieldProblem } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../../core.ts';
import { invalidFields, type Problem, refusalOf } from '../../problem.ts';
import { problemsThroughout } from '../../verb/check-input.ts';
import type { ValidPart } from '../../verb/further-problems.ts';
import { eventTypesOf } from '../event-types-of.ts';
import { requireGoodTarget } from '../require-good-target.ts';
import { requireRoom } from '../require-room.ts';
import { requirePeople } from './choose-people.ts';

/** How a webhook is made or changed by hand; an absent field stays. */
interface Described {
  target_url?: string | undefined;
  events?: readonly string[] | undefined;
  notify_user_ids?: readonly string[] | undefined;
}

/** In which organization, and whether the webhook is one more. */
interface Place {
  readonly organization: string;
  readonly isNew: boolean;
}

/**
 * Checks how a webhook is made or changed by hand: by the contract, its events, its target and the people to be told.
 * Whoever made it learns of everything at once, also that there is no room for it. Raises VALIDATION_ERROR; what is
 * alone, under its own code: UNKNOWN_EVENT, WEBHOOK_URL_INVALID or WEBHOOK_URL_BLOCKED; and SERVICE_UNAVAILABLE as
 * judging a target does. Whether there is room for a good one is looked at when it is made.
 */
export async function checkWebhook<Schema extends z.ZodType<Described>>(
  core: Core,
  place: Place,
  schema: Schema,
  input: z.input<Schema>,
): Promise<z.output<Schema>> {
  const refusals: Refusal[] = [];
  const problems = await problemsThroughout<z.ZodType<Described>>(schema, input, async ({ part }) => {
    refusals.push(...(await refusalsOf(core, place, part)));
    return refusals.flatMap(fieldsOf);
  });
  if (problems.length === 0) return schema.parse(input);
  const [only] = refusals;
  if (only && problems.length === 1) throw only.problem;
  if (place.isNew) problems.push(...(await roomProblems(core, place)));
  throw invalidFields(problems);
}

/** What is wrong with how a webhook is changed by hand, for a form that is refused anyway. */
export const webhookProblems = (
  core: Core,
  organization: string,
  schema: z.ZodType<Described>,
  input: Readonly<Record<string, unknown>>,
): Promise<FieldProblem[]> =>
  problemsThroughout(schema, input, async ({ part }) =>
    (await refusalsOf(core, { organization, isNew: false }, part)).flatMap(fieldsOf),
  );

interface Refusal {
  /** The field that it is about. */
  readonly path: string;
  readonly problem: Problem;
}

async function refusalsOf(
  core: Core,
  { organization }: Place,
  { target_url: target, events, notify_user_ids: people }: ValidPart<Described>,
): Promise<Refusal[]> {
  const checks: readonly (readonly [path: string, check: () => unknown])[] = [
    ['events', () => events && eventTypesOf(events.filter((each) => each !== undefined))],
    ['target_url', () => target !== undefined && requireGoodTarget(core, organization, target)],
    ['notify_user_ids', () => people && requirePeople(core.sql, organization, people)],
  ];
  const refusals: Refusal[] = [];
  for (const [path, check] of checks) {
    const problem = await refusalOf(check);
    if (problem?.code === 'SERVICE_UNAVAILABLE') throw problem;
    if (problem) refusals.push({ path, problem });
  }
  return refusals;
}

const fieldsOf = ({ path, problem: { fields, key, values } }: Refusal): readonly FieldProblem[] =>
  fields ?? [{ path, key, values }];

async function roomProblems(core: Core, { organization }: Place): Promise<FieldProblem[]> {
  const full = await refusalOf(() => requireRoom(core.sql, organization));
  return full ? [{ path: '', key: full.key, values: full.values }] : [];
}
