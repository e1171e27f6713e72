import { randomUUIDv7 } from 'node:crypto';
import { type EventType, events, type FieldProblem, isEventType } from '@dealkeep/contract';
import { requireScope } from '../credentials/authorize.ts';
import type { Credential } from '../credentials/credential.ts';
import { checkTarget } from '../outgoing/index.ts';
import { invalidField, invalidFields, Problem } from '../problem.ts';
import { type InputOf, writes } from '../verb/verb.ts';
import { targetProblem } from './target-problem.ts';
import { newWebhookSecret } from './webhook-secret.ts';

type Body = InputOf<'webhooks.create'>['body'];

export const createWebhook = writes(
  'webhooks.create',
  async ({ core, sql, organization, credential, now }, { body }) => {
    const subscribed = subscribedEvents(body);
    requireReadScopes(credential, subscribed);
    const check = await checkTarget(body.target_url, core.allowedTargets);
    if (!check.ok) throw targetProblem(check);

    // The lock makes the count hold until the commit.
    const [limit] = await sql<{ max_webhooks: number }[]>`
      select max_webhooks from organizations where id = ${organization} for no key update`;
    const [count] = await sql<{ webhooks: number }[]>`
      select count(*)::integer as webhooks from webhooks where organization_id = ${organization}`;
    const max = limit?.max_webhooks ?? 0;
    if ((count?.webhooks ?? 0) >= max) throw new Problem('webhook.limit', { max });

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
              ${core.secrets.encrypt(secret)}, ${now})`;
    return { ...hook, secret };
  },
  { slow: true },
);

/** The events that a body asks for, as `events` or as `event`. Raises VALIDATION_ERROR or UNKNOWN_EVENT. */
function subscribedEvents(body: Body): EventType[] {
  const { events: list, event: single } = body;
  if (list != null && single != null) {
    throw invalidField('event', 'field.either', { one: 'events', other: 'event' });
  }
  const asked = list ?? (single == null ? undefined : [single]);
  if (!asked) throw invalidField('events', 'field.required');
  if (asked.length === 0) throw invalidField('events', 'field.too_few', { min: 1 });
  const repeated = asked.flatMap((type, index): FieldProblem[] =>
    asked.indexOf(type) < index ? [{ path: `events[${index}]`, key: 'field.duplicate' }] : [],
  );
  if (repeated.length > 0) throw invalidFields(repeated);
  return asked.map((type) => {
    if (isEventType(type)) return type;
    throw new Problem('webhook.unknown_event', { event: type }, { detail: { event: type } });
  });
}

function requireReadScopes(credential: Credential, subscribed: readonly EventType[]): void {
  for (const type of subscribed) requireScope(credential, events[type].scope);
}
