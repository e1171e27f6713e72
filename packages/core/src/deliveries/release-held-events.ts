import type { Clock } from '../clock.ts';
import { roleBacks } from '../credentials/role-backs.ts';
import type { Database, Fragment, Statements } from '../database/connect.ts';
import { eventTypeOf, standing, standingJoins } from './webhook-standing.ts';

/**
 * Puts the oldest held event of webhooks that are active again into the queue. The next one follows when the attempt is
 * over, whatever came of it, so that they arrive in order; new events do not wait for them. Those that a role does not
 * let be read stay. Answers how many.
 *
 * @param which a condition on `webhooks w`
 */
export async function releaseNext(sql: Statements, which: Fragment, now: string): Promise<number> {
  const { count } = await sql`
    with next as (
      select held.* from webhooks w ${standingJoins(sql)}
      cross join lateral (
        select h.* from held_events h
        where h.webhook_id = w.id and ${roleBacks(sql, eventTypeOf(sql, 'h'))}
        order by h.occurred_at, h.event_id limit 1 for update skip locked) held
      where ${which} and ${standing(sql, now, sql`'{}'::text[]`)} = 'active'
    ), released as (
      insert into deliveries (id, organization_id, webhook_id, event_id, attempts, extra_attempts, due_at, created_at,
                              in_order)
      select gen_random_uuid(), organization_id, webhook_id, event_id, attempts, extra_attempts, ${now}, occurred_at,
             true
      from next
      on conflict (webhook_id) where in_order do nothing
      returning webhook_id, event_id, created_at
    )
    delete from held_events h using released r
    where h.webhook_id = r.webhook_id and h.occurred_at = r.created_at and h.event_id = r.event_id`;
  return count;
}

/** Begins with the held events of every webhook that is active again. Answers for how many. */
export function releaseHeldEvents({ sql, clock }: { sql: Database; clock: Clock }): Promise<number> {
  const waiting = sql`
    exists (select from held_events h where h.webhook_id = w.id)
    and not exists (select from deliveries d where d.webhook_id = w.id and d.in_order)`;
  return releaseNext(sql, waiting, clock.now().toISOString());
}
