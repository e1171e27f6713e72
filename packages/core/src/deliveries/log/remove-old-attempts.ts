import { limits } from '@dealkeep/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/connect.ts';

const batch = 1000;

/**
 * Removes attempts older than 30 days, organization by organization, in small batches that lock nothing else. Answers
 * how many.
 */
export async function removeOldAttempts({ sql, clock }: { sql: Database; clock: Clock }): Promise<number> {
  const keptSince = new Date(clock.now().getTime() - limits.deliveryLogDays * 24 * 3600_000).toISOString();
  let removed = 0;
  for (const { id } of await sql<{ id: string }[]>`select id from organizations`) {
    for (let count = batch; count >= batch; removed += count) {
      ({ count } = await sql`
        delete from attempts where ctid = any(array(
          select ctid from attempts where organization_id = ${id} and started_at < ${keptSince}
          order by started_at, id limit ${batch}))`);
    }
  }
  return removed;
}
