import type { FieldProblem } from '@dealkeep/contract';
import type { WebhookKey } from '../../change/queue/delivery-jobs.ts';
import type { Services } from '../../change/services.ts';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { type InputOf, isChanging, lockIfChanging, writes } from '../../change/verb/verb.ts';
import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { invalidFields, notFound, refusalOf } from '../../foundations/problem.ts';
import { dropExcessHeldEvents, releaseNext, tellDropped } from './held-events.ts';
import { newSecret } from './new-secret.ts';
import { headerProblems, readableHeaders } from './static-headers.ts';
import { eventProblems, type WantedColumns, wantedColumns, wantedProblems } from './wanted-events.ts';
import { tellWithdrawn, withdrawDeliveries } from './withdraw-deliveries.ts';
import {
  changeProblems,
  changeWebhook,
  insertWebhook,
  lockRoom,
  ownersColumns,
  quickenPace,
  requireDeliverable,
  requireRoom,
} from './write-webhook.ts';

/**
 * Answers its secret, this once. Raises UNKNOWN_EVENT, WEBHOOK_URL_INVALID, WEBHOOK_URL_BLOCKED and LIMIT_EXCEEDED.
 */
export const createManualWebhook = writes('manual-webhooks.create', {
  beforeTransaction: ({ core, organization }, { body }) => requireGood(core, organization, body),
  async check(context, { body, isRefused }) {
    const { sql, organization } = context;
    const problems = [
      ...(await userProblems(sql, organization, body.notify_user_ids ?? [])),
      ...wantedProblems(body.events ?? [], body),
      ...headerProblems(body.headers ?? [], [], isRefused),
      // Whether there is room for a good one is looked at when it is made.
      ...(isChanging(context) ? [] : await roomProblems(sql, organization)),
    ];
    if (problems.length > 0) throw invalidFields(problems);
  },
  async run(context, { body }) {
    const { core, sql, organization } = context;
    const { name, target_url, events, notify_user_ids: users = [] } = body;
    const wanted = wantedColumns(body);
    const [room] = await lockRoom(sql, organization);
    const made = await insertWebhook(context, { name, target_url, events, wanted }, room);
    const webhook = { organization_id: organization, webhook_id: made.id };
    await setColumns(sql, webhook, ownersColumns(core, webhook, body));
    await chooseUsers(sql, { organization, webhook: made.id }, users);
    return made;
  },
});

/** Raises what making one raises, and NOT_FOUND. */
export const updateManualWebhook = writes('manual-webhooks.update', {
  beforeTransaction: ({ core, organization }, { body }) => requireGood(core, organization, body),
  async check(context, { path: { id }, body, isRefused }) {
    const { core, sql, organization } = context;
    const { notify_user_ids: users, headers } = body;
    const ofUsers = users ? await userProblems(sql, organization, users) : [];
    const webhook = await manualWebhook(sql, organization, id, lockIfChanging(context));
    const former = {
      headers: readableHeaders(core.secrets, { organization_id: organization, id }, webhook.headers),
      public_key: webhook.public_key,
    };
    const problems = [
      ...ofUsers,
      ...changeProblems(webhook, body),
      ...headerProblems(headers ?? [], former.headers, isRefused),
    ];
    if (problems.length > 0) throw invalidFields(problems);
    return { webhook, former };
  },
  async run(context, { path: { id }, body }, { webhook, former }) {
    const { core, sql, organization, now, afterCommit } = context;
    const { notify_user_ids: users, headers, max_per_minute, asymmetric_signature, ...changes } = body;
    const key = { organization_id: organization, webhook_id: id };
    const wishes = ownersColumns(core, key, { headers, max_per_minute, asymmetric_signature }, former);
    await changeWebhook(context, webhook, changes, wishes);
    const told = users && (await toldUsers(sql, { organization, webhook: id }));
    const asymmetric = webhook.public_key !== null;
    context.describe({ before: { ...webhook, asymmetric_signature: asymmetric, notify_user_ids: told } });
    if (max_per_minute !== undefined) {
      await quickenPace(sql, key, now);
      afterCommit(() => core.deliveryJobs.add(organization, [id]));
    }
    if (users) await chooseUsers(sql, { organization, webhook: id }, users);
    return undefined;
  },
});

