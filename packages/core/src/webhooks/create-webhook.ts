import { randomUUIDv7 } from 'node:crypto';
import { type EventType, events } from '@dealkeep/contract';
import { requireScope } from '../credentials/authorize.ts';
import type { Credential } from '../credentials/credential.ts';
import { invalidField } from '../problem.ts';
import { type InputOf, writes } from '../verb/verb.ts';
import { eventTypesOf } from './event-types-of.ts';
import { requireGoodTarget } from './require-good-target.ts';
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
  },
);

/** The events that a body asks for, as `events` or as `event`. Raises VALIDATION_ERROR or UNKNOWN_EVENT. */
function subscribedEvents(body: Body): EventType[] {
  const { events: list, event: single } = body;
  if (list != null && single != null) {
    throw invalidField('event', 'field.either', { one: 'events', other: 'event' });
  }
  const asked = list ?? (single == null ? undefined : [single]);
  if (!asked) throw invalidField('events', 'field.required');
  return eventTypesOf(asked);
}

function requireReadScopes(credential: Credential, subscribed: readonly EventType[]): void {
  for (const type of subscribed) requireScope(credential, events[type].scope);
}
