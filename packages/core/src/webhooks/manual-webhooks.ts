import { randomUUIDv7 } from 'node:crypto';
import { CreateWebhook, type FieldProblem, UpdateWebhook } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import type { Statements, Transaction } from '../database/connect.ts';
import { invalidFields, type Problem, refusalOf } from '../problem.ts';
import { problemsThroughout, type ValidPart } from '../verb/check-input.ts';
import { type Once, type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';
import { lockWebhook } from './manual-webhook-steps.ts';
import { eventTypesOf } from './rest-hooks.ts';
import { getWebhookWithHealth, type Webhook } from './show-webhooks.ts';
import { checkWebhookLimit, newWebhookSecret, placeOfSecret, requireGoodTarget } from './targets.ts';

/**
 * Makes a webhook by hand. Answers it with its secret, this once. It belongs to no key: the API does not show it, but
 * it counts against the maximum. Raises VALIDATION_ERROR, UNKNOWN_EVENT, WEBHOOK_URL_INVALID, WEBHOOK_URL_BLOCKED and
 * LIMIT_EXCEEDED.
 */
export async function createManualWebhook(
  core: Core,
  organization: OrganizationName,
  input: z.input<typeof CreateWebhook>,
  once?: Once,
): Promise<Webhook & { secret: string }> {
  const {
    name,
    target_url,
    events,
    notify_user_ids = [],
  } = await checkWebhook(core, { organization: organization.id, isNew: true }, CreateWebhook, input);
  const subscribed = eventTypesOf(events);
  const work = async ({ sql, now }: Changing) => {
    await checkWebhookLimit(sql, organization.id);
    const id = randomUUIDv7();
    const secret = newWebhookSecret();
    const sealed = core.secrets.encrypt(secret, placeOfSecret({ organization_id: organization.id, id }));
    await sql`
      insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
      values (${organization.id}, ${id}, ${name}, ${target_url}, ${subscribed}, ${sealed}, ${now})`;
    await chooseUsers(sql, { organization: organization.id, webhook: id }, notify_user_ids);
    return { ...(await getWebhookWithHealth(core, organization, id, sql)), secret };
  };
  return transact(core, organization, work, once);
}

/** Which webhook, and what changes; an absent field stays. */
export type WebhookChanges = { id: string } & z.input<typeof UpdateWebhook>;

/**
 * Changes a manual webhook. What waits already goes to the new address, and a new address is not blamed for the
 * failures of the old one. Answers it. Raises what making one raises, and NOT_FOUND.
 */
export async function updateManualWebhook(
  core: Core,
  organization: OrganizationName,
  { id, ...input }: WebhookChanges,
): Promise<Webhook> {
  const { notify_user_ids: people, ...changes } = await checkWebhook(
    core,
    { organization: organization.id, isNew: false },
    UpdateWebhook,
    input,
  );
  return transact(core, organization, async ({ sql }) => {
    const { target_url: before } = await lockWebhook(sql, organization.id, id);
    const isElsewhere = changes.target_url !== undefined && changes.target_url !== before;
    const well = isElsewhere ? { failing_since: null, idle_since: null, failing_told_at: null } : {};
    const columns = Object.fromEntries(
      Object.entries({ ...changes, ...well }).filter(([, value]) => value !== undefined),
    );
    if (Object.keys(columns).length > 0) {
      await sql`update webhooks set ${sql(columns)} where organization_id = ${organization.id} and id = ${id}`;
    }
    if (people) await chooseUsers(sql, { organization: organization.id, webhook: id }, people);
    return getWebhookWithHealth(core, organization, id, sql);
  });
}

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
async function checkWebhook<Schema extends z.ZodType<Described>>(
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
    ['notify_user_ids', () => people && requireUsers(core.sql, organization, people)],
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
  const full = await refusalOf(() => checkWebhookLimit(core.sql, organization));
  return full ? [{ path: '', key: full.key, values: full.values }] : [];
}

/** Sets the people to be told of a webhook. Raises VALIDATION_ERROR for who is not of the organization. */
async function chooseUsers(
  sql: Transaction,
  { organization, webhook }: { organization: string; webhook: string },
  people: readonly string[],
): Promise<void> {
  await requireUsers(sql, organization, people);
  await sql`
    delete from webhook_notified_users where organization_id = ${organization} and webhook_id = ${webhook}`;
  await sql`
    insert into webhook_notified_users (organization_id, webhook_id, user_id)
    select ${organization}, ${webhook}, id from memberships
    where organization_id = ${organization} and id = any(${[...people]}::uuid[])`;
}

/** Raises VALIDATION_ERROR for who is not of the organization; what is undefined was refused before. */
async function requireUsers(
  sql: Statements,
  organization: string,
  people: readonly (string | undefined)[],
): Promise<void> {
  const asked = people.filter((each) => each !== undefined);
  const known = await sql<{ id: string }[]>`
    select id from memberships where organization_id = ${organization} and id = any(${asked}::uuid[])`;
  const missing = people.flatMap((person, index): FieldProblem[] =>
    person === undefined || known.some(({ id }) => id === person)
      ? []
      : [{ path: `notify_user_ids[${index}]`, key: 'field.not_found' }],
  );
  if (missing.length > 0) throw invalidFields(missing);
}
