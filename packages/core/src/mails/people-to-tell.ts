import type { Statements } from '../database/connect.ts';

/** Somebody who is told when a webhook fails, and why it is them. */
export interface PersonToTell {
  webhook_id: string;
  id: string;
  name: string;
  /**
   * They were marked for a hand-made webhook; the REST hook's key is theirs, or they connected its application; or that
   * is nobody who is active, and they are an owner.
   */
  because: 'chosen' | 'maker' | 'owner';
}

/** The active people to be told of the webhooks of an organization, or of one of them. */
export const peopleToTell = (
  sql: Statements,
  { organization, webhook = null }: { organization: string; webhook?: string | null },
): Promise<PersonToTell[]> => sql<PersonToTell[]>`
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