/** Writes what is not undefined. */
async function setColumns(
  sql: Transaction,
  { organization_id, webhook_id }: WebhookKey,
  values: Readonly<
    Record<string, string | number | Buffer | string[] | Record<string, string[]> | null | undefined>
  >,
): Promise<void> {
  const columns = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  if (Object.keys(columns).length === 0) return;
  await sql`
    update webhooks set ${sql(columns)} where organization_id = ${organization_id} and id = ${webhook_id}`;
}

/** Raises what `requireDeliverable` does. */
const requireGood = (
  core: Services,
  organization: string,
  {
    events: asked,
    target_url,
  }: ValidPart<Pick<InputOf<'manual-webhooks.update'>['body'], 'events' | 'target_url'>>,
): Promise<void> =>
  requireDeliverable(
    core,
    organization,
    { asked: asked ?? [], problems: asked ? eventProblems(asked) : [] },
    target_url,
  );

async function roomProblems(sql: Statements, organization: string): Promise<FieldProblem[]> {
  const full = await refusalOf(() => requireRoom(sql, organization));
  return full ? [{ path: '', key: full.key, values: full.values }] : [];
}

async function toldUsers(
  sql: Transaction,
  { organization, webhook }: { organization: string; webhook: string },
): Promise<string[]> {
  const rows = await sql<{ user_id: string }[]>`
    select user_id from webhook_notified_users where organization_id = ${organization} and webhook_id = ${webhook}
    order by user_id`;
  return rows.map(({ user_id }) => user_id);
}

/** Sets the users to be told of a webhook. */
async function chooseUsers(
  sql: Transaction,
  { organization, webhook }: { organization: string; webhook: string },
  users: readonly string[],
): Promise<void> {
  await sql`
    delete from webhook_notified_users where organization_id = ${organization} and webhook_id = ${webhook}`;
  await sql`
    insert into webhook_notified_users (organization_id, webhook_id, user_id)
    select ${organization}, ${webhook}, id from memberships
    where organization_id = ${organization} and id = any(${[...users]}::uuid[])`;
}

/** Who is not of the organization; an undefined one was refused already. */
async function userProblems(
  sql: Statements,
  organization: string,
  users: readonly (string | undefined)[],
): Promise<FieldProblem[]> {
  const asked = users.filter((user) => user !== undefined);
  const known = await sql<{ id: string }[]>`
    select id from memberships where organization_id = ${organization} and id = any(${asked}::uuid[])`;
  return users.flatMap((user, index): FieldProblem[] =>
    user === undefined || known.some(({ id }) => id === user)
      ? []
      : [{ path: `notify_user_ids[${index}]`, key: 'field.not_found' }],
  );
}

/** What was held for it is delivered, oldest first. Nothing changes when it is enabled. Raises NOT_FOUND. */
export const enableWebhook = writes(
  'manual-webhooks.enable',
  async ({ core, sql, organization, now, afterCommit, describe }, { path: { id } }) => {
    const { name, disabled_reason: reason } = await lockWebhook(sql, organization, id);
    describe({ name });
    if (reason !== null) {
      const which = sql`w.organization_id = ${organization} and w.id = ${id}`;
      const dropped = await dropExcessHeldEvents({ sql, clock: core.clock }, which);
      await sql`
        update webhooks w set disabled_reason = null, disabled_at = null, failing_since = null, idle_since = null,
                              failing_told_at = null
        where ${which}`;
      await releaseNext(sql, which, now);
      afterCommit(() => tellDropped(core.log, dropped));
    }
    afterCommit(() => core.deliveryJobs.add(organization, [id]));
    return undefined;
  },
);

