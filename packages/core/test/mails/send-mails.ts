import type { Core } from '@dealkeep/core';
import { jobPool } from '@dealkeep/core/foundations';
import type { Mail } from '@dealkeep/core/installation';
import { heldFlags, mailTaskList } from '@dealkeep/worker';
import { Logger, runOnce } from 'graphile-worker';

/** Sends the mails that are due, as a worker does, one after another. Answers how many were posted. */
export async function sendMails(core: Core, post: (mail: Mail) => Promise<void>): Promise<number> {
  let sent = 0;
  const counted = async (mail: Mail): Promise<void> => {
    await post(mail);
    sent += 1;
  };
  // graphile-worker asks for the next job without waiting until the last one is noted as done: of two connections
  // the question could come first, while the queue is still taken, and be answered with nothing.
  const pool = await jobPool(core.databaseUrl, 1);
  try {
    await runOnce({
      pgPool: pool,
      concurrency: 1,
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
      taskList: mailTaskList({ core, post: counted }),
      forbiddenFlags: heldFlags(core),
    });
  } finally {
    await pool.end();
  }
  return sent;
}

/** Mails that failed are due again at once, as after the time that they wait. */
export const dueAgain = ({ sql }: Pick<Core, 'sql'>): Promise<unknown> =>
  sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`;

/** The mails of an organization that wait to be sent. */
export const waitingMails = (
  { sql }: Pick<Core, 'sql'>,
  { id }: { id: string },
): Promise<{ key: string; attempts: number; run_at: string; last_error: string | null }[]> =>
  sql`
    select key, attempts, run_at, last_error from graphile_worker.jobs
    where starts_with(key, ${`mail/${id}/`}) and attempts < max_attempts`;
