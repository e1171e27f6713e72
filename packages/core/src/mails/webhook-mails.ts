import { randomUUIDv7 } from 'node:crypto';
import type { Statements, Transaction } from '../database/connect.ts';
import { addMail, type LastError, type WebhookMailFacts } from './mail-jobs.ts';

/** What people are to be told of a webhook. */
export interface WebhookNews {
  organization_id: string;
  webhook_id: string;
  /** It has failed for a day; or it was disabled or removed because it has failed for three. */
  kind: 'failing' | 'ended';
  /** Since when it fails. */
  since: string;
  error: LastError;
}

/** Adds a mail for each person to be told. */
export async function addWebhookMails(tx: Transaction, news: readonly WebhookNews[]): Promise<void> {
  for (const { organization_id: organization, webhook_id: id, kind, since, error } of news) {
    const [webhook] = await tx<{ name: string | null; target_url: string; rest_hook: boolean }[]>`
      select name, target_url, api_key_id is not null or oauth_connection_id is not null as rest_hook
      from webhooks where organization_id = ${organization} and id = ${id}`;
    if (!webhook) continue;
    const { hostname: host } = new URL(webhook.target_url);
    const facts: WebhookMailFacts = {
      webhook_id: id,
      name: webhook.name ?? host,
      host,
      rest_hook: webhook.rest_hook,
      since,
      error,
    };
    for (const person of await usersToNotify(tx, { organization, webhook: id })) {
      await addMail(tx, {
        kind: `webhook.${kind}`,
        id: randomUUIDv7(),
        organization_id: organization,
        user_id: person.id,
        facts,
      });
    }
  }
}

/** Somebody who is told when a webhook fails, and why it is them. */
export interface NotifiedUser {
  webhook_id: string;
  id: string;
  name: string;
  /**
   * `chosen`: they were marked for a manual webhook. `maker`: the key of the REST hook is theirs, or they connected its
   * application. `owner`: none of these is active, and they are an owner.
   */
  because: 'chosen' | 'maker' | 'owner';
}

/** The active people to be told of the webhooks of an organization, or of one of them. */
export const usersToNotify = (
  sql: Statements,
  { organization, webhook = null }: { organization: string; webhook?: string | null },
): Promise<NotifiedUser[]> => sql<NotifiedUser[]>`
  with concerned as (
    select w.id as webhook_id, m.id, m.name,
           case when exists (select from webhook_notified_users n
                             where n.organization_id = w.organization_id and n.webhook_id = w.id and n.user_id = m.id)
                  then 'chosen'
                when m.id in (k.user_id, c.user_id) then 'maker'
                when m.role_id is null then 'owner' end as because
    from webhooks w
    join memberships m on m.organization_id = w.organization_id and m.active
    left join api_keys k on k.organization_id = w.organization_id and k.id = w.api_key_id
    left join oauth_connections c on c.organization_id = w.organization_id and c.id = w.oauth_connection_id
    where w.organization_id = ${organization} and (${webhook}::uuid is null or w.id = ${webhook}))
  select webhook_id, id, name, because from concerned o
  where because <> 'owner' or (because = 'owner' and not exists (
    select from concerned other where other.webhook_id = o.webhook_id and other.because <> 'owner'))
  order by webhook_id, id`;
