import type { Database } from '../database/connect.ts';

/** A delivery that this worker holds the lease of. */
export interface ClaimedDelivery {
  id: string;
  organization_id: string;
  webhook_id: string;
  event_id: string;
  /** Attempts made before. */
  attempts: number;
  target_url: string;
  secret: Buffer;
  failing_since: string | null;
}

export interface ClaimBounds {
  workerId: number;
  now: string;
  /** Until when the claimed ones are ours. */
  leaseEnd: string;
  /** Deliveries at most. */
  most: number;
  /** In flight at once for one webhook. */
  perWebhook: number;
  /** What this worker has in flight already, by webhook; slow webhooks at their bound of one. */
  taken: ReadonlyMap<string, number>;
}

/**
 * Claims due deliveries across webhooks, each webhook its few oldest, so that one with a large backlog shares fairly.
 * A claim moves `due_at` to the end of the lease: when the worker dies, the delivery comes back by itself.
 *
 * The recursive part walks from webhook to webhook along the index, so its cost grows with the webhooks that have
 * something waiting, not with the backlog.
 */
export async function claimDeliveries(sql: Database, bounds: ClaimBounds): Promise<ClaimedDelivery[]> {
  const webhooks = [...bounds.taken.keys()];
  const counts = [...bounds.taken.values()];
  return sql<ClaimedDelivery[]>`
    with recursive waiting (webhook_id) as (
      (select webhook_id from deliveries order by webhook_id limit 1)
      union all
      select (select d.webhook_id from deliveries d where d.webhook_id > waiting.webhook_id
              order by d.webhook_id limit 1)
      from waiting where waiting.webhook_id is not null
    ), taken (webhook_id, count) as (
      select * from unnest(${webhooks}::uuid[], ${counts}::integer[])
    ), due as (
      select chosen.id
      from waiting
      left join taken using (webhook_id)
      cross join lateral (
        select d.id, d.due_at from deliveries d
        where d.webhook_id = waiting.webhook_id and d.due_at <= ${bounds.now}
        order by d.due_at, d.event_id
        limit greatest(0, ${bounds.perWebhook} - coalesce(taken.count, 0))
        for update skip locked
      ) chosen
      where waiting.webhook_id is not null
      order by chosen.due_at
      limit ${bounds.most}
    )
    update deliveries d set due_at = ${bounds.leaseEnd}, worker_id = ${bounds.workerId}
    from due, webhooks w
    where d.id = due.id and w.organization_id = d.organization_id and w.id = d.webhook_id
    returning d.id, d.organization_id, d.webhook_id, d.event_id, d.attempts, w.target_url, w.secret, w.failing_since`;
}

/** The envelopes of claimed deliveries by organization and event. */
export async function readEnvelopes(
  sql: Database,
  deliveries: readonly ClaimedDelivery[],
): Promise<Map<string, { type: string; envelope: string }>> {
  const rows = await sql<{ id: string; type: string; envelope: string }[]>`
    select e.id, e.type, e.envelope from events e
    join unnest(${deliveries.map((each) => each.organization_id)}::uuid[],
                ${deliveries.map((each) => each.event_id)}::text[]) as wanted (organization_id, id)
      on wanted.organization_id = e.organization_id and wanted.id = e.id`;
  return new Map(rows.map(({ id, type, envelope }) => [id, { type, envelope }]));
}

/** When the next delivery becomes due; undefined when nothing waits. */
export async function nextDue(sql: Database): Promise<Date | undefined> {
  const [row] = await sql<{ due_at: string | null }[]>`select min(due_at) as due_at from deliveries`;
  return row?.due_at ? new Date(row.due_at) : undefined;
}
