import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ignoreMissing } from './data-folder.ts';
import type { ServerSettings } from './server-settings.ts';

/** For data that nobody misses after a crash: tests, and nothing else. */
export const throwawaySettings: ServerSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/**
 * Makes a folder for such data, in memory where there is room: a new database takes 10 ms there, and up to
 * 400 ms on a busy disk. The caller removes it.
 */
export async function throwawayFolder(): Promise<string> {
  const enough = 1_000_000_000;
  const memory = await statfs('/dev/shm').catch(ignoreMissing);
  const parent = memory && memory.bavail * memory.bsize > enough ? '/dev/shm' : tmpdir();
  return mkdtemp(join(parent, 'dealkeep-'));
}
