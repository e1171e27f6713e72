import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from '../database/connect.ts';
import type { LastError } from '../deliveries/last-error.ts';

/** What people are to be told of a webhook. */
export interface WebhookNews {
  organization_id: string;
  webhook_id: string;
  /** It has failed for a day; or it was disabled or removed because it has failed for three. */
  kind: 'failing' | 'ended';
  /** Since when it fails, and the moment of the attempt that says so. */
  since: string;
  now: string;
  error: LastError;
}

/** What the text of a mail about a webhook is made of. Holds no secret: of the address only its host. */
export interface WebhookMailFacts {
  webhook_id: string;
  name: string;
  host: string;
  rest_hook: boolean;
  since: string;
  error: LastError;
}

/**
 * Notes a mail for each person to be told: those marked for a hand-made webhook, the owner of a REST hook's key or
 * the person behind its connection; the
 * active owners of the organization where that is nobody who is active.
 */
export async function noteWebhookMails(tx: Transaction, news: readonly WebhookNews[]): Promise<void> {
  for (const { organization_id: organization, webhook_id: id, kind, since, error, now } of news) {
    const [webhook] = await tx<{ name: string | null; target_url: string; rest_hook: boolean }[]>`
      select name, target_url, api_key_id is not null or oauth_connection_id is not null as rest_hook
      from webhooks where organization_id = ${organization} and id = ${id}`;
    if (!webhook) continue;
    const { hostname: host } = new URL(webhook.target_url);
    const facts: WebhookMailFacts = {
      ...{ webhook_id: id, name: webhook.name ?? host, host },
      rest_hook: webhook.rest_hook,
      ...{ since, error },
    };
    for (const person of await peopleToTell(tx, organization, id)) {
      await tx`
        insert into mails (organization_id, id, user_id, kind, facts, due_at, created_at)
        values (${organization}, ${randomUUIDv7()}, ${person}, ${`webhook.${kind}`}, ${tx.json({ ...facts })},
                ${now}, ${now})`;
    }
  }
}

async function peopleToTell(tx: Transaction, organization: string, webhook: string): Promise<string[]> {
  const people = await tx<{ id: string; chosen: boolean; owner: boolean }[]>`
    select u.id, u.role_id is null as owner,
           exists (select from webhook_notified_users n
                   where n.organization_id = u.organization_id and n.webhook_id = ${webhook} and n.user_id = u.id)
           or exists (select from webhooks w
                      left join api_keys k on k.organization_id = w.organization_id and k.id = w.api_key_id
                      left join oauth_connections c
                        on c.organization_id = w.organization_id and c.id = w.oauth_connection_id
                      where w.organization_id = u.organization_id and w.id = ${webhook}
                        and u.id in (k.user_id, c.user_id))
             as chosen
    from users u
    where u.organization_id = ${organization} and u.active
    order by u.id`;
  const chosen = people.filter((person) => person.chosen);
  return (chosen.length > 0 ? chosen : people.filter(({ owner }) => owner)).map(({ id }) => id);
}
