import { PassThrough } from 'node:stream';
import type { Clock } from '../clock.ts';
import { connect } from '../database/connect.ts';
import { migrate } from '../database/migrate.ts';
import type { Environment } from '../environment.ts';
import { pauseQueue } from '../installation/pause-queue.ts';
import { noLimits } from '../operating-limits.ts';
import { requireNobody } from './requirements.ts';
import { type RestoredBackup, restoreBackup } from './restore-backup.ts';
import { takeBackup } from './take-backup.ts';

interface Move {
  /** PostgreSQL's own addresses; the second for the role that owns the tables there. */
  from: string;
  to: string;
  version: string;
  clock: Clock;
  environment: Environment;
  /** Of the keys that this environment has. */
  fingerprints: readonly string[];
}

/**
 * Moves everything into an empty database of another server: a backup that is restored while it is made. Nothing has
 * happened in between, so everything goes on there as it was; here the queue is paused, so that nothing is sent twice
 * should the former database be started again. Raises OperatorError, with nothing moved, also while a process runs.
 */
export async function moveDatabase({ from, to, version, ...place }: Move): Promise<RestoredBackup> {
  const sql = connect(from, { connections: 1, name: 'dealkeep move', limits: noLimits });
  try {
    await requireNobody(sql);
    const channel = new PassThrough();
    const options = {
      ...place,
      as: 'moved',
      keys: 'keep',
      webhooks: 'keep',
      changeEnvironment: false,
    } as const;
    const restoring = restoreBackup(to, channel, options).catch((error: unknown) => {
      // Else the other side would wait for somebody who reads.
      channel.destroy(error instanceof Error ? error : undefined);
      throw error;
    });
    const [restored] = await Promise.all([
      restoring,
      takeBackup({ url: from, version, clock: place.clock }, channel),
    ]);
    await migrate(to);
    await pauseQueue(sql, { all: true }, 'Moved to another database');
    return restored;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
