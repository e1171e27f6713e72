import { limits } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';

const batch = 1000;

/** Removes idempotent answers older than a day, in small batches. Answers how many. */
export async function removeOldAnswers(sql: Database, clock: Clock): Promise<number> {
  const keptSince = new Date(
    clock.now().getTime() - limits.idempotencyRetentionHours * 3600_000,
  ).toISOString();
  let removed = 0;
  for (;;) {
    const rows = await sql`
      delete from idempotent_answers where ctid = any(array(
        select ctid from idempotent_answers where created_at < ${keptSince} limit ${batch}))
      returning 1`;
    removed += rows.length;
    if (rows.length < batch) return removed;
  }
}
