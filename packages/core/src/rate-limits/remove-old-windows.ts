import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';

const batch = 5000;
/** Processes whose clocks are behind still count in the window before. */
const keptMinutes = 5;

/** Removes the counts of windows that are over, in small batches. Answers how many. */
export async function removeOldWindows(sql: Database, clock: Clock): Promise<number> {
  const oldest = Math.floor(clock.now().getTime() / 60_000) - keptMinutes;
  let removed = 0;
  for (;;) {
    const { count } = await sql`
      delete from rate_windows where (minute, bucket_id) in (
        select minute, bucket_id from rate_windows where minute < ${oldest}
        order by minute, bucket_id limit ${batch} for update skip locked)`;
    removed += count;
    if (count < batch) return removed;
  }
}
