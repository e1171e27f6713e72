import { setTimeout } from 'node:timers/promises';
import { connect, type Database } from '../../foundations/database/connect.ts';
import { noLimits, processNotedEveryMs } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { claimEnvironment } from '../installation/installation.ts';
import { runningProcesses } from '../installation/running-processes.ts';
import { requireNobody, requirePrimary } from './requirements.ts';
import { type Settled, type SettleOptions, settle } from './settle.ts';

interface Recovery extends Omit<SettleOptions, 'as'> {
  /** Where the database stands now. */
  moment: Date;
}

/**
 * Does to a database that PostgreSQL has recovered to an earlier moment what a restore does to the rows of a backup.
 * Raises OperatorError while a process runs, and for a server that still recovers.
 *
 * @param url of the role that the program has, at PostgreSQL's own address
 */
export async function settleRecovered(url: string, { moment, ...options }: Recovery): Promise<Settled> {
  if (moment > options.clock.now()) {
    throw new OperatorError('takes a moment that has passed', { field: 'to' });
  }
  const sql = connect(url, { connections: 1, name: 'dealkeep recovered', limits: noLimits });
  try {
    await requirePrimary(sql);
    await requireNobodyNow(sql);
    await claimEnvironment(sql, options.environment);
    return await sql.begin((tx) =>
      settle(tx, { made_at: moment.toISOString() }, { ...options, as: 'recovered' }),
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * A process that ran at the moment was seen a moment ago, as the database has it. One that runs has a connection, or
 * makes one when it notes itself the next time.
 */
async function requireNobodyNow(sql: Database): Promise<void> {
  const end = performance.now() + processNotedEveryMs + 1000;
  while ((await runningProcesses(sql)).length > 0 && performance.now() < end) {
    const connected = await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'dealkeep'`;
    if (connected.length > 0) return requireNobody(sql);
    await setTimeout(500);
  }
}
