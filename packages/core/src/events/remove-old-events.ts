import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';

const batch = 1000;
/** A day longer than the attempts of the delivery log, from which an event can be sent again. */
const keptDays = 31;

/**
 * Removes events older than the delivery log, organization by organization, in small batches that lock nothing else. As
 * long as something older waits to be delivered in an organization, or is held, its events from then on stay. Answers
 * how many.
 */
export async function removeOldEvents({ sql, clock }: { sql: Database; clock: Clock }): Promise<number> {
  const keptSince = new Date(clock.now().getTime() - keptDays * 24 * 3600_000).toISOString();
  const waiting = await oldestWaiting(sql);
  let removed = 0;
  for (const { id } of await sql<{ id: string }[]>`select id from organizations`) {
    const oldest = waiting.get(id);
    const before = oldest !== undefined && oldest < keptSince ? oldest : keptSince;
    for (let count = batch; count >= batch; removed += count) {
      ({ count } = await sql`
        delete from events where ctid = any(array(
          select ctid from events where organization_id = ${id} and occurred_at < ${before}
          order by occurred_at limit ${batch}))`);
    }
  }
  return removed;
}

/** When the oldest event occurred that each organization still waits for. */
async function oldestWaiting(sql: Database): Promise<Map<string, string>> {
  const rows = await sql<{ organization_id: string; oldest: string }[]>`
    select organization_id, min(oldest) as oldest
    from (select organization_id, min(created_at) as oldest from deliveries group by organization_id
          union all
          select organization_id, min(occurred_at) from held_events group by organization_id) waiting
    group by organization_id`;
  return new Map(rows.map(({ organization_id, oldest }) => [organization_id, oldest]));
}
