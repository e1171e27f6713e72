import type { TestDealkeep } from '@dealkeep/testing';
import type { Subscriber } from './subscriber.ts';

/** So many deliveries that have been due for an hour, of the events that are there already. */
export const addBacklog = (
  { sql }: TestDealkeep,
  { organization, hookId }: Subscriber,
  waiting: number,
) => sql`
  with event as (
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select organization_id, 'evt_' || left(md5(random()::text), 16) || lpad(n::text, 10, '0'), type, record_id,
           occurred_at, envelope
    from (select * from events where organization_id = ${organization.id} limit 1) one
    cross join generate_series(1, ${waiting}::integer) n
    returning organization_id, id)
  insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
  select gen_random_uuid(), organization_id, ${hookId}, id, now() - interval '1 hour', now() from event`;
