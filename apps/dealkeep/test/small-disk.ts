import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ownFolder } from './program.ts';

export const mebibyte = 1024 * 1024;

/**
 * Only root mounts a file system, and not in every container. What is said of a full disk is played elsewhere for
 * everybody, by triggers and by a limit of the length of files.
 */
export const canMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'dealkeep-'));
  const can = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0;
  if (can) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return can;
})();

/** A disk of the test's own, which goes with it. */
interface SmallDisk {
  folder: string;
  /** From now on nothing more is free than so many bytes. */
  fill(free?: number): void;
  makeRoom(): void;
}

export async function smallDisk(): Promise<SmallDisk> {
  const parent = await ownFolder();
  // PostgreSQL, which runs as another user, passes through.
  await chmod(parent, 0o755);
  const folder = join(parent, 'small');
  await mkdir(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', [folder]));
  const filling = join(folder, 'filling');
  return {
    folder,
    fill(free = 0) {
      const { bavail, bsize } = statfsSync(folder);
      try {
        appendFileSync(filling, Buffer.alloc(bavail * bsize - free));
      } catch (error) {
        // Somebody has taken a part of it meanwhile.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    },
    makeRoom: () => rmSync(filling),
  };
}
