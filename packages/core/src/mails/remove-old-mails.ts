import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';

const batch = 1000;
const keptDays = 30;

/** Removes mails older than 30 days that need no more attempts, in small batches. Answers how many. */
export async function removeOldMails({ sql, clock }: { sql: Database; clock: Clock }): Promise<number> {
  const keptSince = new Date(clock.now().getTime() - keptDays * 24 * 3600_000).toISOString();
  let removed = 0;
  for (let count = batch; count >= batch; removed += count) {
    ({ count } = await sql`
      delete from mails where ctid = any(array(
        select ctid from mails where created_at < ${keptSince} and due_at is null
        order by created_at limit ${batch}))`);
  }
  return removed;
}
