import {
  type EventType,
  events,
  eventTypes,
  type FieldProblem,
  isEventType,
  type RestHook,
  sampleEnvelope,
} from '@dealkeep/contract';
import type { PageParts } from '../../change/paging/list-page.ts';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { type InputOf, lockIfChanging, reads, writes } from '../../change/verb/verb.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { invalidFields, notFound, Problem } from '../../foundations/problem.ts';
import { requireScope } from '../../identity/credentials/authorize.ts';
import type { Credential } from '../../identity/credentials/credential.ts';
import { keepDeletedHook, takeUpDeletedHook, wasDeleted } from './deleted-hooks.ts';
import { newSecret, type SealedWebhook } from './new-secret.ts';
import {
  aboutEvent,
  eventProblems,
  type WantedColumns,
  wantedColumns,
  wantedProblems,
} from './wanted-events.ts';
import {
  changeProblems,
  changeWebhook,
  insertWebhook,
  lockRoom,
  requireDeliverable,
} from './write-webhook.ts';

type Body = InputOf<'webhooks.create'>['body'];

export const createWebhook = writes('webhooks.create', {
  async beforeTransaction({ core, organization, actor }, { body, isWhole, isRefused }) {
    const asked = askedEvents(body);
    const problems = [
      ...askedProblems(body, (name) => body[name] != null || isRefused(name)),
      ...wantedProblems(asked, body),
    ];
    if (isWhole && problems.length === 0) requireReadScopes(actor, asked.filter(isEventType));
    await requireDeliverable(core, organization, { asked, problems }, body.target_url);
  },
  async run(context, { body }) {
    const { actor, now } = context;
    const subscribed = askedEvents(body).filter(isEventType);
    const hook = {
      target_url: body.target_url,
      events: subscribed,
      name: body.name ?? `${actor.name}: ${subscribed[0]}`,
    };
    const wanted = wantedColumns(body);
    const made = {
      ...hook,
      wanted,
      api_key_id: actor.kind === 'api_key' ? actor.id : null,
      oauth_connection_id: actor.kind === 'oauth' ? actor.id : null,
    };
    const { sql, organization } = context;
    const isResuming = body.resume !== false;
    const [room, isFound] = await lockRoom(
      sql,
      organization,
      isResuming ? wasDeleted(sql, organization, made, now) : undefined,
    );
    const resumed = isFound ? await takeUpDeletedHook(context, made, room) : undefined;
    const { id, secret } = resumed ?? (await insertWebhook(context, made, room));
    return { id, ...hook, ...wantedShown(wanted), created_at: now, secret };
  },
});

/**
 * Absent fields stay, and so does the secret unless a new one is asked for, which is answered this once. What was to
 * be delivered goes to a new target, whatever its event; from now on only what is wanted is added. Raises what
 * making a hook raises, and NOT_FOUND.
 */
export const updateWebhook = writes('webhooks.update', {
  async beforeTransaction({ core, organization, actor }, { body, isWhole }) {
    const asked = askedEvents(body);
    const problems = body.events ? eventProblems(body.events) : [];
    if (isWhole && problems.length === 0) requireReadScopes(actor, asked.filter(isEventType));
    await requireDeliverable(core, organization, { asked, problems }, body.target_url);
  },
  async check(context, { path: { id }, body }) {
    const { sql, actor } = context;
    const which = sql`and id = ${id} and ${isChangeable(sql, actor)}`;
    const [before] = await storedHooks(sql, actor, sql`${which} ${lockIfChanging(context)}`);
    if (!before) throw notFound();
    const problems = changeProblems(before, body);
    if (problems.length > 0) throw invalidFields(problems);
    return before;
  },
  async run(context, { path: { id }, body }, before) {
    const { sql } = context;
    const { rotate_secret: isNewSecret, ...changes } = body;
    if (isNewSecret !== true) return shownHook(await changeWebhook(context, before, changes));
    const { core, organization, now } = context;
    const [sealed] = await sql<SealedWebhook[]>`
      select secret, signing_key, headers from webhooks where organization_id = ${organization} and id = ${id}`;
    if (!sealed) throw notFound();
    const { secret, columns } = newSecret(core.secrets, { organization_id: organization, id }, sealed, now);
    return { ...shownHook(await changeWebhook(context, before, changes, columns)), secret };
  },
});

