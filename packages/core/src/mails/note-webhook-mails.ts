import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from '../database/connect.ts';
import type { LastError } from '../deliveries/last-error.ts';
import { peopleToTell } from './people-to-tell.ts';

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

/** Notes a mail for each person to be told. */
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
    for (const person of await peopleToTell(tx, { organization, webhook: id })) {
      await tx`
        insert into mails (organization_id, id, user_id, kind, facts, due_at, created_at)
        values (${organization}, ${randomUUIDv7()}, ${person.id}, ${`webhook.${kind}`}, ${tx.json({ ...facts })},
                ${now}, ${now})`;
    }
  }
}
