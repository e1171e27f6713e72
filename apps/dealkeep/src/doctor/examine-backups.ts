import { access, constants, stat, statfs } from 'node:fs/promises';
import { type Database, leastFreeShare, oldBackupSeconds, oldTrialSeconds } from '@dealkeep/core/foundations';
import { type BackupRun, backupStatus } from '@dealkeep/core/installation';
import type { Configuration } from '../configuration.ts';
import { oneLine } from '../one-line.ts';
import type { Finding } from './finding.ts';

/** The folder that backups by the clock go to, as this process sees it: the worker's, where that is another. */
export async function folderFinding({ backups, roles }: Configuration): Promise<Finding[]> {
  if (backups === undefined || !roles.has('worker')) return [];
  const { folder } = backups;
  const check = 'Backup folder';
  const trouble = await troubleWith(folder);
  if (trouble !== undefined) {
    const mend = `Make ${folder}, or mount what it stands for, and give the user of the worker the right to write there; or set another BACKUP_DIR.`;
    return [{ check, state: 'failed', finding: `BACKUP_DIR leads to ${folder}, ${trouble}`, mend }];
  }
  const { blocks, bavail } = await statfs(folder);
  const share = blocks === 0 ? 1 : bavail / blocks;
  const finding = `${folder} can be written; ${Math.round(share * 100)} % of its disk are free`;
  if (share >= leastFreeShare) return [{ check, state: 'ok', finding }];
  const mend = 'Delete what else is on that disk, make it larger, or keep fewer backups (BACKUP_KEEP).';
  return [{ check, state: 'failed', finding, mend }];
}

async function troubleWith(folder: string): Promise<string | undefined> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) return 'which is not there';
  if (!found.isDirectory()) return 'which is no folder';
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    return code === 'EROFS' ? 'whose file system takes no writes' : 'where this user may not write';
  }
}

/** What became of them, on whatever machine. */
export async function backupFindings(sql: Database, { backups }: Configuration): Promise<Finding[]> {
  const { backup, trial } = await backupStatus(sql);
  if (!backup.last) {
    const finding =
      backups === undefined
        ? 'none is made by the clock (BACKUP_DIR is not set here): see to them in another way'
        : 'none was made yet: a worker makes the first when it starts';
    return [{ check: 'Backups', state: 'ok', finding }];
  }
  return [
    backupFinding(backup.last, backup.good),
    ...(trial.last ? [trialFinding(trial.last, trial.good)] : []),
  ];
}

const secondsSince = ({ started_at }: BackupRun): number => (Date.now() - Date.parse(started_at)) / 1000;

function backupFinding(last: BackupRun, good: BackupRun | null): Finding {
  const check = 'Backups';
  const newest = good
    ? `the last whole one is ${good.file} of ${good.started_at}, on ${good.host}`
    : 'none is whole';
  const isOld = good === null || secondsSince(good) > oldBackupSeconds;
  if (last.failure !== null) {
    const finding = `${newest}; the last try, of ${last.started_at}, failed: ${oneLine(last.failure)}`;
    const mend = 'Mend what it says; it is tried again each hour. Until then: `npx dealkeep backup FILE`.';
    return { check, state: isOld ? 'failed' : 'warning', finding, mend };
  }
  if (!isOld) return { check, state: 'ok', finding: newest };
  const mend =
    'See that a worker with BACKUP_DIR runs, and what its log says; until then: `npx dealkeep backup FILE`. Where they are made in another way now: `delete from backup_runs`.';
  return { check, state: 'failed', finding: `they are old: ${newest}`, mend };
}

function trialFinding(last: BackupRun, good: BackupRun | null): Finding {
  const check = 'Backup trial';
  if (last.failure !== null) {
    const finding = `${last.file} could not be restored on trial at ${last.started_at}: ${oneLine(last.failure)}`;
    const mend = good
      ? `Mend what it says. Restore ${last.file} into an empty database to see; ${good.file} was good, and is kept.`
      : `Mend what it says. Restore ${last.file} into an empty database to see.`;
    return { check, state: 'failed', finding, mend };
  }
  const finding = `${last.file} was restored on trial at ${last.started_at}`;
  if (secondsSince(last) <= oldTrialSeconds) return { check, state: 'ok', finding };
  const mend = 'See the log of the worker; BACKUP_TRIAL=never leaves trials out: then restore one yourself.';
  return { check, state: 'warning', finding: `none for more than two weeks: ${finding}`, mend };
}