/** What a hook wants, as far as it was asked for anything. */
const wantedShown = ({ filters, changed_fields }: Pick<WantedColumns, 'filters' | 'changed_fields'>) => ({
  ...(filters ? { filters } : {}),
  ...(changed_fields ? { changed_fields } : {}),
});

/** The events that a body asks for, as `events` or as `event`. */
const askedEvents = ({ events: list, event: single }: AskedBody): readonly string[] =>
  list?.filter((type) => type !== undefined) ?? (single == null ? [] : [single]);

type AskedBody = ValidPart<Partial<Pick<Body, 'events' | 'event'>>>;

/** What is wrong with the events that a body asks for. */
function askedProblems(
  { events: list, event: single }: AskedBody,
  given: (name: 'events' | 'event') => boolean,
): FieldProblem[] {
  if (given('events') && given('event')) {
    const either = { one: 'events', other: 'event' };
    return [{ path: 'event', key: 'field.either', values: either }, ...(list ? eventProblems(list) : [])];
  }
  if (list) return eventProblems(list);
  if (single !== undefined && single !== null) return aboutEvent(eventProblems([single]));
  return given('events') || given('event') ? [] : [{ path: 'events', key: 'field.required' }];
}

function requireReadScopes(credential: Credential, subscribed: readonly EventType[]): void {
  for (const type of subscribed) requireScope(credential, events[type].scope);
}

/** What was to be delivered is kept for a day, until the credential subscribes again. */
export const deleteWebhook = writes('webhooks.delete', async (context, { path: { id } }) => {
  const name = await keepDeletedHook(context, hooksOfCredential(context.sql, context.actor), id);
  context.describe({ name });
  return undefined;
});

/** REST hooks of a credential as GET answers them; manual webhooks are never among them. */
export async function restHooks(
  sql: Statements,
  credential: Credential,
  rest: Fragment,
): Promise<RestHook[]> {
  return (await storedHooks(sql, credential, rest)).map(shownHook);
}

interface StoredHook
  extends Omit<RestHook, 'filters' | 'changed_fields'>,
    Pick<WantedColumns, 'filters' | 'changed_fields'> {}

const storedHooks = (sql: Statements, credential: Credential, rest: Fragment) => sql<StoredHook[]>`
  select id, target_url, events, name, filters, changed_fields, created_at from webhooks
  where ${hooksOfCredential(sql, credential)} ${rest}`;

/** A hook as a page of the list reads it. */
export interface ListedHook extends StoredHook {
  readonly sort_value: string;
}

export const listedHooks = (
  sql: Statements,
  credential: Credential,
  { where, order, sortValue, limit }: PageParts,
) => sql<ListedHook[]>`
  select id, target_url, events, name, filters, changed_fields, created_at, ${sortValue} as sort_value from webhooks
  where ${hooksOfCredential(sql, credential)} and ${where} order by ${order} limit ${limit}`;

export const shownHook = ({ filters, changed_fields, ...hook }: StoredHook): RestHook => ({
  ...hook,
  ...wantedShown({ filters, changed_fields }),
});

export const listEventTypes = reads('webhooks.events', async () => ({
  data: eventTypes.map((type) => ({
    type,
    label: events[type].label.en,
    description: events[type].description.en,
    entity: events[type].entity,
  })),
  next_cursor: null,
  has_more: false,
}));

export const getSample = reads('webhooks.sample', async ({ actor, now }, { path }) => {
  if (!isEventType(path.type)) throw new Problem('event_type.not_found');
  const { id, slug } = actor.organization;
  return [sampleEnvelope(path.type, { id, slug }, now)];
});

/**
 * The living REST hooks that a key or connection made; it sees no others. Owners in the console see webhooks of
 * every kind.
 */
export function hooksOfCredential(sql: Statements, { kind, id, organization, user }: Credential): Fragment {
  const own = sql`organization_id = ${organization.id} and deleted_at is null`;
  if (kind === 'session') return user.permissions === 'owner' ? own : sql`false`;
  return kind === 'oauth' ? sql`${own} and oauth_connection_id = ${id}` : sql`${own} and api_key_id = ${id}`;
}

/**
 * Whether one of these is changed and tested by the credential: owners leave to a program what a program has made.
 */
export const isChangeable = (sql: Statements, { kind }: Credential): Fragment =>
  kind === 'session' ? sql`api_key_id is null and oauth_connection_id is null` : sql`true`;
