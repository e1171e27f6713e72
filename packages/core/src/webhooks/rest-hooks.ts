import { randomUUIDv7 } from 'node:crypto';
import {
  type EventType,
  events,
  eventTypes,
  type FieldProblem,
  isEventType,
  type RestHook,
  sampleEnvelope,
} from '@dealkeep/contract';
import { requireScope } from '../credentials/authorize.ts';
import type { Credential } from '../credentials/credential.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { invalidFields, notFound, Problem } from '../problem.ts';
import type { ValidPart } from '../verb/check-input.ts';
import { type InputOf, reads, writes } from '../verb/verb.ts';
import {
  checkWebhookLimit,
  newWebhookSecret,
  placeOfSecret,
  requireGoodTarget,
  targetProblems,
} from './targets.ts';

type Body = InputOf<'webhooks.create'>['body'];

export const createWebhook = writes(
  'webhooks.create',
  async ({ core, sql, organization, credential, now }, { body }) => {
    const subscribed = subscribedEvents(body);
    await checkWebhookLimit(sql, organization);

    const secret = newWebhookSecret();
    const hook = {
      id: randomUUIDv7(),
      target_url: body.target_url,
      events: subscribed,
      name: body.name ?? `${credential.name}: ${subscribed[0]}`,
      created_at: now,
    };
    await sql`
      insert into webhooks (organization_id, id, api_key_id, oauth_connection_id, name, target_url, events, secret, created_at)
      values (${organization}, ${hook.id}, ${credential.kind === 'api_key' ? credential.id : null},
              ${credential.kind === 'oauth' ? credential.id : null}, ${hook.name}, ${hook.target_url}, ${subscribed},
              ${core.secrets.encrypt(secret, placeOfSecret({ organization_id: organization, id: hook.id }))}, ${now})`;
    return { ...hook, secret };
  },
  {
    async ahead({ core, organization, credential }, { body }) {
      requireReadScopes(credential, subscribedEvents(body));
      await requireGoodTarget(core, organization, body.target_url);
    },
    async further({ core, organization }, { part, isRefused }) {
      const { target_url: target } = part;
      return [
        ...askedProblems(part, (name) => part[name] != null || isRefused(name)),
        ...(target === undefined ? [] : await targetProblems(core, organization, target)),
      ];
    },
  },
);

/** The events that a body asks for, as `events` or as `event`. Raises VALIDATION_ERROR or UNKNOWN_EVENT. */
function subscribedEvents(body: Body): EventType[] {
  const asked = body.events ?? (body.event == null ? [] : [body.event]);
  requireKnownEvents(
    askedProblems(body, (name) => body[name] != null),
    asked,
  );
  return asked.filter(isEventType);
}

/** What is wrong with the events that a body asks for. */
function askedProblems(
  { events: list, event: single }: ValidPart<Pick<Body, 'events' | 'event'>>,
  given: (name: 'events' | 'event') => boolean,
): FieldProblem[] {
  if (given('events') && given('event')) {
    const either = { one: 'events', other: 'event' };
    return [{ path: 'event', key: 'field.either', values: either }, ...(list ? eventProblems(list) : [])];
  }
  if (list) return eventProblems(list);
  if (single !== undefined && single !== null)
    return eventProblems([single]).map((each) => ({ ...each, path: 'event' }));
  return given('events') || given('event') ? [] : [{ path: 'events', key: 'field.required' }];
}

function requireReadScopes(credential: Credential, subscribed: readonly EventType[]): void {
  for (const type of subscribed) requireScope(credential, events[type].scope);
}

/** Its pending deliveries go with it. */
export const deleteWebhook = writes('webhooks.delete', async ({ sql, credential }, { path }) => {
  const [deleted] = await sql`
    delete from webhooks
    where ${hooksOfCredential(sql, credential)} and id = ${path.id} returning id`;
  if (!deleted) throw notFound();
  return undefined;
});

/** REST hooks of a credential as GET answers them; manual webhooks are never among them. */
export const restHooks = (sql: Statements, credential: Credential, rest: Fragment) => sql<RestHook[]>`
  select id, target_url, events, name, created_at from webhooks
  where ${hooksOfCredential(sql, credential)} ${rest}`;

/** The event types that a list of `events` names. Raises VALIDATION_ERROR (none, or one twice) or UNKNOWN_EVENT. */
export function eventTypesOf(asked: readonly string[]): EventType[] {
  requireKnownEvents(eventProblems(asked), asked);
  return asked.filter(isEventType);
}

const unknownEvent = 'webhook.unknown_event';

/** Raises what is wrong with events: UNKNOWN_EVENT where that is all. */
function requireKnownEvents(problems: readonly FieldProblem[], asked: readonly string[]): void {
  const [problem] = problems;
  if (problem?.key !== unknownEvent || problems.length > 1) {
    if (problem) throw invalidFields(problems);
    return;
  }
  const event = asked.find((type) => !isEventType(type));
  throw new Problem(unknownEvent, problem.values, { detail: { event }, about: problem.path });
}

/** What is wrong with a list of `events`, of which some may be refused already; what is unknown is told as one. */
function eventProblems(asked: readonly (string | undefined)[]): FieldProblem[] {
  if (asked.length === 0) return [{ path: 'events', key: 'field.too_few', values: { min: 1 } }];
  const met = new Set<string>();
  const unknown = new Map<string, string>();
  const repeated: FieldProblem[] = [];
  for (const [index, type] of asked.entries()) {
    if (type === undefined) continue;
    const path = `events[${index}]`;
    if (met.has(type)) repeated.push({ path, key: 'field.duplicate' });
    else if (!isEventType(type)) unknown.set(type, path);
    met.add(type);
  }
  const [path] = unknown.values();
  const names = [...unknown.keys()].slice(0, namedEventTypes).join('", "');
  return [...(path ? [{ path, key: unknownEvent, values: { event: names } } as const] : []), ...repeated];
}

const namedEventTypes = 20;

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

export const getSample = reads('webhooks.sample', async ({ credential, now }, { path }) => {
  if (!isEventType(path.type)) throw new Problem('event_type.not_found');
  const { id, slug } = credential.organization;
  return [sampleEnvelope(path.type, { id, slug }, now)];
});

/** The REST hooks that a key or connection made; it sees no others. */
const hooksOfCredential = (sql: Statements, { kind, id, organization }: Credential): Fragment =>
  kind === 'oauth'
    ? sql`organization_id = ${organization.id} and oauth_connection_id = ${id}`
    : sql`organization_id = ${organization.id} and api_key_id = ${id}`;