/**
 * From now on nothing is sent or held, and what waits is dropped. Nothing changes when it is disabled already.
 * Raises NOT_FOUND.
 */
export const disableWebhook = writes(
  'manual-webhooks.disable',
  async ({ core, sql, organization, now, afterCommit, describe }, { path: { id } }) => {
    const { name, disabled_reason: reason } = await lockWebhook(sql, organization, id);
    describe({ name });
    if (reason !== null) return undefined;
    await sql`
      update webhooks set disabled_reason = 'by_hand', disabled_at = ${now}, dropped_events = 0
      where organization_id = ${organization} and id = ${id}`;
    const withdrawn = await withdrawDeliveries(sql, [id], { now });
    await sql`delete from held_events where organization_id = ${organization} and webhook_id = ${id}`;
    afterCommit(() => tellWithdrawn(core.log, withdrawn));
    return undefined;
  },
);

/**
 * The new secret is answered this once (see `newSecret`). A REST hook is given one, too: what an assistant made has
 * shown its secret to nobody. Raises NOT_FOUND.
 */
export const rotateWebhookSecret = writes(
  'manual-webhooks.rotate-secret',
  async ({ core: { secrets }, sql, organization, now, describe }, { path: { id } }) => {
    const former = await lockWebhookOfEitherKind(sql, organization, id);
    describe({ name: former.name });
    const { secret, columns } = newSecret(secrets, { organization_id: organization, id }, former, now);
    await sql`update webhooks set ${sql({ ...columns })} where organization_id = ${organization} and id = ${id}`;
    return { secret, previous_secret_until: columns.previous_secret_until };
  },
);

/** Either kind, with what waits for it. Raises NOT_FOUND. */
export const removeWebhook = writes(
  'webhooks.remove',
  async ({ sql, organization, describe }, { path: { id } }) => {
    const [removed] = await sql<{ name: string | null }[]>`
    delete from webhooks where organization_id = ${organization} and id = ${id} and deleted_at is null returning name`;
    if (!removed) throw notFound();
    describe({ name: removed.name });
    return undefined;
  },
);

/** A manual webhook as its verbs need it. */
interface ManualWebhook extends Pick<WantedColumns, 'filters' | 'changed_fields'> {
  id: string;
  name: string | null;
  events: string[];
  target_url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  signing_key: Buffer | null;
  previous_signing_key: Buffer | null;
  public_key: string | null;
  headers: Buffer | null;
  max_per_minute: number | null;
  disabled_reason: 'gone' | 'failing' | 'by_hand' | null;
}

/** Raises NOT_FOUND, also for a REST hook. */
export const manualWebhook = (
  sql: Statements,
  organization: string,
  id: string,
  lock: Fragment = sql``,
): Promise<ManualWebhook> =>
  webhookWhere(
    sql,
    sql`
    organization_id = ${organization} and id = ${id} and api_key_id is null and oauth_connection_id is null
    and deleted_at is null ${lock}`,
  );

/** The same, locked against other changes. */
export const lockWebhook = (sql: Transaction, organization: string, id: string): Promise<ManualWebhook> =>
  manualWebhook(sql, organization, id, sql`for no key update`);

/** A REST hook, too. */
const lockWebhookOfEitherKind = (
  sql: Transaction,
  organization: string,
  id: string,
): Promise<ManualWebhook> =>
  webhookWhere(
    sql,
    sql`organization_id = ${organization} and id = ${id} and deleted_at is null for no key update`,
  );

async function webhookWhere(sql: Statements, condition: Fragment): Promise<ManualWebhook> {
  const [webhook] = await sql<ManualWebhook[]>`
    select id, name, events, target_url, filters, changed_fields, secret, previous_secret, signing_key,
           previous_signing_key, public_key, headers, disabled_reason, max_per_minute
    from webhooks where ${condition}`;
  if (!webhook) throw notFound();
  return webhook;
}
