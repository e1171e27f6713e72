import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Statements } from '../../../foundations/database/connect.ts';
import { partOf, sayingWhyOfFile } from '../backup-on-disk.ts';
import { knownFiles, noteRemoved } from './backup-runs.ts';

/**
 * Names of files sort by time. Another installation may share the folder and begin in the same second, so no name
 * comes twice.
 */
export const backupName = (moment: Date): string =>
  `dealkeep-${moment.toISOString().slice(0, 19).replaceAll(':', '')}Z-${randomBytes(3).toString('hex')}.backup`;

export const sizeOf = async (file: string): Promise<number> => (await stat(file)).size;

/** Names in the folder. Raises OperatorError where there is none. */
export const filesIn = (folder: string): Promise<string[]> =>
  sayingWhyOfFile(`BACKUP_DIR ("${folder}")`, () => readdir(folder));

/** Removes what runs have left that did not come to their end. */
export async function removeLeftParts(sql: Statements, folder: string): Promise<void> {
  const { begun } = await knownFiles(sql);
  const parts = new Set(Array.from(begun, partOf));
  for (const name of await filesIn(folder)) {
    if (parts.has(name)) await rm(join(folder, name), { force: true });
  }
}

interface Kept {
  folder: string;
  /** So many of the newest. */
  keep: number;
  /** Stay, however old: the one that was just made, and the last that a trial has found good. */
  always: ReadonlySet<string>;
  now: Date;
}

/**
 * Removes older backups than the newest whole ones. Only files that were made here: the database knows their names,
 * and another installation, or a person, may have its own in the same folder. Answers how many there were.
 */
export async function removeOldBackups(
  sql: Statements,
  { folder, keep, always, now }: Kept,
): Promise<number> {
  const present = new Set(await filesIn(folder));
  const { whole } = await knownFiles(sql);
  const old = whole
    .filter((name) => present.has(name))
    .slice(keep)
    .filter((name) => !always.has(name));
  for (const name of old) {
    await rm(join(folder, name), { force: true });
    await noteRemoved(sql, name, now);
  }
  return old.length;
}
