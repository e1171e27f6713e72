import type { Transaction } from '../../foundations/database/connect.ts';
import { isLockNotAvailable, lockMend } from '../../foundations/database/failures.ts';
import { tablesOnlyAddedTo } from '../../foundations/database/own-objects.ts';
import { copiedTables, quoted } from '../../foundations/database/tables.ts';
import { stillnessAwaitedMs } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { lockInstallation } from '../installation/installation.ts';
import { requireNobody } from './requirements.ts';

/**
 * Keeps a database as it is until the transaction ends: no process starts, and whoever writes waits. Everybody
 * reads. Needs no right but that of writing. Raises OperatorError while a process runs, or something holds a lock.
 */
export async function keepStill(tx: Transaction): Promise<void> {
  await tx.unsafe(`set local lock_timeout = ${stillnessAwaitedMs}`);
  const copied = (await copiedTables(tx)).map(({ name }) => name);
  const tables = copied.filter((name) => !tablesOnlyAddedTo.includes(name)).map(quoted);
  // Of the jobs, mails are copied, too.
  const [jobs] = await tx<{ name: string | null }[]>`
    select to_regclass('graphile_worker._private_jobs')::text as name`;
  if (jobs?.name) tables.push(jobs.name);
  try {
    await lockInstallation(tx);
    await tx.unsafe(`lock table ${tables.join(', ')} in share mode`);
    await tx`select keep_audit_entries_still()`;
  } catch (error) {
    if (!isLockNotAvailable(error)) throw error;
    throw new OperatorError(`Something writes to this database, or holds a lock there: ${lockMend}`);
  }
  await requireNobody(tx);
}

/**
 * Raises OperatorError while somebody waits for what `keepStill` holds: whatever they write would come too late.
 * Fails where the transaction is gone, and the stillness with it.
 */
export async function requireStill(tx: Transaction): Promise<void> {
  await requireNobody(tx);
  const [waiting] = await tx<{ pid: number; name: string | null }[]>`
    select a.pid, a.application_name as name from pg_stat_activity a
    where a.datname = current_database() and a.usesysid is not null -- as a vacuum by itself has none
      and pg_backend_pid() = any (pg_blocking_pids(a.pid))
    limit 1`;
  if (!waiting) return;
  throw new OperatorError(
    `Something was started that writes to this database (${waiting.name || 'a connection'}, process ${waiting.pid} of PostgreSQL): stop it, then run this again`,
  );
}
