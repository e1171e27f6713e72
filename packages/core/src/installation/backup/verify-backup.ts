import type { Readable } from 'node:stream';
import type { BackupHeader, BackupTrailer } from './backup-file.ts';
import { openBackup } from './read-backup.ts';

export interface VerifiedBackup {
  header: BackupHeader;
  trailer: BackupTrailer;
}

/** Reads a backup to its end. Raises OperatorError for one that is cut, damaged, or none. */
export async function verifyBackup(source: Readable): Promise<VerifiedBackup> {
  const { header, sections } = await openBackup(source);
  const all = sections();
  let step = await all.next();
  for (; !step.done; step = await all.next()) {
    for await (const _ of step.value.data) {
      // Summed up on its way.
    }
  }
  return { header, trailer: step.value };
}
