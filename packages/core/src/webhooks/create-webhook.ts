import { randomUUIDv7 } from 'node:crypto';
import { type EventType, events, type FieldProblem, isEventType } from '@dealkeep/contract';
import { requireScope } from '../credentials/authorize.ts';
import type { Credential } from '../credentials/credential.ts';
import type { ValidPart } from '../verb/further-problems.ts';
import { type InputOf, writes } from '../verb/verb.ts';
import { eventProblems, requireKnownEvents } from './event-types-of.ts';
import { requireGoodTarget, targetProblems } from './require-good-target.ts';
import { requireRoom } from './require-room.ts';
import { newWebhookSecret, placeOfSecret } from './webhook-secret.ts';

type Body = InputOf<'webhooks.create'>['body'];

export const createWebhook = writes(
  'webhooks.create',
  async ({ core, sql, organization, credential, now }, { body }) => {
    const subscribed = subscribedEvents(body);
    await requireRoom(sql, organization);

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
